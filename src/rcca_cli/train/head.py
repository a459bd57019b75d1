"""The language-model head on scored positions only, in chunks of tokens, each chunk of logits made once.

The loss needs of a chunk of logits the log-probabilities of its sampled tokens, and these give, in closed form,
the gradient of everything before them: dL/dz = dL/dl (onehot - softmax(z)) / temperature. So a chunk of logits
is turned into its own gradient in place, added to the gradients of the hidden states and of the head's weight,
and forgotten: three matrix products instead of the four of recomputing, and never more than one chunk in memory.
"""

from collections.abc import Iterator
from typing import Any, Protocol, Self

import torch
from torch import Tensor
from torch.nn import functional as F

CHUNK = 1 << 23  # numbers in one chunk of logits: 32 MB in float32


class Objective(Protocol):
    """A loss that is a sum over scored tokens of functions of their log-probabilities."""

    def __call__(self, logprobs_C: Tensor, at: slice) -> Tensor:
        """The part of the tokens `at`, differentiable."""

    @property
    def needs_rows(self) -> bool:
        """Whether `seeing` comes first: it depends on all log-probabilities of a row."""

    def seeing(self, logprobs_N: Tensor) -> Self:
        """The same, with what it needs of all log-probabilities."""


def logprobs(hidden_NH: Tensor, head: Any, labels_N: Tensor, temperatures_N: Tensor, chunk: int = CHUNK) -> Tensor:
    """log softmax(head(hidden) / temperature) at the labels, (N,), in float32 at least, without gradient."""
    found_N = torch.empty_like(temperatures_N, dtype=precise(hidden_NH))
    with torch.no_grad():
        weight_VH, bias_V = precise_weights(head, found_N.dtype)
        for at in chunks(len(labels_N), head.weight.shape[0], chunk):
            logits_CV = F.linear(hidden_NH[at].to(found_N.dtype), weight_VH, bias_V)
            found_N[at], _ = selected(logits_CV, labels_N[at], temperatures_N[at])
    return found_N


def loss(
    hidden_NH: Tensor, head: Any, labels_N: Tensor, temperatures_N: Tensor, objective: Objective, chunk: int = CHUNK
) -> tuple[Tensor, Tensor]:
    """The objective's sum over all chunks, differentiable, and the log-probabilities (N,), which are not."""
    return Single.apply(hidden_NH, head.weight, head.bias, labels_N, temperatures_N, objective, chunk)


class Single(torch.autograd.Function):
    """The single pass: the forward computes the gradients, the backward hands them out."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden_NH: Tensor,
        weight_VH: Tensor,
        bias_V: Tensor | None,
        labels_N: Tensor,
        temperatures_N: Tensor,
        objective: Objective,
        chunk: int,
    ) -> tuple[Tensor, Tensor]:
        dtype = precise(hidden_NH)
        found_N = torch.empty(len(labels_N), dtype=dtype, device=hidden_NH.device)
        total = found_N.new_zeros(())
        wanted = ctx.needs_input_grad
        weight, bias = weight_VH.to(dtype), None if bias_V is None else bias_V.to(dtype)
        grad_hidden_NH = torch.empty_like(hidden_NH) if wanted[0] else None
        grad_weight_VH = torch.zeros_like(weight) if wanted[1] else None
        grad_bias_V = torch.zeros_like(bias) if bias is not None and wanted[2] else None
        for at in chunks(len(labels_N), len(weight), chunk):
            hidden_CH, labels_C, temperatures_C = hidden_NH[at].to(dtype), labels_N[at], temperatures_N[at]
            logits_CV = F.linear(hidden_CH, weight, bias)
            found_N[at], sums_C = selected(logits_CV, labels_C, temperatures_C)
            part, slopes_C = slope(objective, found_N[at], at)
            total += part
            toward_logits(logits_CV, sums_C, labels_C, slopes_C / temperatures_C)
            if grad_hidden_NH is not None:
                grad_hidden_NH[at] = (logits_CV @ weight).to(hidden_NH.dtype)
            if grad_weight_VH is not None:
                grad_weight_VH.addmm_(logits_CV.T, hidden_CH)
            if grad_bias_V is not None:
                grad_bias_V += logits_CV.sum(0)
            del logits_CV  # before the next chunk is made, or two would be held
        if grad_weight_VH is not None:
            grad_weight_VH = grad_weight_VH.to(weight_VH.dtype)
        ctx.gradients = [grad_hidden_NH, grad_weight_VH, grad_bias_V]
        ctx.mark_non_differentiable(found_N)
        return total, found_N

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        found = [None if gradient is None else gradient.mul_(grads[0]) for gradient in ctx.gradients]
        ctx.gradients = []
        return (*found, None, None, None, None)


def precise(hidden_NH: Tensor) -> torch.dtype:
    """float32, or float64 for a model that is in it."""
    return torch.promote_types(hidden_NH.dtype, torch.float32)


def precise_weights(head: Any, dtype: torch.dtype) -> tuple[Tensor, Tensor | None]:
    """The head's weight and bias in that precision."""
    return head.weight.to(dtype), None if head.bias is None else head.bias.to(dtype)


def chunks(count: int, vocabulary: int, chunk: int) -> Iterator[slice]:
    """Slices of `count` tokens whose logits are at most `chunk` numbers; one token at least."""
    size = max(1, chunk // vocabulary)
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def selected(logits_CV: Tensor, labels_C: Tensor, temperatures_C: Tensor) -> tuple[Tensor, Tensor]:
    """log softmax(logits / temperature) at the labels, and the sums of the exponentials that `logits_CV` now holds."""
    if bool((temperatures_C != 1).any()):
        logits_CV.div_(temperatures_C[:, None])
    logits_CV.sub_(logits_CV.amax(1, keepdim=True))
    picked_C = logits_CV.gather(1, labels_C[:, None]).squeeze(1)
    sums_C = logits_CV.exp_().sum(1)
    return picked_C - sums_C.log(), sums_C


def toward_logits(exponentials_CV: Tensor, sums_C: Tensor, labels_C: Tensor, slopes_C: Tensor) -> None:
    """Turn exponentials into the gradient of the logits, in place: slope (onehot - exponential / sum)."""
    exponentials_CV.mul_((-slopes_C / sums_C)[:, None])
    exponentials_CV.scatter_add_(1, labels_C[:, None], slopes_C[:, None])


def slope(objective: Objective, logprobs_C: Tensor, at: slice) -> tuple[Tensor, Tensor]:
    """The chunk's part of the loss, and its derivative by each log-probability."""
    with torch.enable_grad():
        logprobs_C = logprobs_C.detach().requires_grad_()
        part = objective(logprobs_C, at)
        (slopes_C,) = torch.autograd.grad(part, logprobs_C)
    return part.detach(), slopes_C
