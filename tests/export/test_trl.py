"""One whole step of TRL's trainer on an exported file, against `rcca train` on the same records."""

import math
import statistics
import warnings
from itertools import pairwise

import orjson
import pytest
import torch

from rcca_cli.errors import RccaError
from rcca_cli.export import reward, stage
from rcca_cli.train import batch
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.judge.records import SHOWS, answer
from tests.train import helpers
from tests.train.helpers import lines, tiny_policy

SIZE = 4  # rollouts a group
CLIP = {"clip_low": 0.2, "clip_high": 0.28}


@pytest.fixture(scope="module")
def door():
    """The adapter; skipped aloud where TRL is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("trl", reason="the extra `trl` is not installed: the door to TRL is NOT tested")
        from rcca_cli.export import trl

        return trl


def records(groups=2, **changes):
    """Groups of uneven rollouts with credit of both signs, by a policy so far off that clipping is active."""
    found = helpers.random_records(groups, SIZE, seed=5, model=helpers.tiny_model(seed=3))
    return [value | {"align": value["align"] | changes} for value in found]


def exported(given, folder, credit="advantages"):
    """The rows of the file that `rcca export --to trl` makes, as `datasets` reads them."""
    import datasets

    path = folder / "groups.jsonl"
    path.write_bytes(b"".join(stage.run(lines(given), stage.Options("trl", credit))))
    return datasets.load_dataset("json", data_files=str(path), split="train", cache_dir=str(folder))


def trainer(door, given, folder, credit="advantages", **changes):
    import trl

    settings = {
        "output_dir": str(folder),
        "epsilon": CLIP["clip_low"],
        "epsilon_high": CLIP["clip_high"],
        "per_device_train_batch_size": SIZE,
        "gradient_accumulation_steps": 2,
        "num_generations": SIZE,
        "max_steps": 1,
        "max_grad_norm": 1e9,
        "gradient_checkpointing": False,
        "logging_steps": 1,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return door.RccaGRPOTrainer(
            helpers.tiny_model(),
            args=trl.GRPOConfig(**settings | changes),
            processing_class=helpers.tiny_tokenizer(),
            train_dataset=exported(given, folder, credit),
        )


def gradients(made):
    """The gradients that one step of `made` hands to its optimizer, by the name of the weight; and its log."""
    from transformers import TrainerCallback

    found = {}

    class Watch(TrainerCallback):
        def on_pre_optimizer_step(self, *_, model, **__):
            found.update({name: weight.grad.clone() for name, weight in model.named_parameters()})

    made.add_callback(Watch())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.train()
    return found, made.state.log_history[0]


def ours(given, credit="advantages", **options):
    """The gradients of `rcca train` on the same records, and its metrics."""
    options = Options(loss=options.get("loss", "dapo"), credit=credit, max_grad_norm=1e9, groups_per_step=2, **CLIP)
    own = Trainer(tiny_policy(), options)
    metrics = own.learn(list(batch.groups(lines(given), credit)))
    return {name: weight.grad for name, weight in own.parameters.items()}, metrics


def distance(theirs, own):
    theirs = torch.cat([theirs[name].flatten() for name in own])
    own = torch.cat([gradient.flatten() for gradient in own.values()])
    return float((theirs - own).norm() / own.norm())


@pytest.mark.parametrize("loss", ["dapo", pytest.param("grpo", marks=pytest.mark.slow)])
def test_a_step_of_trl_has_the_gradient_of_rcca_train(door, tmp_path, loss):
    given = records()
    theirs, log = gradients(trainer(door, given, tmp_path, loss_type=loss))
    own, metrics = ours(given, loss=loss)
    assert metrics["clip_frac"] > 0.1
    assert log["reward"] == 0.5  # the recorded rewards, not the credit
    assert distance(theirs, own) < 1e-5


def test_a_rollout_without_a_score_has_no_part_in_trls_step(door, tmp_path):
    given = records()
    given[2]["align"] = given[2]["align"] | {"advantage": None, "advantages": None, "weights": None}
    theirs, _ = gradients(trainer(door, given, tmp_path))
    own, metrics = ours(given)
    assert metrics["unscorable"] == 1
    assert distance(theirs, own) < 1e-5


def test_weights_multiply_the_advantages_that_trl_makes_of_the_rewards(door, tmp_path):
    given = []
    for index, value in enumerate(records(mode="paper")):
        weights = [1.0 + (token % 3) for token in value["rollout"]["tokens"]]
        given.append(
            value
            | {"align": value["align"] | {"weights": weights}, "judge": value["judge"] | {"reward": float(index**2)}}
        )
    theirs, _ = gradients(trainer(door, given, tmp_path, "weights"))
    for first in (0, SIZE):
        group = given[first : first + SIZE]
        rewards = [value["judge"]["reward"] for value in group]
        for value, own in zip(group, rewards, strict=True):
            spread = statistics.stdev(rewards) + 1e-4
            value["align"]["advantage"] = (own - statistics.mean(rewards)) / spread
            value["judge"] = None
    assert distance(theirs, ours(given, "weights")[0]) < 1e-5


@pytest.mark.slow
def test_without_the_samplers_log_probabilities_the_ratio_is_to_the_policy_itself(door, tmp_path):
    given = records()
    for value in given:
        value["rollout"] = value["rollout"] | {"logprobs": [], "logprobs_basis": None}
    theirs, _ = gradients(trainer(door, given, tmp_path))
    own, metrics = ours(given)
    assert metrics["recomputed"] == 8
    assert distance(theirs, own) < 1e-5


def test_what_would_make_one_number_of_the_credit_or_sample_is_refused(door):
    import trl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        door.refuse_sequence_losses(trl.GRPOConfig(use_cpu=True, bf16=False))
        for changes in ({"importance_sampling_level": "sequence"}, {"loss_type": "luspo"}, {"use_vllm": True}):
            with pytest.raises(RccaError, match=next(iter(changes))):
                door.refuse_sequence_losses(trl.GRPOConfig(use_cpu=True, bf16=False, **changes))


def test_groups_that_do_not_fit_trls_settings_are_named(door, tmp_path):
    rows = list(exported(records(), tmp_path))
    with pytest.raises(RccaError, match=r"g5-0: 4 rollouts \(set num_generations=4\)"):
        door.member(rows[0], 0, 2)
    with pytest.raises(RccaError, match=r"g5-0/1: sampled at temperature 1\.0"):
        door.check_temperature([door.member(rows[0], 1, SIZE)], 0.7)
    with pytest.raises(RccaError, match="2 groups, and a batch takes 3"):
        door.check_count(rows, 3)
    door.check_count(rows, 2)


def test_credit_of_another_length_than_trls_completion_is_refused(door):
    members = [{"ids": "g/0", "token_advantages": [1.0, 2.0]}]
    door.check_lengths(members, torch.tensor([[1, 1, 0]]))
    door.check_lengths(members, torch.tensor([[0, 0, 0]]))  # TRL's mask_truncated_completions
    with pytest.raises(RccaError, match="g/0: credit for 2 tokens, and TRL has 3"):
        door.check_lengths(members, torch.tensor([[1, 1, 1]]))


def test_trl_still_takes_an_advantage_for_every_token(door, tmp_path):
    """A canary for what TRL does not document: `_compute_loss` with advantages (B, T), and none of it averaged."""
    made = trainer(door, records(groups=1), tmp_path, gradient_accumulation_steps=1)
    made.current_gradient_accumulation_steps = 1
    ids_BT = torch.tensor([[4, 5, 6], [7, 8, 9]])
    ones_BT = torch.ones_like(ids_BT)
    inputs = {
        "prompt_ids": torch.tensor([[2], [3]]),
        "prompt_mask": torch.ones(2, 1, dtype=torch.long),
        "completion_ids": ids_BT,
        "completion_mask": ones_BT,
        "num_items_in_batch": torch.tensor(6),
    }
    sums = []
    for one in torch.eye(6).reshape(6, 2, 3):
        made.model.zero_grad()
        made._compute_loss(made.model.train(), inputs | {"advantages": one}).backward()
        sums.append(torch.cat([weight.grad.flatten() for weight in made.model.parameters()]))
    made.model.zero_grad()
    made._compute_loss(made.model, inputs | {"advantages": torch.tensor([1.0, 1.0])}).backward()
    whole = torch.cat([weight.grad.flatten() for weight in made.model.parameters()])
    assert torch.allclose(sum(sums), whole, atol=1e-6)
    assert all(float((one - other).norm()) > 1e-3 for one, other in pairwise(sums))


def test_the_exported_line_holds_what_trl_asks_for():
    given = records(groups=1)
    line = orjson.loads(b"".join(stage.run(lines(given), stage.Options("trl"))))
    assert line["completion_ids"] == [value["rollout"]["tokens"] for value in given]
    assert line["token_advantages"] == [value["align"]["advantages"] for value in given]
    assert {key: line[key] for key in ("group", "model", "temperature")} == {
        "group": "g5-0",
        "model": "tiny",
        "temperature": 1.0,
    }


def test_trl_leaves_out_an_answer_that_our_judge_cannot_know(door, tmp_path):
    """Its reward is None for TRL, which makes it NaN and leaves it out of its means."""
    import datasets
    import trl

    judge = reward.JudgeReward(jobs=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = trl.GRPOTrainer(
            helpers.tiny_model(),
            reward_funcs=judge,
            args=trl.GRPOConfig(str(tmp_path), use_cpu=True, bf16=False, report_to="none"),
            processing_class=helpers.tiny_tokenizer(),
            train_dataset=datasets.Dataset.from_list([{"prompt": "w0", "rubric": [SHOWS]}]),
        )
        inputs = [{"prompt": "w0", "rubric": [SHOWS]}, {"prompt": "w0", "rubric": [SHOWS | {"check": None}]}]
        page = answer("<button>Add</button>")
        found = made._calculate_rewards(inputs, ["w0", "w0"], [page, page], [[4], [5]])
    judge.close()
    assert made.reward_func_names == ["rcca"]
    assert found[0].item() == 1.0
    assert math.isnan(found[1].item())
