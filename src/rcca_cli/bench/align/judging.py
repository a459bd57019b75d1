"""Judges many answers in a warm browser; what was judged before is read from a folder."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import orjson

from rcca_cli import console, seeds
from rcca_cli.bench.stage import judged as counted
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge

Record = dict[str, Any]
JUDGES = ("judge", "checks", "browser")  # the parts whose change makes what was kept worthless


class Store:
    """Judgements in `folder`, by digest of all that they depend on; without one nothing is kept."""

    def __init__(self, folder: str = "") -> None:
        self.folder = Path(folder) if folder else None

    def place(self, record: Record, options: judge.Options) -> Path | None:
        """The file of a judgement."""
        content = [record["id"], record["group"], record["task"], record["rollout"]["text"]]
        return self._place([*content, seeds.config_digest(options), version()])

    def kept(self, name: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once for all time under this name."""
        place = self._place(name)
        known = self.read(place)
        if known is None:
            known = make()
            self.write(place, known)
        return known

    def _place(self, content: Any) -> Path | None:
        digest = seeds.digest(content, 16)
        return self.folder / digest[:2] / f"{digest[2:]}.json" if self.folder else None

    def read(self, place: Path | None) -> Any:
        """What is kept there, if anything that can be read."""
        with contextlib.suppress(OSError, orjson.JSONDecodeError):
            return orjson.loads(place.read_bytes()) if place else None
        return None

    def write(self, place: Path | None, value: Any) -> None:
        """Keep it, whole or not at all."""
        if place is None:
            return
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=place.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(orjson.dumps(value))
            os.replace(name, place)
        except OSError as error:
            raise RccaError(f"{place}: {error.strerror} (--cache takes a folder to write in)") from None


@cache
def version() -> str:
    """A digest of the code that judges."""
    package = resources.files("rcca_cli")
    files = [path for part in JUDGES for path in sorted(Path(str(package / part)).rglob("*")) if path.is_file()]
    kept = [path for path in files if path.suffix in (".py", ".js")]
    return seeds.digest([path.read_text(encoding="utf-8") for path in kept])


def run(records: Sequence[Record], options: judge.Options, store: Store, label: str) -> list[Record]:
    """The records with `judge`, in order."""
    places = [store.place(record, options) for record in records]
    known = [store.read(place) for place in places]
    missing = [index for index, judgement in enumerate(known) if judgement is None]
    for index, record in zip(missing, fresh([records[index] for index in missing], options, label), strict=True):
        known[index] = record["judge"]
        store.write(places[index], record["judge"])
    return [record | {"judge": judgement} for record, judgement in zip(records, known, strict=True)]


def fresh(records: Sequence[Record], options: judge.Options, label: str) -> Iterator[Record]:
    """The records, judged now."""
    if not records:
        return
    lines = (Line(record, "<bench>", number) for number, record in enumerate(records, 1))
    with judge.court(options) as court:
        yield from console.progress(counted(judge.run(lines, options, court)), label, len(records))
