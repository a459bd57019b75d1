"""Records with credit in, one trainer's format out: a table of formats, one file each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli import console, jsonl
from rcca_cli.errors import RccaError
from rcca_cli.export import encode
from rcca_cli.export.formats import prime_rl, tinker, trl, verifiers, verl
from rcca_cli.export.row import CREDITS, Counts, Row, groups
from rcca_cli.jsonl import Line


@dataclass(frozen=True)
class Options:
    """What is exported, and for whom. `groups_per_step`: groups of one optimizer step, where the format asks for it."""

    to: str
    credit: str = "advantages"
    groups_per_step: int = 4

    def __post_init__(self) -> None:
        if self.to not in FORMATS:
            raise RccaError(f"--to: {self.to!r} is not one of {', '.join(FORMATS)}")
        if self.credit not in CREDITS:
            raise RccaError(f"--credit: {self.credit!r} is not one of {', '.join(CREDITS)}")


@dataclass(frozen=True)
class Format:
    """How one trainer wants it: groups of rows -> what is written, and that -> bytes, piece by piece."""

    items: Callable[[Iterable[list[Row]], Options], Iterator[dict[str, Any]]]
    pieces: Callable[[Iterable[dict[str, Any]]], Iterator[bytes]]
    file: str  # for people


FORMATS: dict[str, Format] = {
    "trl": Format(trl.items, encode.lines, "JSONL, a line for each group"),
    "verl": Format(verl.items, verl.pieces, "Parquet, a row for each rollout"),
    "prime-rl": Format(prime_rl.items, encode.maps, "msgpack, a map for each rollout"),
    "verifiers": Format(verifiers.items, encode.lines, "JSONL (`traces.jsonl`), an episode for each rollout"),
    "tinker": Format(tinker.items, encode.lines, "JSONL, a datum for each rollout"),
}


def run(lines: Iterable[Line], options: Options, counts: Counts | None = None) -> Iterator[bytes]:
    """The bytes of the export, a piece as soon as a record, a group or a step is whole."""
    counts = Counts() if counts is None else counts
    chosen = FORMATS[options.to]
    yield from chosen.pieces(chosen.items(groups(lines, options.credit, counts), options))


def write(lines: Iterable[Line], output: str, options: Options) -> None:
    """Put the export into the file `output`, whole or not at all (`-`: standard output), and say what was left out."""
    encode.check(options.to)
    counts = Counts()
    writer = jsonl.Writer(output)
    try:
        for piece in run(console.progress(lines, "export"), options, counts):
            writer.write_bytes(piece)
    except BaseException:
        writer.abandon()
        if writer.renamed:  # there is no --resume: an export is made anew in a moment
            jsonl.partial_path(output).unlink(missing_ok=True)
        raise
    writer.finish()
    tell(counts)


def tell(counts: Counts) -> None:
    """Whose rollouts these are, and which are missing."""
    every = counts.rows + counts.unscored + counts.unanswered
    if counts.rows:
        told = f"{counts.rows} rollouts of {', '.join(counts.models)} (tokenizer {counts.tokenizer or 'not known'})"
        console.note(console.of_call(told))
    else:
        console.note(console.of_call("no records"))
    if counts.unscored:
        console.note(f"{counts.unscored} of {every} rollouts left out: not scored (align.advantages is null)")
    if counts.unanswered:
        console.note(f"{counts.unanswered} of {every} rollouts left out: no answer (rollout is null)")
