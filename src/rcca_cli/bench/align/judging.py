"""Judges many answers in a warm browser; what was judged before is read from a folder."""

import contextlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from rcca_cli import console, seeds
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.store import Store

Record = dict[str, Any]
JUDGES = ("judge", "checks", "browser", "source")  # the parts whose change makes what was kept worthless


@cache
def version() -> str:
    """A digest of the code that judges."""
    package = resources.files("rcca_cli")
    files = [path for part in JUDGES for path in sorted(Path(str(package / part)).rglob("*")) if path.is_file()]
    kept = [path for path in files if path.suffix in (".py", ".js")]
    return seeds.digest([path.read_text(encoding="utf-8") for path in kept])


def name(record: Record, options: judge.Options) -> list[Any]:
    """All that a judgement depends on."""
    content = [record["id"], record["group"], record["task"], record["rollout"]["text"]]
    return [*content, seeds.config_digest(options), version()]


def run(records: Sequence[Record], options: judge.Options, store: Store, label: str) -> list[Record]:
    """The records with `judge`, in order."""
    names = [name(record, options) for record in records]
    known = [store.read(one) for one in names]
    missing = [index for index, judgement in enumerate(known) if judgement is None]
    for index, record in zip(missing, fresh([records[index] for index in missing], options, label), strict=True):
        known[index] = record["judge"]
        store.write(names[index], record["judge"])
    return [record | {"judge": judgement} for record, judgement in zip(records, known, strict=True)]


def fresh(records: Sequence[Record], options: judge.Options, label: str) -> Iterator[Record]:
    """The records, judged now."""
    if not records:
        return
    lines = (Line(record, "<bench>", number) for number, record in enumerate(records, 1))
    # What is not known is counted from the records, by whoever reads them.
    with judge.court(options) as court, contextlib.suppress(ItemsFailed):
        yield from console.progress(judge.run(lines, options, court), label, lambda: len(records))
