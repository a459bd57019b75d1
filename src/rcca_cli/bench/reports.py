"""The figures of a benchmark as a file: JSON, Markdown, CSV or one offline HTML page, by its suffix."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from rcca_cli import jsonl
from rcca_cli.bench import summary
from rcca_cli.bench.benchmark import Benchmark
from rcca_cli.errors import RccaError


def need_json(report: str) -> None:
    """RccaError for a report of another kind; none is asked for by ""."""
    if report and not report.endswith(".json"):
        raise RccaError(f"--report {report}: the figures are written as .json")


def save_json(report: str, figures: dict[str, Any]) -> None:
    """The file `report`, if there is to be one."""
    if report:
        write(report, orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())


@dataclass(frozen=True)
class Figures:
    """All there is to report. `missing` are the tasks that nobody answered."""

    benchmark: Benchmark
    subject: str
    outcomes: tuple[summary.Outcome, ...]
    rows: tuple[summary.Row, ...]
    tasks: int
    missing: tuple[str, ...]

    @classmethod
    def of(cls, benchmark: Benchmark, subject: str, outcomes: Sequence[summary.Outcome]) -> "Figures":
        """Count the outcomes."""
        tasks = benchmark.tasks()
        classes = list(dict.fromkeys(record["task"]["class"] for record in tasks))
        answered = {one.task for one in outcomes}
        missing = tuple(record["group"] for record in tasks if record["group"] not in answered)
        return cls(benchmark, subject, tuple(outcomes), tuple(summary.rows(outcomes, classes)), len(tasks), missing)

    def notes(self) -> list[str]:
        """What a reader of the table has to know."""
        found = [
            "passed: every gate and every requirement. In brackets 95 % intervals: Wilson; bootstrap for means.",
            self.benchmark.note,
        ]
        if self.missing:
            n = self.rows[0].passed.n + len(self.missing)
            found.append(
                f"{len(self.missing)} of {self.tasks} tasks have no answer and are left out: "
                f"{_listed(self.missing)}. Counted as failures, {self.rows[0].passes} of {n} apps pass."
            )
        if errors := self.rows[0].errors:
            found.append(f"{errors} apps could not be judged, by our own fault; they are left out.")
        return found


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def as_json(figures: Figures) -> str:
    """Every figure and every outcome."""
    value: dict[str, Any] = {
        "benchmark": figures.benchmark.name,
        "subject": figures.subject,
        "tasks": figures.tasks,
        "missing": list(figures.missing),
        "notes": figures.notes(),
        "rows": [row.plain() for row in figures.rows],
        "apps": [asdict(one) for one in figures.outcomes],
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n"


def as_markdown(figures: Figures) -> str:
    """The table, the notes and the list of apps."""
    lines = [
        f"# {as_cell(figures.benchmark.title)}: {as_cell(figures.subject)}",
        "",
        *markdown_table(summary.COLUMNS, [summary.cells(row) for row in figures.rows]),
        "",
        *(f"- {as_cell(note)}" for note in figures.notes()),
        "",
        "## Apps",
        "",
        *markdown_table(APPS, list(summary.listed(figures.outcomes))),
    ]
    return "\n".join(lines) + "\n"


APPS = ("app", "class", "level", "result", "reward", "failed")


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(columns) + " |",
        "|" + "---|" * len(columns),
        *("| " + " | ".join(as_cell(cell) for cell in row) + " |" for row in rows),
    ]


def as_cell(text: str) -> str:
    """Text that stays inside its cell and is no markup: names and reasons may come from a page."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def as_csv(figures: Figures) -> str:
    """A line for each row of the table, with the bounds of its intervals in columns of their own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = ("passed", "rubric", "reward", "rule")
    writer.writerow(["scope", "name", "passes", *(f"{name}{part}" for name in names for part in PARTS), "errors"])
    for row in figures.rows:
        found = [getattr(row, name) for name in names]
        writer.writerow(
            [row.scope, row.name, row.passes, *(v for e in found for v in (e.value, e.low, e.high, e.n)), row.errors]
        )
    return out.getvalue()


PARTS = ("", "_low", "_high", "_n")


def as_html(figures: Figures) -> str:
    """One page that needs nothing else."""
    from rcca_cli.bench import webpage

    return webpage.render(figures)


FORMS: dict[str, Callable[[Figures], str]] = {
    ".json": as_json,
    ".md": as_markdown,
    ".csv": as_csv,
    ".html": as_html,
}


def form(path: str) -> Callable[[Figures], str]:
    """How to write a report with this file name; RccaError before any work is done if nobody knows."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMS:
        raise RccaError(f"--report {path}: cannot tell the format from {suffix!r} (use {', '.join(FORMS)})")
    return FORMS[suffix]


def write(path: str, text: str) -> None:
    """The file is whole or absent."""
    writer = jsonl.Writer(path)
    writer.write_bytes(text.encode())
    writer.finish()
