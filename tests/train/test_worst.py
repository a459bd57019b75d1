"""The worst batches, and what changes nothing: finite numbers everywhere, the same update however it is cut."""

import math
import random
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.train import batch, objective, pack, rival
from rcca_cli.train.head import slope
from rcca_cli.train.logprobs import Scorer
from rcca_cli.train.loop import Trainer
from rcca_cli.train.loss import LOSSES
from rcca_cli.train.options import Options
from tests.train import helpers
from tests.train.helpers import lines, random_records, record, tiny_policy

TRUNCATED = {"finish_reason": "length"}
WORST = {
    "all truncated": [record("g", index, [1.0, -1.0], **TRUNCATED) for index in range(3)],
    "one row": [record("g", 0, [1.0, -0.5])],
    "one token": [record("g", 0, [1.0])],
    "all null": [record("g", index, None) for index in range(3)],
    "all equal": [record("g", index, [0.0, 0.0]) for index in range(3)],
    "all equal and not 0": [record("g", index, [0.7, 0.7]) for index in range(3)],
    "one logprob not known": [record("g", 0, [1.0, -1.0], old=[None, -1.0]), record("g", 1, [-1.0, 1.0])],
    "an impossible token": [record("g", 0, [1.0, -1.0], old=[-500.0, -1.0]), record("g", 1, [-1.0], old=[-1e6])],
    "enormous credit": [record("g", 0, [1e6, -1e6], old=[-30.0, -1.0])],
}


def groups(records):
    return list(batch.groups(lines(records), "advantages"))


def trained(records, reference=False, **options):
    options = {"learning_rate": 1e-3, "max_grad_norm": 1e9, "horizon": 20} | options
    kl = 0.1 if reference else 0.0
    trainer = Trainer(tiny_policy(), Options(kl=kl, **options), tiny_policy(1) if reference else None)
    return trainer, trainer.learn(groups(records))


def gradient(records, reference=False, **options):
    """In float64, where what is exact differs by 1e-15; in float32 the same sums in another order differ by 1e-6."""
    options = {"learning_rate": 1e-3, "max_grad_norm": 1e9, "horizon": 20} | options
    kl = 0.1 if reference else 0.0
    trainer = Trainer(tiny_policy(), Options(kl=kl, **options), tiny_policy(1) if reference else None)
    trainer.model.double()
    if reference:
        trainer.reference.model.double()
    trainer.learn(groups(records))
    return rival.gradients(trainer.model)


def distance(found, expected):
    return float((found - expected).norm() / expected.norm())


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("name", WORST)
def test_the_worst_batches_give_finite_numbers_and_weights(name, loss):
    for masked, reference in ((False, False), (True, True)):
        trainer, metrics = trained(WORST[name], reference, loss=loss, mask_overlong=masked)
        assert all(math.isfinite(value) for value in metrics.values() if isinstance(value, int | float)), metrics
        assert metrics["skipped"] == 0
        assert all(torch.isfinite(weight).all() for weight in trainer.parameters.values())


def test_f1_a_null_row_poisons_nothing_and_is_counted():
    records = random_records(model=helpers.tiny_model())
    _, told = trained(records)
    _, metrics = trained([*records, record(records[-1]["group"], 9, None)])
    assert metrics == told | {"unscorable": 1}
    assert told["unscorable"] == 0


def test_f2_a_group_of_one_makes_no_nan():
    _, metrics = trained([record("g", 0, [0.0, 0.0, 0.0])])  # what `align` makes of it
    assert (metrics["loss"], metrics["frac_zero"], metrics["updates"]) == (0.0, 1.0, 0)


def test_f3_groups_without_contrast_are_reported_and_credit_of_items_revives_them():
    """Equal totals, different items: the sequence has no advantage, its tokens have."""
    silent = [record("a", index, [0.0, 0.0]) for index in range(2)]
    mixed = [record("b", 0, [1.0, -1.0], tokens=[4, 5]), record("b", 1, [-1.0, 1.0], tokens=[6, 7])]
    _, metrics = trained(silent + mixed)
    assert (metrics["frac_zero"], metrics["frac_zero_tokens"], metrics["updates"]) == (0.5, 0.5, 1)
    assert metrics["grad_norm"] > 0.01


