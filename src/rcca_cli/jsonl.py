"""JSON Lines in and out: a line knows its place, a record leaves at once, a file is whole or absent."""

import contextlib
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from rcca_cli import console, packed
from rcca_cli.errors import OutputClosed, RccaError, RecordError

# What is read must be walked through and written again: Python's own recursion ends near 1,000, orjson's at 254.
DEEPEST = 200
NESTS = frozenset([dict, list])
MARK = b"\xef\xbb\xbf"  # of a file that some programs begin with it: the byte order mark
COUNTED = 1 << 30  # bytes whose lines are counted for the sake of a progress bar


@dataclass(frozen=True, slots=True)
class Line:
    """One input record and where it came from, so that errors can name the place."""

    record: dict[str, Any]
    file: str
    number: int

    def error(self, problem: str) -> RecordError:
        """The error to raise when this record cannot be used: `FILE:LINE: problem`."""
        return RecordError(f"{self.file}:{self.number}: {problem}")


@contextlib.contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """The bytes of `path`, unpacked if it ends in .gz or .zst; `-` is standard input.

    RccaError, in one line, if it cannot be opened or read to its end.
    """
    try:
        with _opened(path) as stream:
            yield stream
    except packed.BROKEN as error:
        raise RccaError(f"{input_name(path)}: {getattr(error, 'strerror', None) or error}") from None


def _opened(path: str) -> BinaryIO:
    if path == "-":
        if sys.stdin is not None and sys.stdin.isatty():
            console.note(console.of_call("reading records from standard input"))
        # Not sys.stdin: Python aborts at exit if another thread is still reading that.
        return open(0, "rb", closefd=False)
    if path.endswith(".gz"):
        return packed.open_gz(path)
    return packed.open_zst(path) if path.endswith(".zst") else open(path, "rb")


def input_name(path: str) -> str:
    """What an input is called in messages."""
    return "<stdin>" if path == "-" else path


def read(paths: Sequence[str]) -> Iterator[Line]:
    """The records of all files in order, read lazily; no path means standard input."""
    for path in paths or ("-",):
        name = input_name(path)
        for number, text in numbered(path):
            yield Line(decode(text, f"{name}:{number}"), name, number)


def numbered(path: str) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers, without a byte order mark."""
    with open_input(path) as stream:
        # Iterating a binary stream splits on b"\n" alone: U+2028 inside a string is data.
        for number, raw in enumerate(stream, 1):
            text = raw.removeprefix(MARK) if number == 1 else raw
            if text.strip():
                yield number, text


def count(paths: Sequence[str]) -> int | None:
    """How many records the files hold, as they are now; None if one is no plain file, or they are too many to count."""
    if not all(os.path.isfile(path) for path in paths) or sum(map(os.path.getsize, paths)) > COUNTED:
        return None
    return sum(1 for path in paths for _ in numbered(path))


def decode(raw: bytes, place: str) -> dict[str, Any]:
    """The JSON object in `raw`; RecordError names `place` and the column otherwise."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        value = _decode_surrogates(raw)
        if value is None:
            refuse_bytes(raw, place)
            reason = str(error).partition(": line")[0]
            raise RecordError(f"{place}:{error.colno}: not JSON: {reason}") from None
    return checked(value, place)


def checked(value: Any, place: str) -> dict[str, Any]:
    """A value read from JSON, if it is an object that can be walked through; RecordError names `place` otherwise."""
    if not isinstance(value, dict):
        raise RecordError(f"{place}: expected a JSON object, not {kind(value)}")
    if _deeper(value, DEEPEST):
        raise RecordError(f"{place}: nested more than {DEEPEST} deep")
    return value


