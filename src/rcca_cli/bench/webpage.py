"""A benchmark's report as an HTML page: the same frame, and the same care with text, as `rcca report`."""

from collections.abc import Iterable, Sequence
from importlib import resources

from rcca_cli.report import page


def render(title: str, parts: Iterable[str]) -> str:
    """The whole page: the title, then the parts, which are HTML."""
    style = resources.files(__package__).joinpath("webpage.css").read_text(encoding="utf-8")
    body = "".join([f"<main>\n<h1>{page.escape(title)}</h1>\n", *parts, "</main>\n"])
    return page.head(title, style) + body + page.foot()


def heading(text: str) -> str:
    """A heading over a part of the page."""
    return f"<h2>{page.escape(text)}</h2>\n"


def paragraph(text: str) -> str:
    """A paragraph of text, whatever is in it."""
    return f"<p>{page.escape(text)}</p>\n"


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose cells are text, whatever is in them."""
    head = "".join(f"<th>{page.escape(column)}</th>" for column in columns)
    lines = ("<tr>" + "".join(cell(text) for text in row) + "</tr>\n" for row in rows)
    return f'<table class="{name}">\n<tr>{head}</tr>\n{"".join(lines)}</table>\n'


def cell(text: str) -> str:
    """One cell; results are coloured by class, since the page's policy allows no style attribute."""
    known = f' class="{text}"' if text in ("pass", "fail", "unknown") else ""
    return f"<td{known}>{page.escape(text)}</td>"
