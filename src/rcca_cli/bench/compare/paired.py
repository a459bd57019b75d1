"""Two runs on the tasks that both answered, and how alike several orders are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rcca_cli import seeds
from rcca_cli.bench.compare.runs import Run
from rcca_cli.bench.statistics import Estimate, mean

DRAWS = 9_999  # of signs; fewer are all tried


@dataclass(frozen=True)
class Pair:
    """`a` against `b` by one metric, task by task: the mean of a − b with a 95 % interval (bootstrap over tasks).

    `p` is of the two-sided sign-flip test: all signs where there are at most 9,999 ways, else drawn. `wins` are
    tasks in which a is better. `spearman` and `kendall`: whether what is hard for one is hard for the other; null
    where one of them has the same value everywhere.
    """

    a: str
    b: str
    metric: str
    tasks: int
    difference: Estimate
    p: float | None
    wins: int
    losses: int
    ties: int
    spearman: float | None
    kendall: float | None


@dataclass(frozen=True)
class Orders:
    """How alike two metrics rank the runs: 1 the same, −1 reversed; `footrule` from 0, the same, to 1."""

    first: str
    second: str
    spearman: float | None
    kendall: float | None
    footrule: float


def pairs(runs: Sequence[Run], metrics: Sequence[str]) -> list[Pair]:
    """Each two runs by each metric."""
    return [pair(a, b, metric) for a, b in combinations(runs, 2) for metric in metrics]


def pair(a: Run, b: Run, metric: str) -> Pair:
    """One comparison, of the tasks for which both are known."""
    ours, theirs = a.means(metric), b.means(metric)
    both = sorted(ours.keys() & theirs.keys())
    left, right = [ours[task] for task in both], [theirs[task] for task in both]
    found = [x - y for x, y in zip(left, right, strict=True)]
    wins, losses = sum(one > 0 for one in found), sum(one < 0 for one in found)
    estimate = mean({task: [one] for task, one in zip(both, found, strict=True)})
    ties = len(both) - wins - losses
    return Pair(a.name, b.name, metric, len(both), estimate, flips(found), wins, losses, ties, *alike(left, right))


def flips(differences: Sequence[float]) -> float | None:
    """How often the mean is as far from 0 if the sign of each difference is a coin's.

    >>> flips([0.5, 0.5, 0.5, 0.5]), flips([0.0, 0.0]), flips([])
    (0.125, 1.0, None)
    """
    if not differences:
        return None
    import numpy as np
    from scipy.stats import permutation_test

    found = np.array([one for one in differences if one])  # a tie is the same with either sign
    if not len(found):
        return 1.0
    if len(found) == 1:
        return 1.0
    rng = np.random.default_rng(seeds.derive("bench", "flips"))
    test = permutation_test((found,), np.mean, permutation_type="samples", n_resamples=DRAWS, vectorized=True, rng=rng)
    return float(test.pvalue)


def alike(left: Sequence[float], right: Sequence[float]) -> tuple[float | None, float | None]:
    """Spearman's and Kendall's coefficient; null where there is nothing to rank.

    >>> alike([1, 2, 3], [10, 20, 30]), alike([1, 2, 3], [1, 1, 1])
    ((1.0, 1.0), (None, None))
    """
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None, None
    from scipy.stats import kendalltau, spearmanr

    return round(float(spearmanr(left, right).statistic), 12), round(float(kendalltau(left, right).statistic), 12)


def orders(scores: Mapping[str, Sequence[float]]) -> list[Orders]:
    """Each two metrics; `scores[metric]` has one value a run. Nothing of two runs, which are in order or not."""
    found = []
    for first, second in combinations(scores, 2):
        left, right = scores[first], scores[second]
        if len(left) > 2:
            found.append(Orders(first, second, *alike(left, right), footrule(left, right)))
    return found


def footrule(left: Sequence[float], right: Sequence[float]) -> float:
    """Spearman's footrule: the sum of the distances in rank, over the largest that is possible.

    >>> footrule([3, 2, 1], [3, 2, 1]), footrule([3, 2, 1], [1, 2, 3])
    (0.0, 1.0)
    """
    from scipy.stats import rankdata

    n = len(left)
    return float(abs(rankdata(left) - rankdata(right)).sum()) / (n * n // 2)
