"""Intervals that are honest for few items: Wilson's for shares, a bootstrap over tasks for means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from rcca_cli import seeds

Z = 1.959963984540054  # of 95 %
DRAWS = 2000


@dataclass(frozen=True)
class Estimate:
    """A figure, the 95 % interval around it (null where it cannot be had), and how many apps it is of."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def share(passes: int, n: int) -> Estimate:
    """Passes of n, with Wilson's score interval, which stays inside [0, 1] and is not empty at 0 of n.

    >>> found = share(0, 12)
    >>> round(found.low, 3), round(found.high, 3)
    (0.0, 0.242)
    """
    if n == 0:
        return Estimate(None, None, None, 0)
    p = passes / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    # At 0 and n of n a bound is 0 or 1 exactly, but for rounding.
    return Estimate(p, round(max(0.0, centre - half), 12), round(min(1.0, centre + half), 12), n)


def rate(values_by_task: Mapping[str, Sequence[float]]) -> Estimate:
    """The share of passes (values 1 and 0): Wilson's interval where each task has one answer, else the bootstrap.

    Answers to one task are alike, so that Wilson's, which takes each for a draw of its own, would be too narrow.
    """
    groups = [values for values in values_by_task.values() if values]
    values = [value for group in groups for value in group]
    if len(values) == len(groups):
        return share(round(sum(values)), len(values))
    if len(set(values)) > 1:
        return mean(values_by_task)
    # All alike: the bootstrap would draw the same again and again, and be sure of it.
    found = share(round(sum(values) / len(values)) * len(groups), len(groups))
    return replace(found, n=len(values))


def mean(values_by_task: Mapping[str, Sequence[float]]) -> Estimate:
    """The mean of all values, with a percentile bootstrap that draws whole tasks.

    Samples of one task are alike, so drawing single apps would make the interval too narrow. With fewer
    than two tasks there is nothing to draw from, and no interval.
    """
    groups = [values for values in values_by_task.values() if values]
    n = sum(len(values) for values in groups)
    if n == 0:
        return Estimate(None, None, None, 0)
    value = sum(sum(values) for values in groups) / n
    if len(groups) < 2:
        return Estimate(value, None, None, n)
    low, high = _bootstrap([sum(values) for values in groups], [len(values) for values in groups])
    return Estimate(value, low, high, n)


def _bootstrap(sums: list[float], counts: list[int]) -> tuple[float, float]:
    import numpy as np

    # The same data give the same interval: the generator is seeded by a constant name.
    rng = np.random.default_rng(seeds.derive("bench", "bootstrap"))
    drawn = rng.integers(len(sums), size=(DRAWS, len(sums)))  # (draw, task)
    means = np.array(sums)[drawn].sum(axis=1) / np.array(counts)[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
