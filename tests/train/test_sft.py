"""Objective `sft` from records to a checkpoint: what it minimises, its passes, resuming, and what it refuses."""

import math
from pathlib import Path

import pytest
import torch

from rcca_cli import models
from rcca_cli.errors import RccaError
from rcca_cli.models.load import Policy
from rcca_cli.models.save import save
from rcca_cli.train import answers, stage
from rcca_cli.train.optimizers import OPTIMIZERS
from rcca_cli.train.stage import Options
from tests.models import tiny
from tests.train.helpers import lines
from tests.train.test_answers import TEMPLATE, solution

WORDS = ["the", "naïve", "日本", "<p>", "x != y", "return", "two  spaces", "z, y"]


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The folder of the policy that all calls here begin with."""
    tokenizer = tiny.byte_level()
    tokenizer.chat_template = TEMPLATE
    folder = tmp_path_factory.mktemp("policy")
    save(Policy(tiny.llama(len(tokenizer)), tokenizer, "tiny"), folder)
    return str(folder)


def solutions(count=10):
    return [solution(f"g{number}", WORDS[number % len(WORDS)]) for number in range(count)]


def run(records, model=None, **options):
    given = {"objective": "sft", "model": model, "rows_per_step": 4, "learning_rate": 1e-2, **options}
    return list(stage.run(lines(records), Options(**given)))


def files(folder):
    """The bytes of the weights and of the optimizer."""
    return [(Path(folder) / name).read_bytes() for name in ("model.safetensors", "optimizer.safetensors")]


def mean_loss(folder, records):
    """Cross-entropy of an answer's token, by the model's own forward, one row at a time."""
    policy = models.load(folder)
    losses = []
    for answer in answers.read(lines(records), policy).learned:
        ids, first = torch.tensor([*answer.prompt, *answer.tokens]), len(answer.prompt)
        with torch.no_grad():
            logits_TV = policy.model(ids[None]).logits[0, first - 1 : -1]
        losses += torch.nn.functional.cross_entropy(logits_TV, ids[first:], reduction="none").tolist()
    return sum(losses) / len(losses)


def test_the_loss_is_the_mean_cross_entropy_of_the_answers_tokens(start, tmp_path):
    records = solutions(4)
    (step,) = run(records, start, out=str(tmp_path / "ckpt"))
    assert step["loss"] == pytest.approx(mean_loss(start, records), abs=1e-5)
    assert (step["rows"], step["updates"], step["unscorable"], step["reward_mean"]) == (4, 1, 0, None)
    assert mean_loss(str(tmp_path / "ckpt"), records) < step["loss"]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_micro_batches_change_nothing(start, tmp_path, optimizer):
    for size in (1, 1000):
        run(solutions(), start, out=str(tmp_path / str(size)), micro_tokens=size, optimizer=optimizer)
    one, many = (models.load(str(tmp_path / name)).model.state_dict() for name in ("1", "1000"))
    assert all(torch.allclose(one[name], many[name], atol=1e-4) for name in one)


def test_the_order_of_the_input_does_not_matter(start, tmp_path):
    run(solutions(), start, out=str(tmp_path / "a"))
    run(solutions()[::-1], start, out=str(tmp_path / "b"))
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_call_a_pass_equals_one_long_call(start, tmp_path, optimizer):
    options = {"optimizer": optimizer, "warmup": 2, "total_steps": 9, "held_out": 0.3, "held_out_every": 2}
    expected = run(solutions(), start, out=str(tmp_path / "long"), epochs=2, **options)
    found = run(solutions(), start, out=str(tmp_path / "a"), **options)
    found += run(solutions(), out=str(tmp_path / "b"), start=str(tmp_path / "a"), **options)
    assert [{**step, "config": ""} for step in found] == [{**step, "config": ""} for step in expected]
    assert files(tmp_path / "b") == files(tmp_path / "long")


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_resumed_call_ends_as_an_undisturbed_one(start, tmp_path, optimizer):
    options = {"epochs": 2, "held_out": 0.3, "optimizer": optimizer}
    expected = run(solutions(), start, out=str(tmp_path / "whole"), **options)
    cut = {"objective": "sft", "model": start, "rows_per_step": 4, "learning_rate": 1e-2, **options}
    interrupted = stage.run(lines(solutions()), Options(out=str(tmp_path / "cut"), **cut))
    assert [next(interrupted) for _ in range(2)] == expected[:2]
    interrupted.close()
    assert run(solutions(), start, out=str(tmp_path / "cut"), resume=True, **options) == expected
    assert files(tmp_path / "cut") == files(tmp_path / "whole")
    assert run(solutions(), start, out=str(tmp_path / "cut"), resume=True, **options) == expected
    other = stage.run(lines(solutions(9)), Options(out=str(tmp_path / "cut"), resume=True, **cut))
    with pytest.raises(RccaError, match="the input is not the one"):
        next(other)  # before the metrics of the call that it does not go on from


def test_it_learns_what_it_reads_and_the_held_out_loss_is_measured_when_asked_for(start, tmp_path):
    records = [solution(f"g{number}", "the naïve café") for number in range(20)]
    steps = run(records, start, out=str(tmp_path / "ckpt"), epochs=6, held_out=0.2, held_out_every=3)
    assert steps[-1]["loss"] < 0.3 < 3 < steps[0]["loss"]
    kept = [record for record in records if answers.read(lines([record]), models.load(start), 0.2).held_out]
    assert 0 < len(kept) < 10
    passes = -(-(20 - len(kept)) // 4)
    measured = [step["step"] for step in steps if step["held_out"] is not None]
    assert measured == [step for step in range(1, 6 * passes + 1) if step % 3 == 0 or step % passes == 0]
    assert steps[-1]["held_out"] == pytest.approx(mean_loss(str(tmp_path / "ckpt"), kept), abs=1e-5)
    assert all(math.isfinite(step["loss"]) for step in steps)


def test_answers_that_were_cut_off_can_be_left_out_of_the_loss(start, tmp_path):
    records = solutions(4)
    records[0]["rollout"]["finish_reason"] = "length"
    (step,) = run(records, start, out=str(tmp_path / "ckpt"), mask_overlong=True)
    assert step["truncated"] == 1
    assert step["loss"] == pytest.approx(mean_loss(start, records[1:]), abs=1e-5)


def test_options_of_the_other_objective_are_refused_by_name(start):
    for name, value in {"kl": 0.1, "clip_low": 0.1, "credit": "weights", "groups_per_step": 2, "loss": "grpo"}.items():
        with pytest.raises(RccaError, match=rf"^--{name.replace('_', '-')}: .*--objective sft"):
            Options(objective="sft", **{name: value})
    for name, value in {"rows_per_step": 2, "held_out": 0.1, "held_out_every": 2}.items():
        with pytest.raises(RccaError, match=rf"^--{name.replace('_', '-')}: .*--objective rl"):
            Options(**{name: value})
    with pytest.raises(RccaError, match=r"^--objective: 'dpo' is not one of"):
        Options(objective="dpo")


def test_a_model_must_be_named(tmp_path):
    with pytest.raises(RccaError, match="--model"):
        run(solutions(), out=str(tmp_path / "ckpt"))


def test_a_checkpoint_of_another_optimizer_is_not_gone_on_from(start, tmp_path):
    run(solutions(4), start, out=str(tmp_path / "a"), optimizer="muon")
    with pytest.raises(RccaError, match="optimizer"):
        run(solutions(4), out=str(tmp_path / "b"), start=str(tmp_path / "a"))


def test_metrics_have_the_keys_of_the_objective_rl(start, tmp_path):
    from tests.train.helpers import random_records, saved_policy

    theirs = list(stage.run(lines(random_records(name=saved_policy(tmp_path / "p"))), Options(out=str(tmp_path / "r"))))
    ours = run(solutions(4), start, out=str(tmp_path / "s"))
    assert list(ours[0]) == list(theirs[0])


@pytest.mark.slow
def test_references_by_a_pipe_warm_the_embedded_policy(rcca, tmp_path):
    made = rcca("synth", "-n", "24", "--solutions", "references")
    command = (
        "train",
        "--objective",
        "sft",
        "--model",
        "embedded",
        "--out",
        "warm",
        "--epochs",
        "2",
        "--held-out",
        ".2",
    )
    ended = rcca(*command, "--lr", "2e-3", "--rows-per-step", "8", stdin=made.stdout, cwd=tmp_path)
    assert ended.code == 0, ended.stderr
    assert "answers to learn from" in ended.stderr
    known = [step["held_out"] for step in ended.records if step["held_out"] is not None]
    assert known[-1] < ended.records[0]["loss"]
    rolled = rcca("rollout", "--model", "warm", "-g", "1", stdin=rcca("synth", "-n", "1").stdout, cwd=tmp_path)
    assert rolled.records[0]["rollout"]["text"].startswith("```html")
