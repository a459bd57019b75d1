"""Held-out pass over processor seconds instead of samples: what arms come to when each has as many of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rcca_cli.bench.credit import statistics
from rcca_cli.bench.credit.statistics import Curve

Record = dict[str, Any]


def spent(evals: Sequence[Record], steps: Sequence[Record], browser: bool = True) -> list[float] | None:
    """The processor seconds of all steps before each evaluation, with the `browser`'s or not; None without stamps.

    Evaluations cost nothing here: they are ours, not the method's.

    >>> steps = [{"step": 1, "stamp": {"judge": 1.0, "train": 2.0}}, {"step": 2, "stamp": {"train": 4.0}}]
    >>> spent([{"step": 0}, {"step": 2}], steps), spent([{"step": 0}], [{"step": 1}])
    ([0.0, 7.0], None)
    """
    if not steps or any("stamp" not in step for step in steps):
        return None
    counted = [[value for part, value in step["stamp"].items() if browser or part != "browser"] for step in steps]
    seconds = {step["step"]: sum(values) for step, values in zip(steps, counted, strict=True)}
    return [float(sum(value for step, value in seconds.items() if step <= one["step"])) for one in evals]


def tell_browser(steps: Sequence[Record]) -> bool:
    """Whether all stamps there are have the browser's seconds, which early ones have not."""
    return all("browser" in step["stamp"] for step in steps if "stamp" in step)


def until(curve: Curve, end: float) -> list[tuple[float, float]]:
    """The curve up to `end`, which is not behind its last point, with a straight line between its points.

    >>> until([(0, 0.4), (10, 0.6), (20, 0.7)], 15)
    [(0, 0.4), (10, 0.6), (15, 0.65)]
    """
    x, y = np.array(curve, dtype=float).T
    return [*((at, height) for at, height in curve if at < end), (end, round(float(np.interp(end, x, y)), 12))]


def equal(curves: Sequence[Curve]) -> list[Record]:
    """Of curves over seconds, one an arm: each up to where the shortest ends, its area and its pass there.

    >>> equal([[(0, 0.4), (10, 0.6)], [(0, 0.4), (20, 0.8)]])[1]
    {'seconds': 10.0, 'auc': 0.5, 'passed': 0.6}
    """
    end = float(min((curve[-1][0] for curve in curves), default=0.0))
    cut = [until(curve, end) for curve in curves]
    return [{"seconds": end, "auc": statistics.area(curve), "passed": curve[-1][1]} for curve in cut]
