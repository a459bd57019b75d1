"""Writing a benchmark's figures to a file, and the tables in it."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import orjson

from rcca_cli import jsonl
from rcca_cli.bench.statistics import Estimate
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
