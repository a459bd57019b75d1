"""Sums over gradients from which the estimator's figures are made, and which can be added up in parts and kept.

Bias is told up to a factor, for an optimizer like Adam does not see one: it is the part of the mean gradient that does
not point along ∇J. With g of batches and r of parts of the reference, independent of one another, unbiased are

    |E g|²  = (|Σ g|² − Σ |g|²) / (n (n − 1))        |∇J|² the same of r        E g · ∇J = mean g · mean r
    tr Cov g = mean |g|² − |E g|²

(the first is the mean of g_i · g_j over i ≠ j). From these come the cosine of E g and ∇J, and 1 − cosine², the share
of |E g|² that is bias. The reference has a variance of its own, which these leave out; `cosine` of a single batch with
the reference does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

import numpy as np


@dataclass
class Sums:
    """Of some gradients (parameter,): how many, their sum, the sum of their squared lengths, and their cosines."""

    count: int = 0
    total: np.ndarray = field(default_factory=lambda: np.zeros(0))
    squares: float = 0.0
    cosines: list[float] = field(default_factory=list)  # of each with the direction that it is compared with

    def add(self, found: np.ndarray, direction: np.ndarray | None = None) -> None:
        """Count one more; its cosine with a direction of length 1, 0 if it is 0 itself."""
        wide = found.astype(np.float64)
        square = float(wide @ wide)
        if direction is not None:
            self.cosines.append(float(wide @ direction) / sqrt(square) if square else 0.0)
        self.join(Sums(1, wide, square))

    def join(self, other: "Sums") -> None:
        """Count those of another part."""
        self.total = self.total + other.total if self.count else other.total
        self.squares += other.squares
        self.count += other.count
        self.cosines += other.cosines

    @property
    def mean(self) -> np.ndarray:
        """The mean gradient (parameter,)."""
        return self.total / self.count

    @property
    def direction(self) -> np.ndarray:
        """The mean at length 1; 0 if it is 0."""
        length = sqrt(float(self.total @ self.total))
        return self.total / length if length else self.total

    @property
    def length2(self) -> float:
        """|E g|², unbiased: the mean of g_i · g_j over i ≠ j. It may come out below 0."""
        return (float(self.total @ self.total) - self.squares) / (self.count * (self.count - 1))

    @property
    def variance(self) -> float:
        """tr Cov g, unbiased."""
        return self.squares / self.count - self.length2


@dataclass(frozen=True)
class Figures:
    """Of one arm; `cosine` is of a single batch with the reference, a mean over batches and its standard error.

    `cosine_of_mean`, `bias` (the share of |E g|² that is not along ∇J) and `noise` (tr Cov g / |E g|²) are as the
    module says; null where an unbiased estimate of a squared length is not above 0: too few batches.
    """

    arm: str
    batches: int
    cosine: float
    cosine_error: float
    cosine_of_mean: float | None
    bias: float | None
    noise: float | None


def figures(arm: str, sums: Sums, reference: Sums) -> Figures:
    """The figures of one arm, of its batches and of the reference."""
    own, true = sums.length2, reference.length2
    along = None
    if own > 0 and true > 0:
        along = float(sums.mean @ reference.mean) / sqrt(own * true)
    bias = None if along is None else 1 - min(along * along, 1.0)
    noise = sums.variance / own if own > 0 else None
    return Figures(arm, sums.count, *mean_and_error(sums.cosines), along, bias, noise)


@dataclass(frozen=True)
class Difference:
    """How much larger the cosine of a batch is with one arm than with another: the mean over batches, which are the
    same for both, and its standard error."""

    arm: str
    control: str
    cosine: float
    cosine_error: float


def differences(sums: dict[str, Sums]) -> list[Difference]:
    """Of each two arms, in their order, the later less the earlier."""
    found = []
    for control, arm in combinations(sums, 2):
        values = np.array(sums[arm].cosines) - np.array(sums[control].cosines)
        found.append(Difference(arm, control, *mean_and_error(values)))
    return found


def mean_and_error(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """The mean and its standard error.

    >>> mean_and_error([1.0, 2.0, 3.0])
    (2.0, 0.5773502691896258)
    """
    return float(np.mean(values)), float(np.std(values, ddof=1)) / sqrt(len(values))
