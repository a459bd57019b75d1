"""Which code ran while an item was tried, which only at load, which never, and which few other items ran too."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.credit import Mark

MASK = {"window": 1.0, "load": 0.6, "never": 0.15}


def marks(case: Case) -> Iterator[Mark]:
    """The mask of each covered block, and for each unit that ran 1/√(1 + passing items that ran it too)."""
    found = rows(case)
    for row in found:
        if state(row) in MASK:
            yield Mark(row["start"], row["end"], "mask", MASK[state(row)], "coverage")
    if case.kind == "dead":
        yield from _unregistered(case, found)
    if not found:
        return
    ran = covered(case.answer, found, ("window", "load"))
    others = passing_windows(case)
    for index in np.flatnonzero(ran):
        unit = case.answer.units.units[index]
        yield Mark(unit.start, unit.end, "spec", float(1 / np.sqrt(1 + others[index])), "coverage")


def _unregistered(case: Case, found: list[dict[str, Any]]) -> Iterator[Mark]:
    """Under a dead action the full mask for what should have run: code of the element that registers, or never ran."""
    units, names = case.answer.units, case.element_names
    if not names:
        return
    mentions = re.compile("|".join(rf"(?<![\w$-]){re.escape(name)}(?![\w$-])" for name in sorted(names)))
    never = covered(case.answer, found, ("never",))
    for unit, code, idle in zip(units.units, case.answer.codes, never, strict=True):
        if (unit.kind == "handler" or idle) and mentions.search(code):
            yield Mark(unit.start, unit.end, "mask", MASK["window"], "coverage")


def rows(case: Case) -> list[dict[str, Any]]:
    """The evidence of coverage; the window of an item that only looks is the load."""
    found = case.evidence("coverage")
    if case.item["kind"] == "initial":
        return [row | {"detail": "window"} if state(row) == "load" else row for row in found]
    return found


def state(row: dict[str, str]) -> str:
    """window, load or never."""
    return row["detail"].split()[0] if row["detail"].split() else ""


def covered(answer: Answer, rows: list[dict], states: tuple[str, ...]) -> np.ndarray:
    """Which units (unit,) are in one of some states, the innermost block deciding."""
    found = np.zeros(len(answer.units.units), dtype=bool)
    for row in sorted(rows, key=lambda row: row["start"] - row["end"]):
        begun = answer.units.begun(row["start"], row["end"])
        found[begun.start : begun.stop] = state(row) in states
    return found


def passing_windows(case: Case) -> np.ndarray:
    """How many other items that passed ran each unit in their window (unit,)."""
    counts = np.zeros(len(case.answer.units.units))
    for name, verdict in case.answer.verdicts.items():
        if verdict["passed"] and name != case.item["id"]:
            rows = [row for row in verdict["evidence"] if row["kind"] == "coverage"]
            counts += covered(case.answer, rows, ("window",))
    return counts
