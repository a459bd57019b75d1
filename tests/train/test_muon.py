"""The optimizer muon: orthogonal steps for matrices, AdamW for the rest."""

import pytest
import torch

from rcca_cli.train.muon import MOMENTUM, REST, Muon, orthogonal, parted
from tests.train.helpers import tiny_model


def test_an_orthogonal_step_has_singular_values_near_one():
    torch.manual_seed(0)
    for shape in ((6, 16), (16, 6), (1, 5)):
        values = torch.linalg.svdvals(orthogonal(torch.randn(*shape)))
        assert values.min() > 0.5
        assert values.max() < 1.3


def test_the_matrices_between_the_layers_are_apart_from_embeddings_and_norms():
    model = tiny_model()
    matrices, rest = parted(model, list(model.parameters()))
    assert len(matrices) == 2 * 7
    assert {weight.shape for weight in rest} == {model.lm_head.weight.shape, model.model.norm.weight.shape}


def test_a_matrix_moves_by_its_rate_whatever_the_gradients_size_and_the_rest_by_adam():
    torch.manual_seed(0)
    gradient = torch.randn(8, 4)
    moved = []
    for size in (1e-3, 1e3):
        matrix, norm = torch.nn.Parameter(torch.zeros(8, 4)), torch.nn.Parameter(torch.zeros(3))
        optimizer = Muon([matrix], [norm], lr=0.1, betas=(0.9, 0.95))
        matrix.grad, norm.grad = size * gradient, torch.full((3,), size)
        optimizer.step()
        assert norm.detach() == pytest.approx(-0.1 * REST, rel=1e-4)  # AdamW's first step is its rate
        moved.append(matrix.detach())
    # Both momentum and gradient point the same way in the first step; 8 x 4 scales by sqrt(8 / 4).
    assert torch.allclose(moved[0], -0.1 * 2**0.5 * orthogonal(gradient), atol=1e-4)
    assert torch.allclose(moved[0], moved[1], atol=1e-4)


def test_momentum_is_a_mean_that_looks_ahead():
    matrix = torch.nn.Parameter(torch.zeros(2, 2))
    optimizer = Muon([matrix], [torch.nn.Parameter(torch.zeros(1))], lr=0.0)
    first, second = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    for gradient in (first, second):
        matrix.grad = gradient
        optimizer.step()
    expected = (1 - MOMENTUM) * (MOMENTUM * first + second)
    assert torch.allclose(optimizer.state[matrix]["momentum"], expected)


def test_a_rate_set_on_the_groups_is_the_rate_of_both_parts():
    matrix, norm = torch.nn.Parameter(torch.eye(2)), torch.nn.Parameter(torch.ones(1))
    optimizer = Muon([matrix], [norm], lr=0.1)
    assert [group["lr"] for group in optimizer.param_groups] == [0.1, pytest.approx(0.1 * REST)]
    for group in optimizer.param_groups:
        group["lr"] = 0.0
    matrix.grad, norm.grad = torch.ones(2, 2), torch.ones(1)
    optimizer.step()
    assert torch.equal(matrix.detach(), torch.eye(2))
    assert norm.item() == 1
    optimizer.zero_grad()
    assert norm.grad is None
