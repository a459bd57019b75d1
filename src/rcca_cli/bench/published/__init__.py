"""What others have published: leaderboards as facts with source and date, to be shown beside our own figures.

A file a benchmark. Each row says where it is from and what became of missing runs there; nothing is measured by us.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

BENCHMARKS = ("miniappbench", "artifactsbench")


@dataclass(frozen=True)
class Row:
    """A published figure. `score` is in the leaderboard's `unit`; `missing` says what became of runs without one.

    `levels` and `classes` hold scores in the same unit, `tokens` and `seconds` means of an answer. Null: not published.
    """

    model: str
    score: float
    source: str  # a key of Leaderboard.sources
    n: int | None
    missing: str | None
    levels: dict[str, float | None] | None
    classes: dict[str, float | None] | None
    tokens: int | None
    seconds: int | None
    note: str | None


@dataclass(frozen=True)
class Leaderboard:
    """All rows of one benchmark, best first as their sources have them, and what a reader has to know of them."""

    benchmark: str
    metric: str
    unit: str
    judge: str
    tasks: str
    sources: dict[str, dict[str, str | None]]  # key -> title, date
    notes: tuple[str, ...]
    rows: tuple[Row, ...]

    def date(self, row: Row) -> str:
        """When the row was published, as far as that is known."""
        return self.sources[row.source]["date"] or "–"


@cache
def leaderboard(name: str) -> Leaderboard:
    """The published figures of `name`, one of BENCHMARKS."""
    told: dict[str, Any] = json.loads(resources.files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    rows = tuple(Row(**row) for row in told.pop("rows"))
    return Leaderboard(**(told | {"notes": tuple(told["notes"])}), rows=rows)


COLUMNS = ("model", "score", "source", "date", "missing runs", "note")


def beside(
    name: str, model: str, score: float | None, what: str, missing: str = "counted as failures"
) -> list[list[str]]:
    """The leaderboard as rows of cells under COLUMNS, with ours among them, by score.

    `what` says what ours is; it has no score where there is none. `missing` is what became of what has none in it.
    """
    board = leaderboard(name)
    found = [
        (row.score, [row.model, f"{row.score:.2f}", row.source, board.date(row), row.missing or "–", row.note or ""])
        for row in board.rows
    ]
    own = ["» " + model, "–" if score is None else f"{score:.2f}", "this report", "–", missing, what]
    found.append((-1.0 if score is None else score, own))
    return [cells for _, cells in sorted(found, key=lambda pair: -pair[0])]


def told(name: str) -> list[str]:
    """What a reader of the leaderboard has to know: metric, judge, tasks, sources, and what not to compare."""
    board = leaderboard(name)
    sources = "; ".join(f"{key}: {one['title']}, {one['date'] or 'no date'}" for key, one in board.sources.items())
    return [
        f"{board.benchmark}: {board.metric}, in {board.unit}. Tasks: {board.tasks}. Judge: {board.judge}.",
        f"Sources: {sources}.",
        *board.notes,
    ]
