"""Optimizer `muon`: momentum whose step is made orthogonal, for the matrices inside a model; AdamW for the rest.

Source: K. Jordan, "Muon: an optimizer for hidden layers in neural networks" (2024). What we change: float32 throughout
(torch's own casts to bfloat16, which most CPUs have no arithmetic for), and one rate for both parts.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

MOMENTUM = 0.95
REST = 0.2  # the rate of AdamW, in shares of the matrices'


class Muon(torch.optim.Optimizer):
    """One optimizer with two groups of weights, `matrices` and `rest`; their states live under the weights, as ever.

    `lr` is the matrices': each step changes all their singular values by about as much, whatever the gradient's size.
    """

    def __init__(self, matrices: Sequence[Tensor], rest: Sequence[Tensor], lr: float, **adam: Any) -> None:
        self.adam = torch.optim.AdamW(rest, lr=lr * REST, **adam)
        self.adam.param_groups[0]["share"] = REST
        super().__init__(matrices, {"lr": lr, "weight_decay": self.adam.defaults["weight_decay"]})
        self.param_groups += self.adam.param_groups  # the very dictionaries: a rate that is set here is set there
        self.adam.state = self.state

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Move the matrices by their orthogonalised momentum and the rest by AdamW."""
        self.adam.step()
        group = self.param_groups[0]
        for matrix in group["params"]:
            if matrix.grad is None:
                continue
            momentum = self.state[matrix].setdefault("momentum", torch.zeros_like(matrix))
            momentum.lerp_(matrix.grad, 1 - MOMENTUM)
            update = orthogonal(matrix.grad.lerp(momentum, MOMENTUM))
            matrix.mul_(1 - group["lr"] * group["weight_decay"])
            matrix.add_(update, alpha=-group["lr"] * max(1, matrix.shape[0] / matrix.shape[1]) ** 0.5)


def orthogonal(matrix: Tensor) -> Tensor:
    """About U V^T of the matrix's singular value decomposition, by five Newton-Schulz iterations.

    Its singular values lie between about 0.7 and 1.2, for these coefficients trade exactness for few iterations.
    """
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.T
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x if wide else x.T


def parted(model: Any, weights: Sequence[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    """Those of a language model's weights that are matrices between its layers, and the rest (embeddings, norms)."""
    ends = [model.get_input_embeddings(), model.get_output_embeddings()]
    outer = {id(end.weight) for end in ends if end is not None}
    matrices = [weight for weight in weights if weight.ndim == 2 and id(weight) not in outer]
    inner = set(map(id, matrices))
    return matrices, [weight for weight in weights if id(weight) not in inner]
