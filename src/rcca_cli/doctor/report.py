"""The findings for a reader, for a program, and as an exit code."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict

import orjson

from rcca_cli import console
from rcca_cli.doctor.finding import Finding
from rcca_cli.errors import ItemsFailed


def as_text(findings: Sequence[Finding]) -> str:
    """A line a finding, more if it is long, with how to mend it (a line, to be copied) below what needs mending.

    >>> print(as_text([Finding("browser", "missing", "none found", "install one")]))
    missing   browser  none found
                       -> install one
    """
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        before = f"{finding.state:<8}  {finding.name:<{width}}  "
        found = wrapped(finding.found, console.WIDE - len(before))
        lines += [before + found[0], *(f"{'':<{len(before)}}{line}" for line in found[1:])]
        if finding.fix:
            lines.append(f"{'':<8}  {'':<{width}}  -> {finding.fix}")
    return "\n".join(lines)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many characters, but for what is longer by itself: paths and versions are for copying."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def as_json(findings: Sequence[Finding]) -> str:
    """The findings as a JSON array, the same keys in each."""
    return orjson.dumps([asdict(finding) for finding in findings], option=orjson.OPT_INDENT_2).decode()


def refuse_missing(findings: Sequence[Finding]) -> None:
    """ItemsFailed, naming it, if something needed is missing."""
    missing = [finding.name for finding in findings if finding.state == "missing"]
    if missing:
        raise ItemsFailed(f"missing: {', '.join(missing)}")
