import math
from dataclasses import replace

import pytest
import torch

from rcca_cli.errors import RccaError
from rcca_cli.train import batch
from rcca_cli.train.loop import Trainer
from rcca_cli.train.metrics import Tally
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, random_records, record, tiny_policy


def read(records, credit="advantages"):
    return list(batch.groups(lines(records), credit))


def learn(records, policy=None, reference=None, **options):
    """The trainer after one step on these records, and the step's metrics."""
    trainer = Trainer(policy or tiny_policy(), Options(**options), reference)
    return trainer, trainer.learn(read(records))


def weights(trainer):
    return {name: weight.detach().clone() for name, weight in trainer.parameters.items()}


def gradients(trainer):
    return {name: weight.grad.clone() for name, weight in trainer.parameters.items() if weight.grad is not None}


def assert_close(found, expected, tolerance):
    for name, value in expected.items():
        assert torch.allclose(found[name], value, atol=tolerance, rtol=0), name


def test_the_loss_on_policy_is_minus_the_token_mean_of_the_advantages():
    records = random_records(model=helpers.tiny_model())
    numbers = [number for given in records for number in given["align"]["advantages"]]
    _, metrics = learn(records, learning_rate=1e-3)
    assert metrics["loss"] == pytest.approx(-sum(numbers) / len(numbers), abs=1e-6)
    assert metrics["tokens"] == len(numbers)
    assert metrics["ratio_deviation"] < 1e-5
    assert metrics["kl_sampler"] == pytest.approx(0, abs=1e-9)


def test_the_loss_off_policy_by_hand():
    model = helpers.tiny_model()
    now = helpers.logprobs(model, [2, 3], [4, 5])
    old = [now[0] - math.log(2), now[1] - math.log(0.5)]  # ratios 2 and 1/2
    given = record("g", 0, [1.0, -1.0], tokens=[4, 5], old=old)
    _, metrics = learn([given], learning_rate=1e-3)
    assert metrics["loss"] == pytest.approx((-1.28 + 0.8) / 2, abs=1e-5)
    assert metrics["clip_frac"] == 1.0
    assert metrics["ratio_deviation"] == pytest.approx(1.0, abs=1e-5)
    # r - 1 - log r for both, over two tokens
    assert metrics["kl_sampler"] == pytest.approx((1 - math.log(2) - 0.5 + math.log(2)) / 2, abs=1e-5)


@pytest.mark.parametrize("loss", ["dapo", "grpo", "dr_grpo", "bnpo"])
def test_micro_batches_change_nothing(loss):
    records = random_records(model=helpers.tiny_model(seed=1))
    options = {"loss": loss, "horizon": 20, "kl": 0.1, "learning_rate": 1e-3}
    whole, expected = learn(records, reference=tiny_policy(2), micro_tokens=100000, **options)
    parts, found = learn(records, reference=tiny_policy(2), micro_tokens=20, **options)
    assert found["loss"] == pytest.approx(expected["loss"], abs=1e-6)
    assert_close(gradients(parts), gradients(whole), 1e-6)


@pytest.mark.parametrize("loss", ["dapo", "grpo", "dr_grpo", "bnpo"])
def test_tokens_without_credit_are_not_computed_and_still_count(loss):
    records = random_records(model=helpers.tiny_model(seed=1))
    for index, given in enumerate(records):
        numbers = given["align"]["advantages"]
        numbers[2 if index % 3 else 0 :] = [0.0] * (len(numbers) - (2 if index % 3 else 0))
    options = {"loss": loss, "horizon": 20, "learning_rate": 1e-3}
    sparse, found = learn(records, **options)
    dense, expected = learn(records, reference=tiny_policy(), kl=0.0, **options)  # a reference needs every token
    assert found["loss"] == pytest.approx(expected["loss"], abs=1e-6)
    assert_close(gradients(sparse), gradients(dense), 1e-6)


def test_the_kl_is_not_multiplied_by_credit():
    silent = [record("g", 0, [0.0, 0.0], old=[-1.0, -1.0], tokens=[4, 5])]
    ours = helpers.logprobs(helpers.tiny_model(0), [2, 3], [4, 5])
    theirs = helpers.logprobs(helpers.tiny_model(1), [2, 3], [4, 5])
    differences = [b - a for a, b in zip(ours, theirs, strict=True)]
    by_hand = sum(math.exp(d) - d - 1 for d in differences) / 2
    _, metrics = learn(silent, reference=tiny_policy(1), kl=0.5, learning_rate=1e-3)
    assert metrics["loss"] == pytest.approx(0.5 * by_hand, abs=1e-5)
    assert metrics["kl_reference"] == pytest.approx(by_hand, abs=1e-5)


