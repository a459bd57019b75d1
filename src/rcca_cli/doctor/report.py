"""The findings for a reader, for a program, and as an exit code."""

from collections.abc import Sequence
from dataclasses import asdict

import orjson

from rcca_cli.doctor.finding import Finding
from rcca_cli.errors import ItemsFailed


def as_text(findings: Sequence[Finding]) -> str:
    """A line a finding, with how to mend it below what needs mending.

    >>> print(as_text([Finding("browser", "missing", "none found", "install one")]))
    missing   browser  none found
                       -> install one
    """
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        lines.append(f"{finding.state:<8}  {finding.name:<{width}}  {finding.found}")
        if finding.fix:
            lines.append(f"{'':<8}  {'':<{width}}  -> {finding.fix}")
    return "\n".join(lines)


def as_json(findings: Sequence[Finding]) -> str:
    """The findings as a JSON array, the same keys in each."""
    return orjson.dumps([asdict(finding) for finding in findings], option=orjson.OPT_INDENT_2).decode()


def refuse_missing(findings: Sequence[Finding]) -> None:
    """ItemsFailed, naming it, if something needed is missing."""
    missing = [finding.name for finding in findings if finding.state == "missing"]
    if missing:
        raise ItemsFailed(f"missing: {', '.join(missing)}")
