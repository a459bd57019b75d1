"""The gates that need no browser: one document, whose parts parse."""

from typing import Any

from rcca_cli import source
from rcca_cli.judge.artifact import Found
from rcca_cli.judge.verdicts import gate

LARGEST = 2_000_000  # characters


def format_gate(found: Found) -> dict[str, Any]:
    """Whether the answer holds exactly one whole document of a reasonable size."""
    document = found.artifact
    if document is None:
        return gate("format", False, diagnosis=found.diagnosis)
    place = {"start": document["start"], "end": document["end"]}
    if document["truncated"]:
        why = found.diagnosis or "the page is cut off before its end"
        return gate(
            "format", False, diagnosis=why, start=max(document["start"], document["end"] - 1), end=document["end"]
        )
    if document["end"] - document["start"] > LARGEST:
        return gate("format", False, diagnosis=f"the page is longer than {LARGEST} characters", **place)
    return gate("format", True)


def source_gate(html: str, start: int) -> dict[str, Any]:
    """Whether all parts of the page parse; the place is that of the first problem, `start` being the page's own."""
    problems = source.check(html)
    if not problems:
        return gate("source", True)
    first, parts = problems[0], source.count_parts(html)
    broken = len({problem.block for problem in problems})
    return gate(
        "source",
        False,
        diagnosis="; ".join(problem.message for problem in problems[:3]),
        start=start + first.start,
        end=start + first.end,
        progress=1 - broken / parts,
    )
