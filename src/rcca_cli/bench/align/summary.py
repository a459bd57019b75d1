"""The figures: what each variant reaches for each kind of failure, averaged within a mutant first."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rcca_cli.bench.align import metrics
from rcca_cli.bench.align.metrics import TOPS, Score
from rcca_cli.bench.align.scoring import Row
from rcca_cli.bench.statistics import Estimate, mean

TYPES = ("exception", "dead", "silent", "visual", "absent")
LARGE = 120  # units of an app that counts
PRACTICE = ("fused", "siblings", "quote70")  # as in use: alone, in a group, beside a judge model


@dataclass(frozen=True)
class Figures:
    """Of some rows of one variant. `n` is of mutants; `ranges` are 95 % intervals, drawn over mutants."""

    n: int
    top1: float | None
    top3: float | None
    top5: float | None
    mass: float | None
    chance: float | None  # the mass that code by its length alone would get
    lift: float | None  # mass over chance
    iou: float | None
    ece: float | None
    brier: float | None
    unmatched: float | None  # quotes an item that match nothing
    ranges: dict[str, tuple[float | None, float | None]]

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def figures(rows: Iterable[Row]) -> Figures:
    """The figures of rows of one variant."""
    by_mutant: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_mutant[row.one.record["id"]].append(row)

    def over(value: Callable[[Score], float]) -> Estimate:
        return mean({name: [within(own, value)] for name, own in by_mutant.items()})

    found = {f"top{k}": over(top(k)) for k in TOPS}
    found |= {"mass": over(lambda score: score.mass)}
    chance = over(lambda score: score.share).value
    mass = found["mass"].value
    confidence, hit, weight, kinds = promised(by_mutant)
    return Figures(
        len(by_mutant),
        found["top1"].value,
        found["top3"].value,
        found["top5"].value,
        mass,
        chance,
        mass / chance if mass is not None and chance else None,
        over(lambda score: score.iou).value,
        metrics.calibration_error(confidence, hit, weight),
        metrics.brier_skill(confidence, hit, weight, kinds),
        over(lambda score: score.unmatched).value,
        {name: (one.low, one.high) for name, one in found.items()},
    )


def top(k: int) -> Callable[[Score], float]:
    """What reads top k off a score."""
    return lambda score: score.top[k]


def within(rows: Sequence[Row], value: Callable[[Score], float]) -> float:
    """The mean over a mutant's items."""
    each = [
        sum(value(score) * score.weight for score in row.scores) / sum(score.weight for score in row.scores)
        for row in rows
    ]
    return sum(each) / len(each)


def promised(by_mutant: dict[str, list[Row]]) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """(confidence, hit, weight, kind of failure) of each score; a mutant weighs 1."""
    found = [
        (score.confidence, score.hit, score.weight / len(own), row.failure)
        for own in by_mutant.values()
        for row in own
        for score in row.scores
    ]
    confidence, hit, weight = (np.array([one[column] for one in found], dtype=float) for column in range(3))
    return confidence, hit, weight, [one[3] for one in found]


def by_type(rows: Sequence[Row], key: Callable[[Row], str] = lambda row: row.failure) -> dict[str, dict[str, Any]]:
    """The figures by kind of failure, and of all."""
    found = {kind: figures([row for row in rows if key(row) == kind]).plain() for kind in TYPES}
    return found | {"all": figures(rows).plain()}


def calibration(rows: Sequence[Row]) -> dict[str, Any]:
    """How good c is over all the ways in which it is used, by kind of failure and of all."""
    found = by_type([row for row in rows if row.variant in PRACTICE])
    return {kind: {name: one[name] for name in ("ece", "brier", "n")} for kind, one in found.items()}


def by_variant(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """The figures of each variant, by kind of failure."""
    names = list(dict.fromkeys(row.variant for row in rows))
    return {name: by_type([row for row in rows if row.variant == name]) for name in names}


def report(rows: Sequence[Row], units: dict[str, int]) -> dict[str, Any]:
    """All figures of a benchmark; `units` is how many each app has. Only large apps count but for "small"."""
    large = [row for row in rows if units[row.one.mutant.app.name] >= LARGE]
    tiny = [row for row in rows if units[row.one.mutant.app.name] < LARGE]

    def of(name: str, among: Sequence[Row] = large) -> list[Row]:
        return [row for row in among if row.variant == name]

    return {
        "summary": by_type(of("fused")),
        "quote70": by_type(of("quote70")),
        "variants": by_variant(large),
        "calibration": calibration(large),
        "single": by_type([row for row in of("fused") if row.one.single]),
        "multi": by_type([row for row in of("fused") if not row.one.single]),
        "written": by_type([row for row in of("fused") if not row.one.mutant.deleted]),
        "left_out": by_type([row for row in of("fused") if row.one.mutant.deleted]),
        "expected": by_type(of("fused"), lambda row: row.one.mutant.expected),
        "languages": {
            language: by_type([row for row in of("fused") if row.language == language])
            for language in ("script", "style", "markup")
        },
        "suites": {
            suite: by_type([row for row in of("fused", rows) if row.one.mutant.app.suite == suite])
            for suite in dict.fromkeys(row.one.mutant.app.suite for row in rows)
        },
        "small": {name: by_type(of(name, tiny)) for name in ("uniform", "fused", "quote70")},
        "operators": {
            name: figures([row for row in of("fused") if row.one.mutant.operator == name]).plain()
            for name in sorted({row.one.mutant.operator for row in large})
        },
    }
