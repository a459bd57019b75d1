"""The losses of GRPO with an advantage of its own for every token, as pure functions of flat tensors.

A tensor `*_N` has one entry for each scored token, rows one after the other, without padding. Symbols: l,
l_old, l_samp and l_ref are log-probabilities of the sampled token under the policy that is trained, the same
policy before the step, the engine that sampled, and a fixed reference; r = exp(l - l_old); A is the token's
advantage, used as it is; sg(x) is x without its gradient. What we change from the papers: A differs from
token to token and is never normalised here, and denominators count tokens, never the sum of weights.

Sources: PPO's clipped surrogate, arXiv 1707.06347, eq. 7; dual clip, arXiv 1912.09729, eq. 3; GRPO, arXiv
2402.03300, eq. 3; asymmetric clip and the token mean, DAPO, arXiv 2503.14476, eq. 8; the constant denominator,
Dr. GRPO, arXiv 2503.20783; CISPO, arXiv 2506.13585, eq. 4; GSPO-token, arXiv 2507.18071, eq. 13; SAPO, arXiv
2511.20347, eq. 6; token-level truncated importance sampling, F. Yao et al., "Your efficient RL framework
secretly brings you off-policy RL training" (2025); k1, k2, k3, J. Schulman, "Approximating KL divergence" (2020).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

# Of a difference of log-probabilities before exp. e^20 is already far from any policy that was trained for a step; at
# e^88 float32 overflows, and one token that the sampler held for all but impossible would make the whole loss infinite.
MOST = 20.0
TRUST = 2.0  # the most that the importance correction of a token multiplies its loss by
COOL, HOT = 1.0, 1.05  # SAPO's temperatures of its gate, for A > 0 and for A <= 0


@dataclass(frozen=True)
class Clip:
    """The ratio is held between 1 - low and 1 + high; dual > 1 also holds it below `dual` where A < 0 (0: not)."""

    low: float
    high: float
    dual: float = 0.0


def ratio(logprobs_N: Tensor, old_N: Tensor) -> Tensor:
    """r = exp(l - l_old), at most e^20: there a token has no gradient."""
    return (logprobs_N - old_N).clamp(max=MOST).exp()


def surrogate(logprobs_N: Tensor, old_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """Loss per token: -min(r A, clip(r, 1 - low, 1 + high) A), with dual clip at most -dual A where A < 0.

    It is positively homogeneous in A: a weight w >= 0 may multiply A or the loss. It is not odd in A: a
    negative weight must go into A, because the side that is clipped changes with the sign.

    >>> one, two = torch.tensor([2.0]).log(), torch.tensor([0.0])
    >>> surrogate(one, two, torch.tensor([1.0]), Clip(0.2, 0.28))
    tensor([-1.2800])
    >>> surrogate(one, two, torch.tensor([-1.0]), Clip(0.2, 0.28))
    tensor([2.])
    """
    ratio_N = ratio(logprobs_N, old_N)
    clipped_N = ratio_N.clamp(1 - clip.low, 1 + clip.high)
    loss_N = -torch.minimum(ratio_N * advantages_N, clipped_N * advantages_N)
    if clip.dual:
        loss_N = torch.where(advantages_N < 0, torch.minimum(loss_N, -clip.dual * advantages_N), loss_N)
    return loss_N


def clipped(ratio_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """Where `surrogate` has a clipped branch, so that the token has no gradient (bool)."""
    above_N = (ratio_N > 1 + clip.high) & (advantages_N > 0)
    below_N = (ratio_N < 1 - clip.low) & (advantages_N < 0)
    far_N = (ratio_N > clip.dual) & (advantages_N < 0) if clip.dual else torch.zeros_like(above_N)
    return above_N | below_N | far_N


def cispo(logprobs_N: Tensor, old_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """-sg(min(r, 1 + high)) A l: the weight is capped, and no token loses its gradient. `low` has no part in it."""
    weight_N = ratio(logprobs_N, old_N).clamp(max=1 + clip.high).detach()
    return -weight_N * advantages_N * logprobs_N


def capped(ratio_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """Where `cispo` caps the weight (bool)."""
    return (ratio_N > 1 + clip.high) & (advantages_N != 0)


def sapo(logprobs_N: Tensor, old_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """-(4 / tau) sigmoid(tau (r - 1)) A: a gate in place of the clip, whose slope at r = 1 is that of r."""
    tau_N = torch.where(advantages_N > 0, COOL, HOT)
    return -torch.sigmoid(tau_N * (ratio(logprobs_N, old_N) - 1)) * 4 / tau_N * advantages_N


def reinforce(logprobs_N: Tensor, old_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """-A l: no ratio, so it believes that the policy sampled. With A = 1 it is the cross-entropy."""
    return -advantages_N * logprobs_N


def never(ratio_N: Tensor, advantages_N: Tensor, clip: Clip) -> Tensor:
    """Nothing is clipped (bool)."""
    return torch.zeros_like(advantages_N, dtype=torch.bool)


def old_of_sequences(logprobs_N: Tensor, old_N: Tensor, rows_N: Tensor) -> Tensor:
    """The l_old with which the token ratio is GSPO's: s_i = exp(mean over row i of l - l_old) for all its tokens.

    GSPO-token is sg(s_i) exp(l - sg(l)) = exp(l - (sg(l) - log s_i)): the value is the sequence's, the gradient the
    token's own, so that credit per token keeps its meaning. `rows_N` numbers the rows; every token of a row is here.

    >>> l, old, rows = torch.tensor([-1.0, -2.0, -3.0]), torch.tensor([-1.5, -2.5, -1.0]), torch.tensor([0, 0, 1])
    >>> ratio(l, old_of_sequences(l, old, rows)).log()
    tensor([ 0.5000,  0.5000, -2.0000])
    """
    drift_N = (logprobs_N - old_N).detach()
    count = int(rows_N.max()) + 1 if len(rows_N) else 0
    sums_B = torch.zeros(count, dtype=drift_N.dtype, device=drift_N.device).index_add_(0, rows_N, drift_N)
    return logprobs_N.detach() - (sums_B / torch.bincount(rows_N, minlength=count))[rows_N]


def trust(old_N: Tensor, sampler_N: Tensor) -> Tensor:
    """min(exp(l_old - l_samp), 2), without gradient: how far a token's loss is believed. 1 where l_samp is NaN.

    A ratio of one token, not of the sequence: the product over thousands of tokens is far from 1 for any two engines.
    """
    return (old_N - sampler_N).detach().clamp(max=math.log(TRUST)).exp().nan_to_num(nan=1.0)


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


@dataclass(frozen=True)
class Sizes:
    """What token losses are divided by: counts of the whole update, before any row or token is left out for lack of
    credit, and whichever process or micro-batch computes a row."""

    tokens: float  # of the batch, divided by the number of updates an epoch makes of it
    rows: float  # likewise
    own: int  # tokens of this very update
    horizon: int = 0

    @classmethod
    def of(cls, batch: Sequence[int], update: Sequence[int], updates: int = 1, horizon: int = 0) -> "Sizes":
        """From the lengths in tokens of all rows of the batch, and of those of one of its `updates` updates."""
        return cls(sum(batch) / updates, len(batch) / updates, sum(update), horizon)


def token_mean(length: int, sizes: Sizes) -> float:
    """1 / tokens of the batch"""
    return 1 / sizes.tokens


def row_mean(length: int, sizes: Sizes) -> float:
    """1 / (rows · tokens of row i)"""
    return 1 / (sizes.rows * length)


def horizon_mean(length: int, sizes: Sizes) -> float:
    """1 / (rows · `--horizon`)"""
    return 1 / (sizes.rows * sizes.horizon)


def update_mean(length: int, sizes: Sizes) -> float:
    """1 / tokens of this update"""
    return 1 / sizes.own


@dataclass(frozen=True)
class Loss:
    """One `--loss`: sum_i scale_i sum_t token_it, so that it may be added up in any parts."""

    about: str
    token: Callable[[Tensor, Tensor, Tensor, Clip], Tensor]  # (l, l_old, A, clip) -> loss of each token
    clipped: Callable[[Tensor, Tensor, Clip], Tensor]  # (r, A, clip) -> where the clip acts, for the metrics
    scale: Callable[[int, Sizes], float]  # of a row of so many tokens
    clip: Clip  # if the user asks for no other
    sequence: bool = False  # the ratio is the whole row's: no token of a row can be left out

    def clip_with(self, low: float | None, high: float | None, dual: float) -> Clip:
        """The bounds asked for; None: this loss's own."""
        return Clip(self.clip.low if low is None else low, self.clip.high if high is None else high, dual)


WIDE, NARROW = Clip(0.2, 0.28), Clip(3e-4, 4e-4)  # of DAPO and of GSPO, as in their papers
LOSSES: dict[str, Loss] = {
    "dapo": Loss("every token counts the same", surrogate, clipped, token_mean, WIDE),
    "grpo": Loss("every row counts the same", surrogate, clipped, row_mean, WIDE),
    "dr_grpo": Loss("a constant, so length has no say", surrogate, clipped, horizon_mean, WIDE),
    "bnpo": Loss("`dapo`, unless `--minibatches` makes several updates", surrogate, clipped, update_mean, WIDE),
    "cispo": Loss("−sg(min(r, 1 + high)) A l: clips the weight only", cispo, capped, token_mean, Clip(0.2, 4.0)),
    "sapo": Loss("a smooth gate in place of the clip", sapo, never, row_mean, WIDE),
    "reinforce": Loss("−A l: no ratio and no clip", reinforce, never, token_mean, WIDE),
    "gspo": Loss("the clip, with the row's mean ratio", surrogate, clipped, row_mean, NARROW, sequence=True),
}
