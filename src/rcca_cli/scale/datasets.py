"""Datasets of lines: from files, into one file, and as what a stage reads and writes."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rcca_cli import filter, jsonl
from rcca_cli.errors import ItemsFailed, RccaError, install
from rcca_cli.jsonl import Line

if TYPE_CHECKING:
    from ray.data import Dataset

COLUMN = "line"
Batch = Mapping[str, Sequence[str]]


def read(*paths: str) -> "Dataset":
    """The lines of JSONL files or folders of them, here or in an object store. A file is a block: give many.

    RccaError without ray.
    """
    try:
        from ray.data import read_binary_files
    except ImportError:
        raise RccaError(f"rcca.scale: ray is not installed ({install('scale')})") from None
    # Not read_text: it also ends a line at U+2028, U+0085 and the like, which in JSON are text.
    lines = read_binary_files(list(paths), include_paths=True).flat_map(lines_of)
    lines.context.execution_options.preserve_order = True
    return lines


def lines_of(file: Mapping[str, Any]) -> list[dict[str, str]]:
    """The lines of a file that hold something, as rows. RecordError, with the place, for what is no UTF-8."""
    found = []
    for number, raw in enumerate(file["bytes"].removeprefix(jsonl.MARK).split(b"\n"), 1):
        if raw.strip():
            jsonl.refuse_bytes(raw, f"{file['path']}:{number}")
            found.append({COLUMN: raw.decode()})
    return found


def write(lines: "Dataset", path: str) -> None:
    """One file, whole or absent; "-" is standard output. The work is done now, as the lines are asked for.

    RccaError as the stage on an actor raised it.
    """
    from ray.exceptions import RayTaskError

    records = (jsonl.decode(row[COLUMN].encode(), "ray") for row in lines.iter_rows())
    try:
        filter.write_all(filter.Plan("scale", "", output=path), records)
    except RayTaskError as error:
        raise (error.cause if isinstance(error.cause, RccaError) else error) from None


def taken(batch: Batch) -> Iterator[Line]:
    """The records of a batch; a file and a number of its line are not known, so each stands under its id."""
    for line in batch[COLUMN]:
        record = jsonl.decode(line.encode(), "ray")
        yield Line(record, str(record.get("id", "ray")), 1)


def given(records: Iterable[Any]) -> dict[str, list[str]]:
    """Records as a batch; items that are not known stand in them as null, with the reason."""
    lines: list[str] = []
    with contextlib.suppress(ItemsFailed):
        for record in records:
            lines.append(jsonl.encode(record).decode().rstrip("\n"))
    return {COLUMN: lines}
