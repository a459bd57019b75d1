"""Laws of credit and loss that no one place computes, against code as plain as the formulas.

The decomposition of GRPO's advantage into those of rubric items, and what weights do to the size of a gradient: the
design page's reference on trainers, 6.2 and 6.3. Letters: i answers of G, k items, t tokens; w weights of items, s
passed (1) or not (0), a_ik = w_k (s_ik - mean_g s_k) / sigma, alpha rows of mean 1 over an answer's tokens.
"""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.credit.advantages import item_advantages
from rcca_cli.train import batch, rival
from rcca_cli.train.loop import Trainer
from rcca_cli.train.loss import LOSSES
from rcca_cli.train.options import Options
from tests.credit.test_laws import broken, held, spot
from tests.train import helpers
from tests.train.helpers import lines, random_records


@st.composite
def judged(draw):
    """Weights (K,) that sum to 1, what passed (G, K), and rows of mean 1 for answers of 7 tokens (G, K, 7)."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    size, items = draw(st.integers(2, 6)), draw(st.integers(1, 5))
    weights = random.dirichlet(np.ones(items))
    passed = random.integers(0, 2, (size, items)).astype(float)
    alpha = random.random((size, items, 7)) ** draw(st.sampled_from([0, 1, 30])) + 1e-9
    return weights, passed, alpha / alpha.mean(2, keepdims=True)


def of_items(weights, passed):
    """a_ik, and GRPO's own advantage of the rewards sum_k w_k s_ik."""
    rewards = passed @ weights
    sigma = rewards.std(ddof=1) + 1e-4
    return weights * (passed - passed.mean(0)) / sigma, (rewards - rewards.mean()) / sigma


@settings(deadline=None)
@given(judged())
def test_the_advantages_of_the_items_add_up_to_that_of_the_answer(given):
    """sum_k a_ik = A_i; spread by rows of mean 1, each answer's mean stays A_i; flat rows are uniform GRPO."""
    weights, passed, alpha = given
    items, whole = of_items(weights, passed)
    assert items.sum(1) == pytest.approx(whole, abs=1e-9)
    tokens = np.einsum("gk,gkt->gt", items, alpha)
    assert tokens.mean(1) == pytest.approx(whole, abs=1e-9)
    assert np.einsum("gk,gkt->gt", items, np.ones_like(alpha)) == pytest.approx(np.tile(whole[:, None], 7), abs=1e-9)


@settings(deadline=None)
@given(judged())
def test_the_baseline_of_the_others_is_that_of_the_group_but_for_a_factor(given):
    """v_i - mean of the others = G / (G - 1) (v_i - mean of all): what `align` does differs by that, and by sigma."""
    weights, passed, _ = given
    size, place = len(passed), spot(0, 1, 1.0)
    names = [str(item) for item in range(len(weights))]
    members = [
        {
            name: held(place, weight) if s else broken(place, weight)
            for name, weight, s in zip(names, weights, row, strict=True)
        }
        for row in passed
    ]
    found = np.array([[row[name] for name in names] for row in item_advantages(members)])
    assert found == pytest.approx(size / (size - 1) * (passed - passed.mean(0)), abs=1e-9)


def mixed(weights_T, share, cap=np.inf):
    """(1 - share) + share w, w scaled to mean 1, cut at the cap."""
    return np.minimum((1 - share) + share * weights_T / weights_T.mean(), cap)


@settings(deadline=None)
@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=40), st.floats(0, 1), st.floats(0.1, 10))
def test_weights_of_mean_one_keep_the_mean_whatever_their_scale(weights, share, factor):
    weights_T = np.array(weights)
    found = mixed(weights_T, share)
    assert found.mean() == pytest.approx(1)
    assert found == pytest.approx(mixed(factor * weights_T, share))
    assert mixed(weights_T, 0.0) == pytest.approx(np.ones(len(weights)))


@pytest.mark.parametrize("fraction", [0.5, 0.2, 0.1])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_kappa_of_hard_credit_on_a_fraction_of_the_tokens(fraction, share):
    """kappa^2 = mean w^2 = 1 + share^2 (1 / fraction - 1)."""
    weights_T = np.zeros(1000)
    weights_T[: int(1000 * fraction)] = 1
    assert (mixed(weights_T, share) ** 2).mean() == pytest.approx(1 + share**2 * (1 / fraction - 1))


def test_the_gradient_of_weighted_credit_grows_by_kappa_as_its_tokens_are_uncorrelated():
    """kappa = 2.24 at a fifth of the tokens; gradients of a random model's tokens hardly agree: within a quarter."""
    plain = random_records(groups=8, size=4, seed=3, uneven=False)
    sizes = {}
    for kind in ("uniform", "fifth"):
        for number, one in enumerate(plain):
            sign, count = (-1.0) ** number, len(one["align"]["advantages"])
            weights = np.ones(count) if kind == "uniform" else mixed(np.eye(count)[number % count], 1.0)
            one["align"]["advantages"] = (sign * weights).tolist()
        sizes[kind] = float(gradient(plain, "dapo").norm())
    assert sizes["fifth"] / sizes["uniform"] == pytest.approx(np.sqrt(8), rel=0.25)  # a token of eight: kappa^2 = 8