@pytest.mark.parametrize("loss", LOSSES)
def test_f5_masked_tokens_are_in_neither_numerator_nor_denominator(loss):
    records = random_records(model=helpers.tiny_model(seed=1))
    for one in records[::2]:
        one["rollout"]["finish_reason"] = "length"
    masked = gradient(records, loss=loss, mask_overlong=True)
    assert distance(masked, gradient(records[1::2], loss=loss)) < 1e-12


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("reference", [False, True])
def test_neither_packing_nor_order_nor_chunks_change_the_update(loss, reference):
    records = random_records(model=helpers.tiny_model(seed=1))
    expected = gradient(records, reference, loss=loss)
    assert distance(gradient(records, reference, loss=loss, micro_tokens=10**6), expected) < 1e-12
    assert distance(gradient(records, reference, loss=loss, micro_tokens=25), expected) < 1e-12
    turned = [one for start in range(12, -1, -4) for one in reversed(records[start : start + 4])]
    assert distance(gradient(turned, reference, loss=loss), expected) < 1e-12


@pytest.mark.parametrize("loss", LOSSES)
def test_leaving_out_what_has_no_credit_changes_no_gradient(loss):
    rng = random.Random(0)
    records = random_records(model=helpers.tiny_model(seed=1))
    for one in records:
        keep = rng.random()
        numbers = one["align"]["advantages"]
        one["align"]["advantages"] = [number if rng.random() < keep / 2 else 0.0 for number in numbers]
    options = {"loss": loss, "learning_rate": 1e-3, "max_grad_norm": 1e9, "horizon": 20}
    dense = Trainer(tiny_policy(), Options(**options))
    dense.model.double()
    dense.needed = lambda rows: rows
    dense.learn(groups(records))
    assert distance(gradient(records, loss=loss), rival.gradients(dense.model)) < 1e-12


def test_with_a_kl_every_token_is_computed():
    trainer = Trainer(tiny_policy(), Options(kl=0.1), tiny_policy(1))
    rows = [row for group in groups([record("g", 0, [1.0, 0.0, 0.0])]) for row in group.rows]
    assert trainer.needed(rows) == rows


def phi():
    """A model of two layers that stays in float64."""
    from transformers import PhiConfig, PhiForCausalLM

    torch.manual_seed(0)
    size = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    return PhiForCausalLM(PhiConfig(vocab_size=40, bos_token_id=0, eos_token_id=1, pad_token_id=0, **size)).eval()


# What a loss holds still (sg) differences would not: the closed forms of the others are in test_loss.
@pytest.mark.parametrize("loss", [name for name in LOSSES if not (LOSSES[name].sequence or name == "cispo")])
def test_a_gradient_is_what_finite_differences_say_in_float64(loss):
    """Four weights of a model of two layers, credit of both signs, l_old off the policy, a KL, two rows in a pack."""
    model = phi().double()  # Llama's norm goes through float32
    records = random_records(groups=1, size=2, model=helpers.tiny_model(1))
    rows = [row for group in groups(records) for row in group.rows]
    options, scorer, micro = Options(loss=loss, kl=0.1, horizon=20), Scorer(model, chunk=100), pack.tensors(rows)
    rows = [replace(row, scale=0.1) for row in rows]
    asked = replace(
        objective.PolicyGradient.of(rows, options), reference_N=Scorer(helpers.tiny_model(2)).logprobs(micro)
    )
    scorer.loss(micro, asked)[0].backward()
    layers = model.model.layers
    weights = [layers[0].self_attn.q_proj, layers[0].mlp.fc1, layers[1].self_attn.v_proj, model.lm_head]
    for weight in (layer.weight for layer in weights):
        found = weight.grad[1, 2].item()
        ends = []
        for shift in (1e-6, -2e-6):
            with torch.no_grad():
                weight[1, 2] += shift
            ends.append(scorer.loss(micro, asked)[0].item())
        with torch.no_grad():
            weight[1, 2] += 1e-6
        assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(found, rel=1e-5, abs=1e-9)


numbers = st.floats(-5, 5, width=32)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(sorted(LOSSES)), st.lists(st.tuples(numbers, numbers, numbers), min_size=1), st.floats(0.1, 9))
def test_twice_the_credit_is_twice_the_slope_and_none_is_none(name, tokens, factor):
    logprobs, old, advantages = (torch.tensor(column) for column in zip(*tokens, strict=True))
    loss = LOSSES[name]

    def slopes(credit):
        return slope(lambda now, at: loss.token(now, old, credit, loss.clip).sum(), logprobs, slice(None))[1]

    assert torch.allclose(slopes(factor * advantages), factor * slopes(advantages), rtol=1e-4, atol=1e-4)
    assert not slopes(0 * advantages).any()
