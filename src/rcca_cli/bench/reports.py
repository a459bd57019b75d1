"""Writing a benchmark's figures to a file, and the tables in it."""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

from rcca_cli import jsonl
from rcca_cli.bench.statistics import Estimate
from rcca_cli.errors import RccaError

F = TypeVar("F")


def need_json(report: str, output: str) -> None:
    """RccaError for a report of another kind, or that could not be written; none is asked for by ""."""
    if report and not report.endswith(".json"):
        raise RccaError(f"--report {report}: the figures are written as .json")
    if report:
        need_place(report, output)


def save_json(report: str, figures: dict[str, Any]) -> None:
    """The file `report`, if there is to be one."""
    if report:
        write(report, as_json(figures))


def form(path: str, forms: Mapping[str, Callable[[F], str]], output: str = "-") -> Callable[[F], str]:
    """Of `forms` by suffix, the one of this file name.

    RccaError, before any work is done, if there is none, or if it could not be written beside the records in `output`.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in forms:
        raise RccaError(f"--report {path}: cannot tell the format from {suffix!r} (use {', '.join(forms)})")
    need_place(path, output)
    return forms[suffix]


def need_place(path: str, output: str) -> None:
    """RccaError if a report could not be written to `path`, or would replace the records in `output`."""
    if output != "-" and os.path.realpath(path) == os.path.realpath(output):
        raise RccaError(f"--report {path}: the records go there (-o); give one of them another name")
    if os.path.isdir(path):
        raise RccaError(f"--report {path}: a folder, not a file")
    if not jsonl.is_special(path):
        jsonl.try_writing(path)


def as_json(figures: dict[str, Any]) -> str:
    """The figures as JSON; what orjson refuses (half a character in a name) is escaped."""
    try:
        return orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except orjson.JSONEncodeError:
        return json.dumps(figures, indent=2, allow_nan=False) + "\n"


def write(path: str, text: str) -> None:
    """The file is whole or absent. Half a character becomes a question mark."""
    writer = jsonl.Writer(path)
    writer.write_bytes(text.encode("utf-8", "replace"))
    writer.finish()


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()


def bounds(names: Iterable[str]) -> list[str]:
    """The columns of estimates of these names, one for each of their `parts`."""
    return [f"{name}{part}" for name in names for part in ("", "_low", "_high", "_n")]


def parts(estimates: Iterable[Estimate]) -> list[float | None]:
    """What stands in those columns."""
    return [value for one in estimates for value in (one.value, one.low, one.high, one.n)]


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
