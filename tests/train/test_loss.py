import doctest
import math

import pytest
import torch

from rcca_cli.train import loss, metrics

LOG = math.log
WIDE = loss.Clip(0.2, 0.28)


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(loss).failed == 0
    assert doctest.testmod(metrics).failed == 0


def test_the_surrogate_clips_the_side_that_the_advantage_names():
    # ratios 0.5, 1, 2 with A = 1: min(r, clip(r, 0.8, 1.28)) = 0.5, 1, 1.28; with A = -1: max = 0.8, 1, 2.
    logprobs = torch.tensor([LOG(0.5), 0.0, LOG(2)])
    up = loss.surrogate(logprobs, torch.zeros(3), torch.ones(3), WIDE)
    down = loss.surrogate(logprobs, torch.zeros(3), -torch.ones(3), WIDE)
    assert up.tolist() == pytest.approx([-0.5, -1, -1.28])
    assert down.tolist() == pytest.approx([0.8, 1, 2])


def test_a_clipped_token_has_no_gradient_and_is_counted():
    logprobs = torch.tensor([LOG(0.5), LOG(0.5), LOG(2), LOG(2)], requires_grad=True)
    advantages = torch.tensor([1.0, -1.0, 1.0, -1.0])
    loss.surrogate(logprobs, torch.zeros(4), advantages, WIDE).sum().backward()
    assert logprobs.grad.tolist() == pytest.approx([-0.5, 0, 0, 2])
    assert loss.clipped(logprobs.detach().exp(), advantages, WIDE).tolist() == [False, True, True, False]


@pytest.mark.parametrize("name", loss.LOSSES)
def test_a_weight_may_multiply_the_advantage_or_the_loss_but_a_sign_may_not(name):
    """Positive homogeneity, with dual clip, too: credit as weights is credit as advantages. A negative one is not."""
    token = loss.LOSSES[name].token
    generator = torch.Generator().manual_seed(0)
    logprobs, old, advantages = torch.randn(3, 100, generator=generator)
    weights = torch.rand(100, generator=generator)
    for clip in (WIDE, loss.Clip(0.2, 0.28, dual=3.0)):
        inside = token(logprobs, old, advantages * weights, clip)
        assert torch.allclose(inside, token(logprobs, old, advantages, clip) * weights, atol=1e-6)
        if name not in ("cispo", "reinforce"):  # which are linear in A
            assert not torch.allclose(token(logprobs, old, -advantages, clip), -token(logprobs, old, advantages, clip))


def test_dual_clip_bounds_the_loss_where_the_advantage_is_negative():
    logprobs, advantages = torch.tensor([LOG(9.0), LOG(9.0), 0.0]), torch.tensor([-2.0, 1.0, -1.0])
    logprobs.requires_grad_()
    clip = loss.Clip(0.2, 0.28, dual=3.0)
    found = loss.surrogate(logprobs, torch.zeros(3), advantages, clip)
    assert found.tolist() == pytest.approx([6.0, -1.28, 1.0])  # at most 3 · 2; the clip; r = 1
    (gradient,) = torch.autograd.grad(found.sum(), logprobs)
    assert gradient.tolist() == pytest.approx([0.0, 0.0, 1.0])
    assert loss.clipped(logprobs.detach().exp(), advantages, clip).tolist() == [True, True, False]


def test_cispo_caps_the_weight_and_keeps_the_gradient():
    logprobs = torch.tensor([LOG(9.0), LOG(2.0)], requires_grad=True)
    found = loss.cispo(logprobs, torch.zeros(2), torch.tensor([1.0, -1.0]), loss.Clip(0.2, 4.0))
    (gradient,) = torch.autograd.grad(found.sum(), logprobs)
    assert gradient.tolist() == pytest.approx([-5.0, 2.0])  # min(9, 1 + 4) and 2, times -A