def refuse_bytes(raw: bytes, place: str) -> None:
    """RecordError if `raw` is not text in UTF-8, with the column, in bytes, where it ceases to be."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        found = f"the byte 0x{raw[error.start]:02x} is no UTF-8"
        raise RecordError(f"{place}:{error.start + 1}: not JSON: {found} (packed or of another encoding?)") from None


def _deeper(value: Any, limit: int) -> bool:
    """Whether objects and lists are nested in `value` more than `limit` deep."""
    level = [value]
    for _ in range(limit):
        parts = [part.values() if isinstance(part, dict) else part for part in level]
        level = [inner for part in parts for inner in part if type(inner) in NESTS]
        if not level:
            return False
    return True


def _decode_surrogates(raw: bytes) -> Any:
    r"""The value of JSON that orjson refuses only for a lone surrogate escape (`\ud800`), else None."""
    if not re.search(rb"\\u[dD][89a-fA-F]", raw):
        return None

    def refuse(word: str) -> Any:
        raise ValueError(word)

    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(raw, parse_constant=refuse)
    return None


def kind(value: Any) -> str:
    """What JSON calls the type of `value`, with its article, for messages."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def encode(record: dict[str, Any]) -> bytes:
    """`record` as one line of JSON. ValueError for a number that is not finite (orjson would write null)."""
    refuse_nonfinite(record, "")
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a lone surrogate, or an integer beyond 64 bits
        return json.dumps(record, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def refuse_nonfinite(value: Any, place: str) -> None:
    """ValueError naming the place of the first NaN or infinity in `value`."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{place}: {value} is not a number JSON can hold")
    elif isinstance(value, dict):
        for key, item in value.items():
            refuse_nonfinite(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        if value and type(value[0]) is int and type(value[-1]) is int:
            return  # token ids: thousands of integers
        for index, item in enumerate(value):
            refuse_nonfinite(item, f"{place}[{index}]")


class Writer:
    """Writes each record as one line and flushes it, so that a reader downstream is never left waiting.

    To a file it writes FILE.partial and renames it at `finish`: FILE is whole or absent. What is no plain file
    (a device, a pipe) is written to as it is, and a link stays a link to the file that it names.
    """

    def __init__(self, output: str = "-", append: bool = False) -> None:
        self.output = output
        self.count = 0
        self.renamed = output != "-" and not is_special(output)
        if output == "-":
            self.stream: BinaryIO = os.fdopen(take_stdout(), "wb")
            return
        make_folder(output)
        try:
            self.stream = open(partial_path(output), "ab" if append else "wb") if self.renamed else open(output, "wb")
        except OSError as error:
            raise RccaError(f"{output}: {error.strerror}") from None

    def write(self, record: dict[str, Any]) -> None:
        """Put `record` out at once."""
        self.write_bytes(encode(record))

    def write_bytes(self, line: bytes) -> None:
        """Put a finished line out at once."""
        try:
            self.stream.write(line)
            self.stream.flush()
        except BrokenPipeError:
            # Or Python complains at exit, when it flushes what is left.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
            raise OutputClosed from None
        except OSError as error:
            raise RccaError(f"{self.output}: {error.strerror}") from None
        self.count += 1

    def finish(self) -> None:
        """Call once all records are written: gives the file its name."""
        try:
            self.stream.close()
        except OSError as error:  # a file system that says only now that it is full
            raise RccaError(f"{self.output}: {error.strerror}") from None
        if self.renamed:
            os.replace(partial_path(self.output), os.path.realpath(self.output))

    def abandon(self) -> None:
        """Call instead of `finish` when an error stops the work: what is written stays FILE.partial, if anything is."""
        if self.renamed:
            with contextlib.suppress(OSError):  # what could not be written a moment ago, and is still in its buffer
                self.stream.close()
            if not partial_path(self.output).stat().st_size:
                partial_path(self.output).unlink()


def try_writing(output: str) -> None:
    """RccaError if no file could be written there, found out by trying; nothing is left of it."""
    make_folder(output)
    place = partial_path(output)
    try:
        is_new = not place.exists()
        open(place, "ab").close()
        if is_new:
            place.unlink()
    except OSError as error:
        raise RccaError(f"{output}: {error.strerror}") from None


def is_special(output: str) -> bool:
    """Whether `output` is there and no plain file: renaming a file onto a device or a pipe would destroy it."""
    return os.path.exists(output) and not os.path.isfile(output)


def make_folder(output: str) -> None:
    """The folder that the file is to be in, with those above it. RccaError if there can be none."""
    place = partial_path(output)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise RccaError(f"{output}: {_file_above(place)} is a file, not a folder") from None
    except OSError as error:
        raise RccaError(f"{output}: {error.strerror}") from None


def _file_above(place: Path) -> Path:
    """The file that stands where `place` would need a folder."""
    return next((one for one in place.parents if one.is_file()), place.parent)


def partial_path(output: str) -> Path:
    """Where the records of an unfinished `-o output` are."""
    return Path(os.path.realpath(output) + ".partial")


def take_stdout() -> int:
    """A descriptor for records; from now on whatever a library prints to standard output goes to stderr."""
    try:
        records = os.dup(1)
    except OSError:
        raise RccaError("standard output is closed (send the records somewhere, or to -o FILE)") from None
    os.dup2(2, 1)
    return records
