"""One page judged several times, each with another chance: what is not always so is not known."""

from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli import console
from rcca_cli.judge import verdicts
from rcca_cli.judge.trial import Findings

FLAKY = "flaky: "  # how the reason of such a row begins


def together(findings: Sequence[Findings]) -> Findings:
    """The findings as one: a row that came out the same every time as at first, any other as not known."""
    gate = _gate([one.gate for one in findings])
    rows = [_verdict(rows) for rows in zip(*(one.verdicts for one in findings), strict=True)]
    return Findings(gate, rows, frozenset().union(*(one.missing for one in findings)))


def report(name: str, judge: Mapping[str, Any]) -> int:
    """Say which verdicts and gates of the record `name` are flaky, one a line; how many verdicts that are."""
    for row in judge["gates"]:
        if (row.get("diagnosis") or "").startswith(FLAKY):
            console.note(f"{name}: {row['level']}: {row['diagnosis']}")
    flaky = [row for row in judge["verdicts"] if (row["error"] or "").startswith(FLAKY)]
    for row in flaky:
        console.note(f"{name}: {row['rubric']}: {row['error']}")
    return len(flaky)


def _verdict(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first, words = rows[0], _difference(rows)
    if not words:
        return next((row for row in rows if row["passed"] is None), first)
    failed = next(row for row in rows if row["passed"] is False)
    seen = {key: failed[key] for key in ("diagnosis", "evidence")}
    return verdicts.verdict(first["rubric"], None, error=words, **seen)


def _gate(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    words = _difference(rows)
    if not words:
        return next((row for row in rows if row["passed"] is None), rows[0])
    failed = next(row for row in rows if row["passed"] is False)
    said = f"{words} ({failed['diagnosis']})"
    return verdicts.gate(failed["level"], None, diagnosis=said, start=failed["start"], end=failed["end"])


def _difference(rows: Sequence[dict[str, Any]]) -> str:
    """How often it passed, in words, if it both passed and failed; else nothing."""
    known = [row["passed"] for row in rows if row["passed"] is not None]
    return f"{FLAKY}passed {sum(known)} of {len(known)}" if len(set(known)) > 1 else ""
