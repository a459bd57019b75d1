"""A benchmark's report as an HTML page: the same frame, and the same care with text, as `rcca report`."""

from collections.abc import Sequence
from importlib import resources

from rcca_cli.bench import summary
from rcca_cli.bench.reports import APPS, Figures
from rcca_cli.report import page


def render(figures: Figures) -> str:
    """The whole page: table, notes, and every app."""
    title = f"{figures.benchmark.title}: {figures.subject}"
    style = resources.files(__package__).joinpath("webpage.css").read_text(encoding="utf-8")
    body = [
        f"<main>\n<h1>{page.escape(title)}</h1>\n",
        table("figures", summary.COLUMNS, [summary.cells(row) for row in figures.rows]),
        *(f"<p>{page.escape(note)}</p>\n" for note in figures.notes()),
        "<h2>Apps</h2>\n",
        table("apps", APPS, list(summary.listed(figures.outcomes))),
        "</main>\n",
    ]
    return page.head(title, style) + "".join(body) + page.foot()


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are text, whatever is in them."""
    head = "".join(f"<th>{page.escape(column)}</th>" for column in columns)
    lines = ("<tr>" + "".join(cell(text) for text in row) + "</tr>\n" for row in rows)
    return f'<table class="{name}">\n<tr>{head}</tr>\n{"".join(lines)}</table>\n'


def cell(text: str) -> str:
    """One cell; results are coloured by class, since the page's policy allows no style attribute."""
    known = f' class="{text}"' if text in ("pass", "fail", "unknown") else ""
    return f"<td{known}>{page.escape(text)}</td>"
