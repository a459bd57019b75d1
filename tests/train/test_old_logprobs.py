"""Which log-probabilities the ratio is to, and what corrects for an engine that is not the trainer (F6)."""

import math

import pytest
import torch

import rcca_cli.rollout.stage as rollout
from rcca_cli.errors import RccaError
from rcca_cli.train import batch, rival
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, random_records, record, tiny_policy


def learn(records, **options):
    trainer = Trainer(tiny_policy(), Options(**({"learning_rate": 1e-3, "max_grad_norm": 1e9} | options)))
    return trainer, trainer.learn(list(batch.groups(lines(records), "advantages")))


def rolled_out(**sampling):
    """Records as `rollout` writes them, from the tiny policy itself, with credit beside."""
    tasks = []
    for index, words in enumerate(("w3 w4", "w5 w6 w7")):
        group = f"t{index}"
        task = {"prompt": [{"role": "user", "content": words}], "rubric": [], "source": "test", "class": None}
        tasks.append({"schema": "rcca/1", "id": group, "group": group, "task": task | {"level": None}})
    options = rollout.Options(group_size=4, model="tiny", max_new_tokens=24, **sampling)
    found = list(rollout.run(lines(tasks), options, rollout.open_backend(options, tiny_policy())))
    for index, given in enumerate(found):
        numbers = [(-1.0) ** index + 0.1 * place for place in range(len(given["rollout"]["tokens"]))]
        given |= {key: record("g", 0, numbers)[key] for key in ("judge", "align")}
    return found


@pytest.mark.parametrize(
    "sampling",
    [
        {"temperature": 0.7},
        {"temperature": 1.0},
        {"temperature": 1.3},
        {"top_p": 0.9},
    ],
)
def test_f6_an_unchanged_policy_has_a_ratio_of_1_whatever_it_sampled_with(sampling):
    records = rolled_out(**sampling)
    assert all(given["rollout"]["logprobs"] for given in records)
    _, metrics = learn(records)
    assert metrics["recomputed"] == 0
    assert metrics["ratio_deviation"] <= 1e-5
    assert metrics["kl_sampler"] == pytest.approx(0, abs=1e-7)
    assert metrics["clip_frac"] == 0


def test_f6_logprobs_after_truncation_are_never_used():
    """They are of another distribution than the policy's: at top-p 0.8 the ratio would be 0.9 in the mean."""
    records = rolled_out(temperature=1.0)
    expected, _ = learn(records, old_logprobs="detach")
    for given in records:
        given["rollout"] |= {"logprobs_basis": "truncated", "logprobs": [0.0] * len(given["rollout"]["tokens"])}
    trainer, metrics = learn(records)
    assert (metrics["recomputed"], metrics["ratio_deviation"]) == (8, 0.0)
    assert torch.allclose(rival.gradients(trainer.model), rival.gradients(expected.model), atol=1e-6)


def test_f6_a_logprob_that_is_null_costs_its_rows_own_and_no_weight(capsys):
    records = random_records(model=helpers.tiny_model())
    expected, _ = learn(records)
    records[3]["rollout"]["logprobs"][1] = None
    trainer, metrics = learn(records)
    assert metrics["recomputed"] == 1
    assert torch.allclose(rival.gradients(trainer.model), rival.gradients(expected.model), atol=1e-5)
    assert capsys.readouterr().err.count("no usable log-probabilities") == 1


@pytest.mark.parametrize("how", ["recomputed", "detach"])
def test_an_engine_that_differs_is_corrected_token_by_token_up_to_2(how):
    model = helpers.tiny_model()
    ours = helpers.logprobs(model, [2, 3], [4, 5, 6])
    engine = [ours[0] - math.log(1.5), ours[1] - 3.0, ours[2] + math.log(2.0)]  # weights 1.5, 2 (not e^3), 1/2
    _, metrics = learn([record("g", 0, [1.0, 1.0, 1.0], tokens=[4, 5, 6], old=engine)], old_logprobs=how)
    assert metrics["loss"] == pytest.approx(-(1.5 + 2 + 0.5) / 3, abs=1e-5)
    assert metrics["trust"] == pytest.approx(4 / 3, abs=1e-5)
    assert metrics["ratio_deviation"] < 1e-5
    assert metrics["kl_sampler"] > 0.1


def test_recomputed_is_kept_over_the_updates_of_a_step():
    records = random_records(model=helpers.tiny_model())
    recorded, _ = learn(records, learning_rate=1e-2, epochs=3)
    recomputed, metrics = learn(records, learning_rate=1e-2, epochs=3, old_logprobs="recomputed")
    assert metrics["ratio_deviation"] > 0.01
    found, expected = (torch.cat([w.flatten() for w in one.parameters.values()]) for one in (recomputed, recorded))
    assert torch.allclose(found, expected, atol=1e-4)


def test_detach_is_refused_where_the_policy_moves_between_updates():
    with pytest.raises(RccaError, match=r"^--old-logprobs detach"):
        Options(old_logprobs="detach", epochs=2)
    with pytest.raises(RccaError, match=r"^--old-logprobs: 'none' is not one of"):
        Options(old_logprobs="none")