def test_a_gradient_is_what_finite_differences_say():
    policy = tiny_policy()
    policy_rows = [record("g", 0, [1.0, -0.5, 0.25], old=helpers.logprobs(helpers.tiny_model(1), [2, 3], [4, 5, 6]))]
    rows = [replace(row, scale=1 / 3) for group in read(policy_rows) for row in group.rows]
    trainer, tally = Trainer(policy, Options()), Tally()
    trainer.loss(rows, tally).backward()
    weight = policy.model.model.layers[0].mlp.down_proj.weight

    def loss(shift):
        with torch.no_grad():
            weight[0, 0] += shift
            value = trainer.loss(rows, tally).item()
            weight[0, 0] -= shift
        return value

    assert (loss(1e-2) - loss(-1e-2)) / 2e-2 == pytest.approx(weight.grad[0, 0].item(), rel=1e-2)


def test_a_group_without_contrast_makes_no_update_and_is_counted():
    trainer = Trainer(tiny_policy(), Options(learning_rate=1e-2))
    trainer.learn(read(random_records(model=helpers.tiny_model())))  # so that the optimizer has momentum
    before = weights(trainer)
    metrics = trainer.learn(read([record(f"z{index}", 0, [0.0, 0.0]) for index in range(2)]))
    assert (metrics["frac_zero"], metrics["updates"], metrics["loss"], metrics["grad_norm"]) == (1.0, 0, 0.0, 0.0)
    assert_close(weights(trainer), before, 0)


def test_null_rows_are_left_out_and_counted():
    records = random_records(model=helpers.tiny_model())
    _, expected = learn(records, learning_rate=1e-3)
    null = [record(records[0]["group"], 9, None), *records]
    null[0]["judge"]["reward"] = None
    _, found = learn(null, learning_rate=1e-3)
    assert found == expected | {"unscorable": 1}


def test_answers_that_were_cut_off_count_unless_masked():
    records = random_records(model=helpers.tiny_model())
    for given in records[::2]:
        given["rollout"]["finish_reason"] = "length"
    _, counted = learn(records, learning_rate=1e-3)
    _, masked = learn(records, learning_rate=1e-3, mask_overlong=True)
    _, others = learn(records[1::2], learning_rate=1e-3)
    assert counted["truncated"] == masked["truncated"] == 8
    assert counted["loss"] != masked["loss"]
    assert masked["loss"] == pytest.approx(others["loss"])
    assert masked["grad_norm"] == pytest.approx(others["grad_norm"])


def test_everything_masked_is_finite_and_changes_nothing():
    trainer, metrics = learn([record("g", 0, [1.0], finish_reason="length")], mask_overlong=True)
    assert metrics["updates"] == 0
    assert_close(weights(trainer), dict(tiny_policy().model.named_parameters()), 0)


def test_more_epochs_go_on_until_the_ratio_is_clipped():
    records = random_records(model=helpers.tiny_model())
    _, once = learn(records, learning_rate=1e-2)
    _, often = learn(records, learning_rate=1e-2, epochs=6, minibatches=2)
    assert (once["updates"], often["updates"]) == (1, 12)
    assert once["clip_frac"] == 0
    assert often["clip_frac"] > 0.1
    assert often["kl_old"] > often["kl_sampler"]


def test_an_epoch_of_minibatches_uses_every_row_once():
    trainer = Trainer(tiny_policy(), Options(minibatches=3))
    rows = [row for group in read(random_records()) for row in group.rows]
    parts = list(trainer.minibatches(rows, epoch=0))
    assert [len(part) for part in parts] == [5, 5, 6]
    assert sorted(row.id for part in parts for row in part) == sorted(row.id for row in rows)
    assert parts != list(trainer.minibatches(rows, epoch=1))


def test_missing_logprobs_are_made_from_the_policy_before_the_step_with_one_note(capsys):
    known = random_records(model=helpers.tiny_model())
    unknown = random_records()
    expected, _ = learn(known, learning_rate=1e-2, epochs=3)
    found = Trainer(tiny_policy(), Options(learning_rate=1e-2, epochs=3))
    metrics = [found.learn(read(unknown)), found.learn(read(random_records(seed=1)))]
    assert [step["recomputed"] for step in metrics] == [16, 16]
    assert capsys.readouterr().err.count("\n") == 1
    assert_close(weights(learn(unknown, learning_rate=1e-2, epochs=3)[0]), weights(expected), 1e-5)


