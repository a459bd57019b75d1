"""How good the policy is on held-out tasks, before and after, with how sure that is."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli.train.metrics import mean, pass_share


@dataclass(frozen=True)
class Estimate:
    """A mean over tasks and its standard error; None where there is nothing to take it of."""

    mean: float | None
    error: float | None
    tasks: int

    def __str__(self) -> str:
        if self.mean is None:
            return "not known"
        return f"{self.mean:.3f}" + ("" if self.error is None else f" ± {self.error:.3f}")


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value a task, and its standard error, s / sqrt(n) with s of n - 1 degrees of freedom.

    >>> estimate([0.0, 0.5, 1.0]).mean, round(estimate([0.0, 0.5, 1.0]).error, 4)
    (0.5, 0.2887)
    """
    middle = mean(values)
    if middle is None or len(values) < 2:
        return Estimate(middle, None, len(values))
    squares = math.fsum((value - middle) ** 2 for value in values)
    return Estimate(middle, math.sqrt(squares / (len(values) - 1) / len(values)), len(values))


@dataclass(frozen=True)
class Score:
    """One evaluation: by task, in the order of the tasks, what its answers came to on average."""

    passed: dict[str, float]  # mean share of the rubric that passed
    reward: dict[str, float]
    functional: dict[str, float]
    unknown: int  # answers without a verdict, left out above


def score(records: Iterable[dict[str, Any]]) -> Score:
    """Score judged records. Answers of one task are averaged first: they are not independent."""
    passed: dict[str, list[float]] = {}
    reward: dict[str, list[float]] = {}
    functional: dict[str, list[float]] = {}
    unknown = 0
    for record in records:
        share = pass_share(record)
        if share is None:
            unknown += 1
            continue
        passed.setdefault(record["group"], []).append(share)
        reward.setdefault(record["group"], []).append(record["judge"]["reward"])
        functional.setdefault(record["group"], []).append(float(record["judge"]["level"] == "functional"))
    return Score(_means(passed), _means(reward), _means(functional), unknown)


def _means(lists: dict[str, list[float]]) -> dict[str, float]:
    return {task: math.fsum(values) / len(values) for task, values in lists.items()}


def difference(before: dict[str, float], after: dict[str, float]) -> Estimate:
    """After minus before, over the tasks that both know: the tasks' own difficulty cancels."""
    return estimate([after[task] - before[task] for task in before if task in after])


def summary(before: Score, after: Score) -> dict[str, Any]:
    """Both evaluations as one JSON object."""
    parts: dict[str, Any] = {}
    for name in ("passed", "reward", "functional"):
        old, new = getattr(before, name), getattr(after, name)
        found = {"before": old.values(), "after": new.values()}
        parts[name] = {key: vars(estimate(list(values))) for key, values in found.items()}
        parts[name]["difference"] = vars(difference(old, new))
    return parts | {"unknown": {"before": before.unknown, "after": after.unknown}}
