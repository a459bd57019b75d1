"""From records to bytes, in pieces that may leave at once: lines of JSON, msgpack, Parquet."""

import importlib
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from rcca_cli import jsonl
from rcca_cli.errors import RccaError

NEEDS = {"verl": "pyarrow", "prime-rl": "msgpack"}
ROWS = 256  # of a Parquet file that are in memory together


def check(target: str) -> None:
    """RccaError if the library that writes the format of `target` is not installed."""
    library = NEEDS.get(target)
    try:
        importlib.import_module(library or "json")
    except ImportError:
        raise RccaError(f"--to {target}: {library} is missing (pip install {library})") from None


def lines(items: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Each as one line of JSON."""
    return map(jsonl.encode, items)


def maps(items: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Each as one map of msgpack, one after the other."""
    import msgpack

    return map(msgpack.packb, items)


def parquet(items: Iterable[dict[str, Any]], schema: Any) -> Iterator[bytes]:
    """One Parquet file of this pyarrow schema: a row group for every `ROWS` items."""
    import pyarrow
    import pyarrow.parquet

    sink, left = _Pieces(), iter(items)
    with pyarrow.parquet.ParquetWriter(sink, schema) as writer:
        while some := list(islice(left, ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(some, schema=schema))
            yield sink.taken()
    yield sink.taken()


class _Pieces(io.RawIOBase):
    """A file that is only ever added to, and what was added since it was last taken."""

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._length

    def write(self, data: Any) -> int:
        self._held.append(bytes(data))
        self._length += len(data)
        return len(data)

    def taken(self) -> bytes:
        """What was written since the last call."""
        held, self._held = b"".join(self._held), []
        return held
