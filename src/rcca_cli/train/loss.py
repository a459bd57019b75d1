"""The loss of GRPO with an advantage of its own for every token, as pure functions of flat tensors.

A tensor `*_N` has one entry for each sampled token of a micro-batch, rows one after the other, without
padding. Symbols: l, l_old and l_ref are log-probabilities of the sampled token under the policy that is
trained, the one that sampled and a fixed reference; r = exp(l - l_old); A is the token's advantage, used as
it is. What we change from the papers: A differs from token to token and is never normalised here.

Sources: PPO's clipped surrogate, arXiv 1707.06347, eq. 7; GRPO, arXiv 2402.03300, eq. 3; asymmetric clip and
the token mean, DAPO, arXiv 2503.14476, eq. 8; the constant denominator, Dr. GRPO, arXiv 2503.20783;
k1, k2, k3, J. Schulman, "Approximating KL divergence" (2020).
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

LOSSES = ("dapo", "grpo", "dr_grpo", "bnpo")
# Of a difference of log-probabilities before exp. e^20 is already far from any policy that was trained for a step; at
# e^88 float32 overflows, and one token that the sampler held for all but impossible would make the whole loss infinite.
MOST = 20.0


def ratio(logprobs_N: Tensor, old_N: Tensor) -> Tensor:
    """r = exp(l - l_old), at most e^20: there a token has no gradient."""
    return (logprobs_N - old_N).clamp(max=MOST).exp()


def surrogate(
    logprobs_N: Tensor, old_N: Tensor, advantages_N: Tensor, clip_low: float = 0.2, clip_high: float = 0.28
) -> Tensor:
    """Loss per token: -min(r A, clip(r, 1 - clip_low, 1 + clip_high) A).

    It is positively homogeneous in A: a weight w >= 0 may multiply A or the loss. It is not odd in A: a
    negative weight must go into A, because the side that is clipped changes with the sign.

    >>> one, two = torch.tensor([2.0]).log(), torch.tensor([0.0])
    >>> surrogate(one, two, torch.tensor([1.0])), surrogate(one, two, torch.tensor([-1.0]))
    (tensor([-1.2800]), tensor([2.]))
    """
    ratio_N = ratio(logprobs_N, old_N)
    clipped_N = ratio_N.clamp(1 - clip_low, 1 + clip_high)
    return -torch.minimum(ratio_N * advantages_N, clipped_N * advantages_N)


def clipped(ratio_N: Tensor, advantages_N: Tensor, clip_low: float = 0.2, clip_high: float = 0.28) -> Tensor:
    """Where the clipped branch of `surrogate` is the smaller one, so that the token has no gradient (bool)."""
    above_N = (ratio_N > 1 + clip_high) & (advantages_N > 0)
    below_N = (ratio_N < 1 - clip_low) & (advantages_N < 0)
    return above_N | below_N


def k1(logprobs_N: Tensor, reference_N: Tensor) -> Tensor:
    """l - l_ref: unbiased for KL(policy || reference), of either sign."""
    return logprobs_N - reference_N


def k2(logprobs_N: Tensor, reference_N: Tensor) -> Tensor:
    """(l - l_ref)^2 / 2: biased, never negative; its gradient is that of the KL on policy."""
    return (logprobs_N - reference_N).square() / 2


def k3(logprobs_N: Tensor, reference_N: Tensor) -> Tensor:
    """exp(d) - d - 1 with d = l_ref - l, at most 20: unbiased up to there, and never negative."""
    difference_N = (reference_N - logprobs_N).clamp(max=MOST)
    return difference_N.exp() - difference_N - 1


KL: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"k1": k1, "k2": k2, "k3": k3}


def row_scales(kind: str, lengths: Sequence[int], tokens: float, rows: float, horizon: int = 0) -> list[float]:
    """What each row's token losses are multiplied by before everything is added up.

    All four kinds are sum_i scale_i sum_t l_it over the rows i of one update; only the scale differs, so that
    the sum over micro-batches is exact. `lengths` are the counted tokens of this update's rows. `tokens` and
    `rows` are those of the whole batch divided by the number of updates an epoch makes of it.

    dapo: 1 / tokens. grpo: 1 / (rows L_i), the mean of the rows' means. dr_grpo: 1 / (rows horizon).
    bnpo: 1 / (tokens of this very update); it differs from dapo only when a batch is cut into several updates.

    >>> row_scales("grpo", [2, 8], tokens=10, rows=2)
    [0.25, 0.0625]
    >>> row_scales("dapo", [2, 8], tokens=10, rows=2)
    [0.1, 0.1]
    """
    if kind == "dapo":
        return [1 / tokens] * len(lengths)
    if kind == "grpo":
        return [1 / (rows * length) for length in lengths]
    if kind == "dr_grpo":
        return [1 / (rows * horizon)] * len(lengths)
    assert kind == "bnpo", kind
    return [1 / sum(lengths)] * len(lengths)
