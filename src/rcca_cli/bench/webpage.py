"""A benchmark's report as an HTML page: the same frame, and the same care with text, as `rcca report`."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

from rcca_cli.report import page

SHORT, NAME, LONG = 16, 40, 60  # characters of a cell


def render(title: str, parts: Iterable[str], pictures: bool = False) -> str:
    """The whole page: the title, then the parts, which are HTML; `pictures`: images among them are shown."""
    style = resources.files(__package__).joinpath("webpage.css").read_text(encoding="utf-8")
    body = "".join([f"<main>\n<h1>{page.escape(title)}</h1>\n", *parts, "</main>\n"])
    return page.head(title, style, pictures=pictures) + body + page.foot()


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
    return scrolling(name, head, lines)


def gallery(
    runs: Sequence[str], tasks: Mapping[str, Mapping[str, str]], pictures: Mapping[str, Mapping[str, str]]
) -> str:
    """A row a task and a column a run: `tasks[task][run]` in words, under the picture of the app if there is one."""
    head = "".join(f"<th>{page.escape(name)}</th>" for name in ("task", *runs))
    lines = []
    for task, told in tasks.items():
        seen = pictures.get(task, {})
        cells = "".join(cell(told.get(run, "–"), image(seen.get(run))) for run in runs)
        lines.append(f"<tr><td>{page.escape(task)}</td>{cells}</tr>\n")
    return scrolling("gallery", head, lines)


def scrolling(name: str, head: str, lines: Iterable[str]) -> str:
    """A table that scrolls where it is too wide; all parts are HTML."""
    return f'<div class="scrolls"><table class="{name}">\n<tr>{head}</tr>\n{"".join(lines)}</table></div>\n'


def image(address: str | None) -> str:
    """A picture that is data of the page itself."""
    return f'<img src="{page.escape(address)}" alt="" loading="lazy"><br>' if address else ""


def cell(text: str, above: str = "") -> str:
    """One cell; results are coloured by class, since the page's policy allows no style attribute.

    `above` is HTML.
    """
    known = f' class="{kind}"' if (kind := kind_of(text)) else ""
    return f"<td{known}>{above}{page.escape(text)}</td>"


def kind_of(text: str) -> str:
    """The class of a cell: a result; what is never broken, like a number, date or name; a text that needs room.

    >>> kind_of("pass"), kind_of("58 [48, 62]"), kind_of("miniapp:water/remembers-1"), kind_of("word " * 20)
    ('pass', 'short', 'short', 'text')
    """
    if text in ("pass", "fail", "unknown"):
        return text
    whole = len(text) <= (SHORT if " " in text else NAME)
    return "short" if whole else "text" if len(text) > LONG else ""
