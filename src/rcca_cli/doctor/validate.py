"""`rcca validate`: every line against the record's schema and against itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rcca_cli import console, jsonl, records
from rcca_cli.doctor import consistency
from rcca_cli.errors import ItemsFailed, RccaError, RecordError
from rcca_cli.resume import Unit

KEYS = ("task", "rollout", "judge", "align", "truth")
UNIQUE = ("id",)
# A row beyond this cannot be read with pyarrow's defaults ("straddling object straddles two block boundaries").
ARROW_BLOCK = 1 << 20  # bytes
SHOWN = 50  # problems of one kind of call; a file of another format has one on every line


@dataclass
class Seen:
    """What there was, for the last line of the report."""

    records: int = 0
    invalid: int = 0
    problems: int = 0
    large: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    unique: set[str] = field(default_factory=set)
    wanted: dict[str, None] = field(default_factory=dict)  # what is to be there and was not yet, in order


def run(files: Sequence[str], unique: str = "", against: str | None = None) -> None:
    """Print each problem as `FILE:LINE: …` on standard error, and the counts; ItemsFailed if any record is invalid.

    `against` is a file of tasks or records that must all be there, answered: ItemsFailed if some are not.
    """
    if unique and unique not in UNIQUE:
        raise RccaError(f"--unique {unique}: only {', '.join(UNIQUE)} can be asked to be unique")
    seen = Seen(wanted=dict.fromkeys(names(against)) if against else {})
    for path in files or ("-",):
        name = jsonl.input_name(path)
        for number, raw in jsonl.numbered(path):
            problems = [f"{name}:{number}{problem}" for problem in line_problems(raw, seen, unique)]
            seen.records += 1
            seen.invalid += bool(problems)
            for problem in problems:
                seen.problems += 1
                if seen.problems <= SHOWN:
                    console.error(problem)
    finish(seen, list(seen.wanted))


def names(path: str) -> Iterator[str]:
    """What each line of a file is called: a record by its id, a task by its group."""
    for line in jsonl.read([path]):
        record = line.record
        yield str(record["id"]) if "rollout" in record and "id" in record else Unit("group").name(record)


def answered(record: dict[str, Any]) -> Iterator[str]:
    """What is there with this line: a record of its id, and an answer to its task, unless that could not be had."""
    yield str(record.get("id"))
    if "rollout" not in record or record["rollout"] is not None:
        yield str(record.get("group"))


def line_problems(raw: bytes, seen: Seen, unique: str) -> list[str]:
    """What is wrong with one line, each beginning with the `:COLUMN: ` or `: ` that goes behind its number."""
    try:
        record = jsonl.decode(raw, "")
    except RecordError as error:
        return [str(error)]
    seen.large += len(raw) > ARROW_BLOCK
    seen.keys.update(key for key in KEYS if record.get(key) is not None)
    for name in answered(record):
        seen.wanted.pop(name, None)
    found = shape_problems(record) or list(consistency.problems(record))
    if unique and unique in record:
        value = str(record[unique])
        if value in seen.unique:
            found.append(f"{unique}: {value!r} was there before")
        seen.unique.add(value)
    return [f": {problem}" for problem in found]


def shape_problems(record: dict[str, Any]) -> list[str]:
    """Where the record departs from its schema."""
    tag = record.get("schema", records.SCHEMA)
    if tag != records.SCHEMA:
        return [f"schema: {tag!r} is not {records.SCHEMA!r}, the one this rcca reads"]
    from pydantic import ValidationError

    try:
        shape().validate_python(record)
    except ValidationError as error:
        return [records.explained(one) for one in error.errors(include_url=False, include_context=False)]
    return []


@cache
def shape() -> Any:
    """The validator of whole records."""
    from pydantic import TypeAdapter

    return TypeAdapter(records.Record)


def finish(seen: Seen, missing: Sequence[str] = ()) -> None:
    """The counts, and how it ends."""
    for name in missing[:SHOWN]:
        console.error(f"{name}: missing")
    if len(missing) > SHOWN:
        console.error(f"… and {len(missing) - SHOWN} more are missing")
    if seen.problems > SHOWN:
        console.error(f"… and {seen.problems - SHOWN} more problems")
    if seen.large:
        console.note(
            f"{seen.large} rows are larger than pyarrow's default block of 1 MiB: read them with "
            "pyarrow.json.ReadOptions(block_size=…), or load_dataset('json', chunksize=…)"
        )
    counts = ", ".join(f"{seen.keys[key]} with {key}" for key in KEYS if seen.keys[key])
    console.note(f"{seen.records} records{f' ({counts})' if counts else ''}, {seen.problems} problems")
    if seen.invalid:
        raise ItemsFailed(f"{seen.invalid} of {seen.records} records are not valid")
    if missing:
        raise ItemsFailed(f"{len(missing)} are missing")
