"""The stages as functions on lists of records, for notebooks and for programs of your own (docs/api.md).

What the command line calls an option is a keyword here. A record is a dictionary, as in a line of JSONL; none is
changed, each comes back with one key more. What could not be known is null with its reason, and is no exception;
RccaError is for what the caller can mend. Importing this loads no library that is slow to load.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rcca_cli import console, records
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.jsonl import Line

__all__ = ["RccaError", "Record", "align", "foreign", "judge", "numbered", "rollout", "schema", "synth", "train"]

Record = dict[str, Any]


def synth(count: int = 8, **options: Any) -> list[Record]:
    """Tasks whose requirements can be checked, or with `solutions` finished answers (docs/synth.md).

    >>> len(synth(2, seed=1))
    2
    """
    from rcca_cli.synth import stage

    if "families" in options:
        options["families"] = tuple(options["families"])
    return list(stage.run(stage.Options(count=count, **options)))


def rollout(tasks: Iterable[Mapping[str, Any]], **options: Any) -> list[Record]:
    """`group_size` answers to each task, adjacent (docs/rollout.md)."""
    from rcca_cli.rollout import stage

    return _kept(stage.run(_lines(tasks), stage.Options(**options)))


def judge(
    rollouts: Iterable[Mapping[str, Any]],
    *,
    model: str | None = None,
    base_url: str | None = None,
    cdn: str | None = None,
    **options: Any,
) -> list[Record]:
    """Each answer judged in a real browser; by a model, too, what has no check (docs/judge.md, docs/model.md)."""
    from rcca_cli.browser import Mirror
    from rcca_cli.judge import stage
    from rcca_cli.judge.model import asking

    asked = asking(model, base_url) if model is not None else None
    mirror = Mirror.at(cdn)
    return _kept(stage.run(_lines(rollouts), stage.Options(asking=asked, cdn=mirror, **options)))


def foreign(
    rows: Iterable[Mapping[str, Any]], *, columns: Mapping[str, str] | None = None, pass_at: float | None = None
) -> list[Record]:
    """Rows of another evaluator's verdicts as judged records (docs/foreign.md)."""
    from rcca_cli.columns import Columns
    from rcca_cli.foreign import Reader

    reader = Reader(Columns.of([f"{ours}={theirs}" for ours, theirs in (columns or {}).items()]), pass_at)
    return _kept(reader.checked(line.record for line in reader.judged(_lines(rows))))


def align(judged: Iterable[Mapping[str, Any]], **options: Any) -> list[Record]:
    """Credit for every sampled token (docs/align.md); the answers to one task must be adjacent."""
    from rcca_cli.align import stage

    return _kept(stage.run(_lines(judged), stage.Options(**options)))


def train(aligned: Iterable[Mapping[str, Any]], **options: Any) -> list[Record]:
    """Train on groups with credit; one record of metrics a step (docs/train.md). `out` is the checkpoint's folder."""
    from rcca_cli.train import stage

    return _kept(stage.run(_lines(aligned), stage.Options(**options)))


def schema() -> Record:
    """The record's JSON Schema."""
    return records.schema()


def numbered(page: str) -> str:
    """A page with the number of each unit of its code in front of it, to show to an evaluator: it may name those.

    >>> numbered("<p>Hi</p>")
    '⟦u1⟧<p>⟦u2⟧Hi</p>'
    """
    from rcca_cli import source

    pieces, done = [], 0
    for number, unit in enumerate(source.units(page), 1):
        pieces += [page[done : unit.start], f"⟦u{number}⟧"]
        done = unit.start
    return "".join([*pieces, page[done:]])


def _lines(given: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    for number, record in enumerate(given, 1):
        if not isinstance(record, Mapping):
            raise RccaError(f"record {number}: expected a dictionary, not {type(record).__name__}")
        yield Line(dict(record), "record", number)


def _kept(produced: Iterable[Record]) -> list[Record]:
    """All that was made; that some items failed is a note, for the records say which and why."""
    found = []
    try:
        for record in produced:
            found.append(record)
    except ItemsFailed as failed:
        console.note(str(failed))
    return found