def test_sapo_is_the_plain_policy_gradient_on_policy_and_fades_away_from_it():
    logprobs = torch.tensor([0.0, 0.0, LOG(4.0)], requires_grad=True)
    found = loss.sapo(logprobs, torch.zeros(3), torch.tensor([1.0, -1.0, 1.0]), WIDE)
    (gradient,) = torch.autograd.grad(found.sum(), logprobs)
    gate = 1 / (1 + math.exp(-3))
    assert gradient.tolist() == pytest.approx([-1.0, 1.0, -4 * gate * (1 - gate) * 4])


def test_the_ratio_of_gspo_is_the_rows_and_its_gradient_the_tokens_own():
    logprobs = torch.tensor([-1.0, -2.0, -3.0], requires_grad=True)
    old = loss.old_of_sequences(logprobs, torch.tensor([-1.5, -2.3, -3.0]), torch.tensor([0, 0, 1]))
    ratio = loss.ratio(logprobs, old)
    assert ratio.tolist() == pytest.approx([math.exp(0.4), math.exp(0.4), 1.0])
    (gradient,) = torch.autograd.grad(ratio[1], logprobs)
    assert gradient.tolist() == pytest.approx([0.0, math.exp(0.4), 0.0])


def test_the_importance_correction_is_capped_and_1_where_nothing_is_known():
    sampler = torch.tensor([-1.0 - LOG(1.5), -9.0, 0.0, math.nan])
    assert loss.trust(torch.full((4,), -1.0), sampler).tolist() == pytest.approx([1.5, 2.0, math.exp(-1), 1.0])


def test_the_three_estimates_of_the_kl_by_hand():
    # policy 1/2, reference 1/4: log ratio log 2; k3 = 1/2 - log(1/2) - 1.
    ours, reference = torch.tensor([LOG(0.5)]), torch.tensor([LOG(0.25)])
    assert loss.k1(ours, reference).item() == pytest.approx(LOG(2))
    assert loss.k2(ours, reference).item() == pytest.approx(LOG(2) ** 2 / 2)
    assert loss.k3(ours, reference).item() == pytest.approx(0.5 + LOG(2) - 1)


def test_nothing_overflows_however_far_the_policies_are_apart():
    logprobs = torch.zeros(2, requires_grad=True)
    far, signs = torch.tensor([-120.0, 120.0]), torch.tensor([-1.0, 1.0])
    terms = [one.token(logprobs, far, signs, one.clip) for one in loss.LOSSES.values()]
    for term in (*terms, loss.k3(logprobs, far), loss.k3(logprobs, -far)):
        (gradient,) = torch.autograd.grad(term.sum(), logprobs)
        assert torch.isfinite(term).all()
        assert torch.isfinite(gradient).all()


def test_k1_and_k3_are_unbiased():
    policy, reference = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.2, 0.3, 0.5])
    exact = (policy * (policy / reference).log()).sum().item()
    for estimate in (loss.k1, loss.k3):
        assert (policy * estimate(policy.log(), reference.log())).sum().item() == pytest.approx(exact)


@pytest.mark.parametrize(
    ("kind", "scales"),
    [
        ("dapo", [1 / 12, 1 / 12]),  # 24 tokens in the batch, two updates of it
        ("grpo", [1 / (2 * 2), 1 / (2 * 8)]),
        ("dr_grpo", [1 / (2 * 100)] * 2),
        ("bnpo", [1 / 10, 1 / 10]),
        ("cispo", [1 / 12, 1 / 12]),
        ("sapo", [1 / (2 * 2), 1 / (2 * 8)]),
        ("gspo", [1 / (2 * 2), 1 / (2 * 8)]),
    ],
)
def test_what_each_loss_divides_by(kind, scales):
    """Rows of 2, 8, 6 and 8 tokens in two updates: the first has those of 2 and 8."""
    sizes = loss.Sizes.of([2, 8, 6, 8], [2, 8], updates=2, horizon=100)
    assert [loss.LOSSES[kind].scale(length, sizes) for length in (2, 8)] == pytest.approx(scales)
