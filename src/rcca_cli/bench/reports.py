"""Writing a benchmark's figures to a file, and the tables in it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

from rcca_cli import jsonl
from rcca_cli.errors import RccaError

F = TypeVar("F")


def need_json(report: str) -> None:
    """RccaError for a report of another kind; none is asked for by ""."""
    if report and not report.endswith(".json"):
        raise RccaError(f"--report {report}: the figures are written as .json")


def save_json(report: str, figures: dict[str, Any]) -> None:
    """The file `report`, if there is to be one."""
    if report:
        write(report, orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())


def form(path: str, forms: Mapping[str, Callable[[F], str]]) -> Callable[[F], str]:
    """Of `forms` by suffix, the one of this file name; RccaError, before any work is done, if there is none."""
    suffix = Path(path).suffix.lower()
    if suffix not in forms:
        raise RccaError(f"--report {path}: cannot tell the format from {suffix!r} (use {', '.join(forms)})")
    return forms[suffix]


def write(path: str, text: str) -> None:
    """The file is whole or absent."""
    writer = jsonl.Writer(path)
    writer.write_bytes(text.encode())
    writer.finish()


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table's lines in Markdown."""
    return [
        "| " + " | ".join(columns) + " |",
        "|" + "---|" * len(columns),
        *("| " + " | ".join(as_cell(text) for text in row) + " |" for row in rows),
    ]


def as_cell(text: str) -> str:
    """Text that stays inside its cell and is no markup: names and reasons may come from a page."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
