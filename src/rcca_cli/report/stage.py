"""Writes the report while the records arrive: one is held at a time, whatever the input's length."""

from collections.abc import Iterable, Iterator

from rcca_cli import jsonl, records
from rcca_cli.jsonl import Line
from rcca_cli.report import page, view


def parts(lines: Iterable[Line], title: str) -> Iterator[str]:
    """The page in pieces: a data block for each record, then the list of them, then the script that shows them."""
    script = page.asset("report.js")
    yield page.head(title, page.asset("report.css"), script)
    yield page.asset("report.html").replace("TITLE", page.escape(title))
    listed = []
    for line in lines:
        record = checked(line)
        listed.append(view.summary(record))
        yield page.data_block("rollout", view.detail(record))
    yield page.data_block("index", {"rollouts": listed})
    yield page.foot(script)


def checked(line: Line) -> view.Json:
    """The record, of whatever stages have run, in its right shape."""
    present = [key for key in ("judge", "align") if line.record.get(key) is not None]
    return records.need(line, "task", "rollout", *present)


def write(lines: Iterable[Line], output: str, title: str) -> None:
    """Put the page into the file `output`, whole or not at all; `-` is standard output."""
    writer = jsonl.Writer(output)
    for part in parts(lines, title):
        writer.write_bytes(part.encode())
    writer.finish()
