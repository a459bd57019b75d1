"""How often the blame lands where an evaluator's plain words mean: verdicts written by hand, and where they belong.

`told/NAME.json` are verdicts on the pages beside it, of which a person has said where the fault is. Those of "tuned"
were looked at while the words were weighed; those of "held" were written by somebody who had not seen how.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from rcca_cli import records
from rcca_cli.align import places
from rcca_cli.align.case import Case
from rcca_cli.bench.align import metrics, scoring, truth
from rcca_cli.bench.align.metrics import TOPS, Score
from rcca_cli.bench.statistics import mean
from rcca_cli.judge.verdicts import verdict

SETS = ("tuned", "held")


@dataclass(frozen=True)
class Told:
    """A verdict in plain words on a page, and the texts in the page that it is about, each there once.

    The page may be one of the folder `without` a text that it has.
    """

    page: str
    requirement: str
    reason: str
    failure: str | None
    places: tuple[str, ...]
    without: str = ""

    @property
    def text(self) -> str:
        """The page."""
        whole = (resources.files(__package__) / "told" / f"{self.page}.html").read_text(encoding="utf-8")
        return whole.replace(self.without, "", 1) if self.without else whole


def verdicts(name: str) -> list[Told]:
    """The verdicts of a set."""
    text = (resources.files(__package__) / "told" / f"{name}.json").read_text(encoding="utf-8")
    return [Told(**row | {"places": tuple(row["places"])}) for row in json.loads(text)]


def case(told: Told, text: str) -> Case:
    """The verdict as `rcca align` has it from a foreign row."""
    row = verdict("item", False, failure=told.failure, diagnosis=told.reason)
    item = {"id": "item", "requirement": told.requirement, "kind": "interaction", "importance": "important"}
    record: dict[str, Any] = {
        "id": "told/0",
        "group": "told",
        "task": {"rubric": [item | {"parents": [], "check": None}]},
        "rollout": records.text_only(text),
        "judge": {"reward": 0.0, "level": "functional", "artifact": {"start": 0, "end": len(text)}, "verdicts": [row]},
    }
    answer = scoring.answered(record)
    return Case(answer, answer.rubric[0], row)


def spans(told: Told) -> list[tuple[int, int]]:
    """Where the verdict belongs. ValueError if a place is not in the page exactly once."""
    text = told.text
    for one in told.places:
        if text.count(one) != 1:
            raise ValueError(f"{told.page}: {one!r} is there {text.count(one)} times")
    return [(start, start + len(one)) for one in told.places for start in [text.index(one)]]


def scores(name: str) -> Iterator[tuple[Told, Score]]:
    """Each verdict of a set, and how well the blame meets what it is about."""
    for told in verdicts(name):
        text, edits = told.text, spans(told)
        placed = places.failed(case(told, text))
        if placed.attribution is None:
            yield told, metrics.nothing(sum(end - start for start, end in edits) / len(text))
            continue
        units = placed.attribution.units.units
        lengths = np.array([unit.end - unit.start for unit in units], dtype=float)
        held = truth.holding(units, edits)
        yield told, metrics.score(lengths, placed.attribution.mass, held, placed.attribution.confidence)


def figures(name: str) -> dict[str, Any]:
    """Means over the verdicts of a set, with the range of the first drawn over pages."""
    found = list(scores(name))
    by_page: dict[str, list[float]] = {}
    for told, score in found:
        by_page.setdefault(told.page + told.without, []).append(score.top[1])
    first = mean(by_page)
    means = {f"top{k}": float(np.mean([score.top[k] for _, score in found])) for k in TOPS}
    rest = {
        key: float(np.mean([getattr(score, key) for _, score in found]))
        for key in ("mass", "share", "hit", "confidence")
    }
    return {"n": len(found), "pages": len(by_page), **means, **rest, "range": [first.low, first.high]}