def broken(index=0):
    """Groups whose log-probabilities are not finite: their temperature is 0 in float32."""
    (group,) = read([record("b", index, [-1.0, -1.0])])
    return [replace(group, rows=[replace(row, temperature=1e-60) for row in group.rows])]


def test_an_update_that_is_not_finite_is_skipped_and_counted(capsys):
    policy = tiny_policy()
    metrics = Trainer(policy, Options()).learn([*broken(), *read([record("g", 0, [1.0])])])
    assert (metrics["skipped"], metrics["updates"], metrics["loss"]) == (1, 0, None)
    assert all(value is None or math.isfinite(value) for value in metrics.values() if not isinstance(value, str))
    assert_close(dict(policy.model.named_parameters()), dict(tiny_policy().model.named_parameters()), 0)
    assert "update skipped" in capsys.readouterr().err


def test_three_updates_in_a_row_that_are_not_finite_end_the_call():
    trainer = Trainer(tiny_policy(), Options(learning_rate=1e-3))
    for given in (broken(), broken(), read(random_records()), broken(), broken()):
        trainer.learn(given)
    with pytest.raises(RccaError, match=r"^step 6: loss nan.* the 3rd update in a row"):
        trainer.learn(broken())
    assert all(torch.isfinite(weight).all() for weight in trainer.parameters.values())


def test_weights_that_are_not_finite_are_never_handed_on():
    trainer = Trainer(tiny_policy(), Options(learning_rate=1e37))
    with pytest.raises(RccaError, match=r"^step 1: weights are not finite"):
        trainer.learn(read(random_records()))


def test_one_token_that_the_sampler_thought_impossible_does_not_end_the_step():
    for advantage in (1.0, -1.0):
        given = record("g", 0, [advantage, 1.0], tokens=[4, 5], old=[-500.0, -1.0])
        trainer, metrics = learn([given], reference=tiny_policy(1), kl=0.1, learning_rate=1e-3)
        assert all(math.isfinite(metrics[name]) for name in ("loss", "grad_norm", "ratio_deviation", "kl_sampler"))
        assert all(torch.isfinite(weight).all() for weight in trainer.parameters.values())


@pytest.mark.parametrize("changes", [{"tokens": [99]}, {"prompt": [2, 99]}])
def test_a_token_of_another_vocabulary_is_named(changes):
    with pytest.raises(RccaError, match=r"^g/0: token 99 where tiny has 40"):
        learn([record("g", 0, [1.0], **changes)])


def test_the_rate_rises_then_falls_by_the_step_alone():
    options = Options(learning_rate=1.0, warmup=2, total_steps=4)
    trainer = Trainer(tiny_policy(), replace(options, learning_rate=0.1))
    rates = [trainer.learn(read(random_records(seed=step)))["lr"] for step in range(5)]
    assert rates == pytest.approx([0.05, 0.075, 0.05, 0.025, 0.0])


def test_the_credit_warms_up_from_uniform():
    trainer = Trainer(tiny_policy(), Options(credit_warmup=2, learning_rate=1e-3))
    shares = [trainer.learn(read(random_records(seed=step)))["credit_share"] for step in range(4)]
    assert shares == [0.0, 0.5, 1.0, 1.0]


def test_credit_on_one_span_teaches_that_span():
    """Two decisions a row, each right half of the time; the credit says which. Both are learned, to near 1."""
    policy = tiny_policy()
    trainer = Trainer(policy, Options(learning_rate=2e-2))
    sample = torch.Generator().manual_seed(0)
    for _ in range(40):
        rows = []
        for index in range(8):
            tokens = []
            for _decision in range(2):
                with torch.no_grad():
                    logits = policy.model(torch.tensor([[2, 3, *tokens]])).logits[0, -1]
                choice = int(torch.multinomial(logits[4:8].softmax(0), 1, generator=sample)) + 4
                tokens.append(choice)
            advantages = [1.0 if tokens[0] == 6 else -0.3, 1.0 if tokens[1] == 7 else -0.3]
            rows.append(record("g", index, advantages, tokens=tokens))
        trainer.learn(read(rows))
    first, second = helpers.logprobs(policy.model, [2, 3], [6, 7])
    assert math.exp(first) > 0.9
    assert math.exp(second) > 0.9
