"""The rows of `judge.verdicts` and `judge.gates`, every key in every row."""

from collections.abc import Mapping
from typing import Any

LEVELS = ("format", "source", "runtime", "functional")
NO_CHECK = "no check, and no model to judge by (docs/checks.md says how to write one)"


def verdict(rubric: str, passed: bool | None, **facts: Any) -> dict[str, Any]:
    """One row; `facts` replace the defaults of a plain pass."""
    row: dict[str, Any] = {
        "rubric": rubric,
        "passed": passed,
        "severity": 1.0,
        "failure": None,
        "confidence": 1.0,
        "diagnosis": None,
        "evidence": [],
        "error": None,
    }
    return row | facts


def unknown(rubric: str, reason: str) -> dict[str, Any]:
    """A verdict that could not be reached, and why."""
    return verdict(rubric, None, error=reason)


def not_reached(rubric: str, why: str) -> dict[str, Any]:
    """A verdict on an item whose page never ran: it fails, by a gate's failure and not by its own."""
    return verdict(rubric, False, diagnosis=f"not reached: {why}")


def gate(level: str, passed: bool | None, **facts: Any) -> dict[str, Any]:
    """One row of `judge.gates`; `progress` is how far the answer got inside a failed level, in [0, 1]."""
    row: dict[str, Any] = {"level": level, "passed": passed, "diagnosis": None, "start": None, "end": None}
    return row | {"progress": 1.0 if passed else 0.0} | facts


def count_unknown(judge: Mapping[str, Any]) -> int:
    """How many verdicts are not known, a whole unknown record counting at least once."""
    lost = sum(row["passed"] is None for row in judge["verdicts"])
    return max(lost, int(not gates_known(judge)))


def gates_known(judge: Mapping[str, Any]) -> bool:
    """Whether the level is known. A gate behind one that failed was never reached: that is known well enough."""
    return next((row["passed"] for row in judge["gates"] if not row["passed"]), True) is not None
