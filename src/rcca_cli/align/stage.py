"""Stage `align`: judged records in, one group at a time; the same records out, with credit for every token."""

import contextlib
import gc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from rcca_cli import console, credit, jsonl, records, seeds
from rcca_cli.align.answer import Answer, is_place
from rcca_cli.align.group import aligned
from rcca_cli.jsonl import Line
from rcca_cli.units import Tokens


@dataclass(frozen=True)
class Options:
    """How credit is given. `tokenizer`, a model's name or folder, splits answers that are known as text only.

    `columns` (OURS=THEIRS) and `pass_at` say how foreign rows were read, for the digest alone: what comes here is read.
    """

    mode: str = "rubric"
    sequence_share: float = 0.8
    mean_one: bool = False
    tokenizer: str | None = None
    columns: tuple[str, ...] = ()
    pass_at: float | None = None


def run(lines: Iterable[Line], options: Options) -> Iterator[dict[str, Any]]:
    """Each record with `align`, in order; a group leaves when the next begins.

    The members of a group must be adjacent: one that comes again is an error. Groups with fewer than two scorable
    members get advantages of zero and are counted on stderr.
    """
    config = seeds.config_digest(options)
    numbers = credit.Options(options.mode, options.sequence_share, options.mean_one)
    seen: set[str] = set()
    lonely = 0
    for name, members in groupby(lines, key=group_of):
        group = list(members)
        if name in seen:
            raise group[0].error(f"group: {name} comes again (the answers to one task must be adjacent)")
        seen.add(name)
        answers = [answer(line, options.tokenizer) for line in group]
        lonely += sum(one is not None and one.reward is not None for one in answers) < 2
        with uncollected():
            values = aligned(answers, numbers)
        for line, one, value in zip(group, answers, values, strict=True):
            yield (one.record if one else line.record) | {"align": value | {"config": config}}
    if lonely:
        console.note(f"{lonely} of {len(seen)} groups have fewer than two scorable answers: their advantages are 0")


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Without the search for cycles, of which there are none: with a long answer it took a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def group_of(line: Line) -> str:
    """The name of a record's group."""
    name = line.record.get("group")
    if not isinstance(name, str):
        raise line.error(f"group: expected a string, not {jsonl.kind(name)}")
    return name


def answer(line: Line, tokenizer: str | None) -> Answer | None:
    """The answer in a record, None if `rollout` could not have it; RecordError if it cannot be used."""
    if line.record.get("rollout", "missing") is None and line.record.get("error"):
        return None
    record = records.need(line, "task", "rollout", "judge")
    rollout, artifact = record["rollout"], record["judge"]["artifact"]
    if artifact and not is_place(artifact, len(rollout["text"])):
        place = f"{artifact['start']} to {artifact['end']}"
        raise line.error(f"judge.artifact: {place} is no place in rollout.text ({len(rollout['text'])} characters)")
    if not rollout["tokens"]:
        if tokenizer is None:
            raise line.error("rollout.tokens: empty (name the model that wrote the text: --tokenizer MODEL)")
        line = retokenized(line, tokenizer)
        rollout = line.record["rollout"]
    offsets = rollout["offsets"]
    if len(offsets) != len(rollout["tokens"]):
        raise line.error(f"rollout.offsets: {len(offsets)} for {len(rollout['tokens'])} tokens")
    try:
        return Answer(line, Tokens(offsets, len(rollout["text"])))
    except ValueError as error:
        raise line.error(f"rollout.offsets: {error}") from None


def retokenized(line: Line, tokenizer: str) -> Line:
    """The record with the tokens that a model's tokenizer makes of its answer: not those that were sampled.

    They stand in `rollout`, with the tokenizer's digest, so that whoever reads the credit knows what it is for.
    """
    text = line.record["rollout"]["text"]
    records.need_unicode(line, "rollout.text", text)
    splitter = _tokenizer(tokenizer)
    split = splitter.split(text)
    if split is None:
        raise line.error(f"rollout.text: the tokens of {tokenizer} make another text (name the model that wrote it)")
    tokens, decoded = split
    made = {"tokens": tokens, "offsets": decoded.offsets, "tokenizer": splitter.digest}
    return Line(line.record | {"rollout": line.record["rollout"] | made}, line.file, line.number)


@cache
def _tokenizer(name: str) -> Any:
    from rcca_cli import models

    return models.load_tokenizer(name)