def gradient(records, loss, **options):
    """The whole gradient of one update in float64."""
    trainer = Trainer(helpers.tiny_policy(), Options(loss=loss, learning_rate=1e-9, max_grad_norm=1e9, **options))
    trainer.model.double()
    trainer.learn(list(batch.groups(lines(records), "advantages")))
    return rival.gradients(trainer.model)


def logprobs(model, one):
    """(T,) with a gradient, in the model's precision, by a whole forward of its own."""
    prompt, tokens = one["rollout"]["prompt_ids"], one["rollout"]["tokens"]
    logits = model(torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1] / 0.7
    return logits.log_softmax(-1)[range(len(tokens)), tokens]


def naive(name, now, old, A, T):
    """The loss of one row of T tokens as the papers write it: its mean, or its sum over the tokens."""
    r = (now - old).exp()
    if name == "gspo":
        r = (now - old).mean().exp().detach() * (now - now.detach()).exp()
    low, high = LOSSES[name].clip.low, LOSSES[name].clip.high
    if name == "cispo":
        return (-r.clamp(max=1 + high).detach() * A * now).sum()
    if name == "sapo":
        tau = torch.where(A > 0, 1.0, 1.05)
        return (-(4 / tau) * torch.sigmoid(tau * (r - 1)) * A).sum() / T
    token = -torch.minimum(r * A, r.clamp(1 - low, 1 + high) * A)
    token = torch.where(A < 0, torch.minimum(token, -3 * A), token)
    return token.sum() / (T if name in ("grpo", "gspo") else 1)


NAMES = ("dapo", "grpo", "dr_grpo", "bnpo", "cispo", "sapo", "gspo")


@pytest.mark.parametrize(("name", "old"), itertools.product(NAMES, ["recorded", "detach"]))
def test_each_loss_is_the_formula_row_by_row(name, old):
    """Dense code: whole logits, no chunks, packs or sparsity. Credit of both signs and of zero, a sampler off the
    policy on both sides of the clip, temperature 0.7, dual clip 3, a KL of weight 0.3, an answer that is cut off."""
    records = random_records(groups=3, size=3, seed=1)
    sampler, model, reference = (helpers.tiny_model(seed).double() for seed in (1, 0, 2))
    for number, one in enumerate(records):
        with torch.no_grad():
            near = 0.9 * logprobs(model, one) + 0.1 * logprobs(sampler, one)
        one["rollout"] |= {"logprobs": near.tolist(), "logprobs_basis": "temperature", "sampling": {"temperature": 0.7}}
        one["align"]["advantages"] = [a if (number + t) % 3 else 0.0 for t, a in enumerate(one["align"]["advantages"])]
    records[4]["rollout"]["finish_reason"] = "length"
    options = {"mask_overlong": True, "dual_clip": 3.0, "kl": 0.3, "old_logprobs": old, "horizon": 20}
    policy = helpers.tiny_policy()
    trainer = Trainer(
        policy,
        Options(loss=name, learning_rate=1e-9, max_grad_norm=1e9, micro_tokens=30, **options),
        helpers.tiny_policy(2),
    )
    trainer.model.double()
    trainer.reference.model.double()
    told = trainer.learn(list(batch.groups(lines(records), "advantages")))

    used = [one for one in records if one["rollout"]["finish_reason"] != "length"]
    count = sum(len(one["rollout"]["tokens"]) for one in used)
    divisor = {"grpo": len(used), "sapo": len(used), "gspo": len(used), "dr_grpo": 20 * len(used)}.get(name, count)
    total = torch.zeros((), dtype=torch.float64)
    for one in used:
        now, recorded = logprobs(model, one), torch.tensor(one["rollout"]["logprobs"], dtype=torch.float64)
        A, T = torch.tensor(one["align"]["advantages"], dtype=torch.float64), len(one["rollout"]["tokens"])
        before = recorded if old == "recorded" else now.detach()
        trust = torch.ones_like(now) if old == "recorded" else (now.detach() - recorded).exp().clamp(max=2)
        d = logprobs(reference, one).detach() - now
        kl = (0.3 * (d.exp() - d - 1)).sum() / (T if name in ("grpo", "sapo", "gspo") else 1)
        total = total + (naive(name, now, before, A * trust, T) + kl) / divisor
    total.backward()
    expected = rival.gradients(model)
    assert told["loss"] == pytest.approx(float(total.detach()), rel=1e-5, abs=1e-7)  # numbers of a record are float32
    assert float((rival.gradients(trainer.model) - expected).norm() / expected.norm()) < 2e-6
