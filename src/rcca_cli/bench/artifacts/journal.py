"""What is done already, one line each in a file that only grows: after a kill at any moment nothing is done twice.

A line is `{"key", "stage", "index", "value"}`. The key is the digest of all that the value depends on, so that other
options, another judge or another answer find nothing of each other's.
"""

import os
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from rcca_cli import console, jsonl, lock
from rcca_cli.errors import RccaError, RecordError

CALL = "call/"  # what the keys of calls of a judge begin with


class Journal:
    """The journal in a folder, held for ourselves while it is open. Threads may share it. A context manager."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.jsonl"
        self._held = lock.held(str(self.path))
        self._values: dict[str, Any] = {}
        self._done: set[tuple[str, str]] = set()  # (stage, index)
        self._lock = threading.Lock()

    def __enter__(self) -> "Journal":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._held.__enter__()
        try:
            self._stream = open(self.path, "ab")
            self._read()
        except OSError as error:
            raise RccaError(f"{self.path}: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        self._held.__exit__(kind, error, trace)

    def _read(self) -> None:
        """What is there. A last line that a crash has torn is cut off; any other that cannot be read is left alone."""
        whole = lost = 0
        for line in self.path.read_bytes().split(b"\n")[:-1]:
            whole += len(line) + 1
            try:
                entry = jsonl.decode(line, str(self.path))
                key, value, done = entry["key"], entry["value"], (entry["stage"], str(entry["index"]))
                if not isinstance(key, str) or (key.startswith(CALL) and not _is_cost(value)):
                    raise KeyError(key)
                self._done.add(done)
                self._values[key] = value
            except (RecordError, KeyError, TypeError):
                lost += 1
        os.truncate(self.path, whole)
        if lost:
            console.note(f"{self.path}: {lost} lines cannot be read; what they were of is done again")

    def get(self, key: str) -> Any:
        """What is known under a key; None if nothing is."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, stage: str, index: int | str, value: Any) -> None:
        """Note it down; it is on the disk when this returns."""
        line = jsonl.encode({"key": key, "stage": stage, "index": index, "value": value})
        with self._lock:
            self._values[key] = value
            self._stream.write(line)
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def done(self, stage: str) -> set[str]:
        """The indices of the items that earlier calls had through a stage, as text."""
        return {index for name, index in self._done if name == stage}

    def spent(self) -> tuple[int, int]:
        """Tokens read and written in all calls of a judge that are noted."""
        with self._lock:
            calls = [value for key, value in self._values.items() if key.startswith(CALL)]
        return sum(one["read"] for one in calls), sum(one["written"] for one in calls)


def _is_cost(value: Any) -> bool:
    """Whether this is what a call cost: tokens read and written."""
    return isinstance(value, dict) and all(isinstance(value.get(name), int) for name in ("read", "written"))
