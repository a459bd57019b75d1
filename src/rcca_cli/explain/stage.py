"""Aligned records in, one record out that says how much signal they have; and the tables that show it."""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli import console
from rcca_cli.align.stage import uncollected
from rcca_cli.errors import RccaError
from rcca_cli.explain import advice, tables
from rcca_cli.explain.group import groups
from rcca_cli.explain.tally import Tally
from rcca_cli.jsonl import Line

Json = dict[str, Any]
ITEMS = 20  # in the table on a terminal; the record has all


def run(lines: Iterable[Line]) -> Iterator[Json]:
    """The record, with its largest causes (docs/train.md), and its tables on standard error.

    RecordError for what is not aligned, RccaError if there is nothing.
    """
    tally = Tally()
    for group in groups(lines):
        with uncollected():
            tally.add(group)
    if not tally.groups["total"]:
        raise RccaError("no records to explain")
    record = finished(tally)
    yield record
    show(record)


def finished(tally: Tally) -> Json:
    """The record of what was counted."""
    record = tally.record()
    return record | {"causes": advice.causes(record)}


def show(record: Json) -> None:
    """The record for people, on standard error."""
    for table in tables.tables(record, ITEMS):
        console.table(table.columns, table.rows, table.title)
        if table.note:
            console.paragraph(table.note)
        console.note("")
    for sentence in tables.sentences(record):
        console.paragraph(sentence)
