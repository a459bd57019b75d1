"""The only writer to standard error: notes, progress and tables. Standard output belongs to records."""

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
WIDE = 80  # columns of a paragraph
_quiet = False
_name = "rcca"


def set_name(name: str) -> None:
    """What messages about the call itself begin with, `rcca judge`, for the rest of the process."""
    global _name
    _name = name


def of_call(message: str) -> str:
    """`message` with the name of the call before it."""
    return f"{_name}: {message}"


def set_quiet(quiet: bool) -> None:
    """Silence notes and progress (never errors) for the rest of the process."""
    global _quiet
    _quiet = quiet


def note(message: str) -> None:
    """One plain line on standard error, unless the user asked for quiet."""
    if not _quiet:
        print(message, file=sys.stderr, flush=True)


def paragraph(message: str) -> None:
    """A note that may be long, broken between words."""
    note(textwrap.fill(message, WIDE, break_long_words=False, break_on_hyphens=False))


def error(message: str) -> None:
    """One plain line on standard error, always."""
    print(message, file=sys.stderr, flush=True)


def progress(
    items: Iterable[T], label: str, total: Callable[[], int | None] = lambda: None, begun: Callable[[], int] = lambda: 0
) -> Iterator[T]:
    """The same items; on a terminal, a line that counts them, of `total` and with the time left, after `begun` ones.

    Both are asked on a terminal only, as it may take a moment; `total` says None where nobody knows.
    """
    if _quiet or not sys.stderr.isatty():
        yield from items
        return
    # Rich's own `disable` still prints a final bar off a terminal, so it is not even imported there.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    expected = total()
    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    if expected is not None:
        columns += [TextColumn("left:"), TimeRemainingColumn(elapsed_when_finished=False)]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=expected, completed=begun())
        for item in items:
            yield item
            bar.advance(task)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A small table on standard error; numbers (cells that begin with a digit or a sign) are right-aligned."""
    if _quiet:
        return
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Two spaces between columns: a table of seven fits a terminal of 80.
    out = Table(title=title or None, box=SIMPLE, title_justify="left", title_style="bold", show_edge=False)
    out.padding = (0, 1, 0, 0)
    for index, name in enumerate(columns):
        numeric = all(row[index][:1].isdigit() or row[index][:1] in "+-–" for row in rows if row[index])
        out.add_column(name, justify="right" if numeric and rows else "left")
    for row in rows:
        out.add_row(*(Text(cell) for cell in row))
    width = None if sys.stderr.isatty() else 100
    Console(stderr=True, width=width).print(out)
