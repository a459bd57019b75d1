import doctest
import math

import pytest
import torch

from rcca_cli.train import loss, metrics

LOG = math.log


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(loss).failed == 0
    assert doctest.testmod(metrics).failed == 0


def test_the_surrogate_clips_the_side_that_the_advantage_names():
    # ratios 0.5, 1, 2 with A = 1: min(r, clip(r, 0.8, 1.28)) = 0.5, 1, 1.28; with A = -1: max = 0.8, 1, 2.
    logprobs = torch.tensor([LOG(0.5), 0.0, LOG(2)])
    up = loss.surrogate(logprobs, torch.zeros(3), torch.ones(3))
    down = loss.surrogate(logprobs, torch.zeros(3), -torch.ones(3))
    assert up.tolist() == pytest.approx([-0.5, -1, -1.28])
    assert down.tolist() == pytest.approx([0.8, 1, 2])


def test_a_clipped_token_has_no_gradient_and_is_counted():
    logprobs = torch.tensor([LOG(0.5), LOG(0.5), LOG(2), LOG(2)], requires_grad=True)
    advantages = torch.tensor([1.0, -1.0, 1.0, -1.0])
    loss.surrogate(logprobs, torch.zeros(4), advantages).sum().backward()
    assert logprobs.grad.tolist() == pytest.approx([-0.5, 0, 0, 2])
    assert loss.clipped(logprobs.detach().exp(), advantages).tolist() == [False, True, True, False]


def test_a_weight_may_multiply_the_advantage_or_the_loss_but_a_sign_may_not():
    generator = torch.Generator().manual_seed(0)
    logprobs, old, advantages = torch.randn(3, 100, generator=generator)
    weights = torch.rand(100, generator=generator)
    inside = loss.surrogate(logprobs, old, advantages * weights)
    assert torch.allclose(inside, loss.surrogate(logprobs, old, advantages) * weights)
    assert not torch.allclose(loss.surrogate(logprobs, old, -advantages), -loss.surrogate(logprobs, old, advantages))


def test_the_three_estimates_of_the_kl_by_hand():
    # policy 1/2, reference 1/4: log ratio log 2; k3 = 1/2 - log(1/2) - 1.
    ours, reference = torch.tensor([LOG(0.5)]), torch.tensor([LOG(0.25)])
    assert loss.k1(ours, reference).item() == pytest.approx(LOG(2))
    assert loss.k2(ours, reference).item() == pytest.approx(LOG(2) ** 2 / 2)
    assert loss.k3(ours, reference).item() == pytest.approx(0.5 + LOG(2) - 1)


def test_nothing_overflows_however_far_the_policies_are_apart():
    logprobs = torch.zeros(2, requires_grad=True)
    far, signs = torch.tensor([-120.0, 120.0]), torch.tensor([-1.0, 1.0])
    for term in (loss.surrogate(logprobs, far, signs), loss.k3(logprobs, far), loss.k3(logprobs, -far)):
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
    ],
)
def test_what_each_loss_divides_by(kind, scales):
    assert loss.row_scales(kind, [2, 8], tokens=12, rows=2, horizon=100) == pytest.approx(scales)
