"""A page being written: each record leaves as it comes, the index at the end. The file is whole or absent."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rcca_cli import jsonl
from rcca_cli.report.frame import Frame

Json = dict[str, Any]
View = tuple[Json, Json]  # a record's entry in the index, and all that is shown of it
More = Callable[[], Json]  # what else the page with the index must know, once all records have been read
INDEX = "index.html"


class Document:
    """Begun with the frame, finished with the index of what was added. Use as a context manager."""

    def __init__(self, output: str, frame: Frame) -> None:
        self.frame = frame
        self.listed: list[Json] = []
        self._writer = jsonl.Writer(output)
        self._put(frame.begin())

    def add(self, entry: Json, detail: Json) -> None:
        """One record more."""
        self.listed.append(entry)
        self._put(self.frame.record(detail))

    def takes(self, entry: Json, size: int) -> bool:
        """Whether this is still to come in a page of `size`: one more, or more of the last one's group."""
        return len(self.listed) < size or entry["group"] == self.listed[-1]["group"]

    def finish(self, **more: Any) -> None:
        """The index, with what else the page must know (`Frame.end`); the file has its name now."""
        self._put(self.frame.end(self.listed, **more))
        self._writer.finish()

    def _put(self, text: str) -> None:
        self._writer.write_bytes(text.encode())

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._writer.abandon()


def write_file(output: str, shown: Iterable[View], frame: Frame, more: More) -> None:
    """One page with all records; `-` is standard output."""
    with Document(output, frame) as document:
        for entry, detail in shown:
            document.add(entry, detail)
        document.finish(**more())


def write_folder(folder: Path, shown: Iterable[View], frame: Frame, size: int, more: More) -> None:
    """Pages of `size` records, or a few more since no group is torn, and one with the index of all."""
    names: list[str] = []
    listed: list[Json] = []
    views = iter(shown)
    view = next(views, None)
    while view is not None:
        names.append(f"part-{len(names) + 1:04}.html")
        with Document(str(folder / names[-1]), frame) as document:
            while view is not None and document.takes(view[0], size):
                document.add(*view)
                view = next(views, None)
            document.finish(home=INDEX)
        listed += [entry | {"part": len(names) - 1} for entry in document.listed]
    with Document(str(folder / INDEX), frame) as document:
        document.listed = listed
        document.finish(parts=names, **more())
