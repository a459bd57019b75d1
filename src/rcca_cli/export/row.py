"""One rollout as other trainers take it: the ids that were sampled, and credit for each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rcca_cli import records
from rcca_cli.jsonl import Line
from rcca_cli.train import batch

CREDITS = ("advantages", "weights")


@dataclass(frozen=True)
class Row:
    """A rollout with credit. `advantages`, `weights` and `logprobs` have one number for each of `tokens`.

    `advantages` is what a policy gradient multiplies. `weights` is only there if they were asked for: then
    `advantages` is the sequence's advantage times them. `logprobs` are the sampler's, of logits divided by
    `temperature`; None where the record has none of that kind.
    """

    line: Line
    id: str
    group: str
    prompt: list[dict[str, Any]]
    prompt_ids: list[int]
    tokens: list[int]
    text: str
    advantages: list[float]
    weights: list[float] | None
    logprobs: list[float] | None
    temperature: float
    reward: float | None
    finish_reason: str | None
    model: str | None
    tokenizer: str | None

    @property
    def origin(self) -> dict[str, str | None]:
        """Whose tokens these are."""
        return {"model": self.model, "tokenizer": self.tokenizer}

    def needed_logprobs(self, reader: str) -> list[float]:
        """The sampler's log-probabilities; RecordError without them, for `reader` cannot do without."""
        if self.logprobs is None:
            raise self.line.error(
                f"rollout.logprobs: none that can be repeated, and {reader} needs the sampler's (roll out without "
                "top-k and top-p, or export to trl or verl, which compute their own)"
            )
        return self.logprobs


@dataclass
class Counts:
    """What a call has left out, and whose answers it has seen."""

    rows: int = 0
    unscored: int = 0  # `align.advantages` is null
    unanswered: int = 0  # `rollout` is null
    models: dict[str, None] = field(default_factory=dict)
    tokenizer: str | None = None

    def add(self, row: Row) -> None:
        """Count a row. RecordError if its ids are another tokenizer's than those before it."""
        self.rows += 1
        self.models[row.model or "not known"] = None
        if row.tokenizer is not None and row.tokenizer != (self.tokenizer or row.tokenizer):
            raise row.line.error(
                f"rollout.tokenizer: {row.tokenizer} after {self.tokenizer} (export one model's records at a time)"
            )
        self.tokenizer = self.tokenizer or row.tokenizer


def groups(lines: Iterable[Line], credit: str, counts: Counts) -> Iterator[list[Row]]:
    """The rows of each group, one group in memory at a time; groups without any are left out.

    RecordError if a group comes back after another, and for two records of one id in a group.
    """
    seen: set[str] = set()
    for name, members in groupby(lines, key=lambda line: str(line.record.get("group"))):
        rows: dict[str, Row] = {}
        for line in members:
            if name in seen:
                raise line.error(f"group: {name} came before (the records of a group must be adjacent)")
            row = read(line, credit, counts)
            if row is None:
                continue
            if row.id in rows:
                raise line.error(f"id: {row.id} came before")
            counts.add(row)
            rows[row.id] = row
        seen.add(name)
        if rows:
            yield list(rows.values())


def read(line: Line, credit: str, counts: Counts) -> Row | None:
    """The row of a record; None, counted, if it has no answer or could not be scored.

    RecordError for what `rcca train` could not use either (`batch.read_row`), and for text that no other format holds.
    """
    if line.record.get("rollout", "missing") is None:
        counts.unanswered += 1
        return None
    used = batch.read_row(line, credit)
    if used is None:
        counts.unscored += 1
        return None
    record, rollout = line.record, line.record["rollout"]
    refuse_halves(line)
    reward = (record.get("judge") or {}).get("reward")
    return Row(
        line=line,
        id=used.id,
        group=record["group"],
        prompt=[{"role": turn["role"], "content": turn["content"]} for turn in record["task"]["prompt"]],
        prompt_ids=used.prompt,
        tokens=used.tokens,
        text=rollout["text"],
        advantages=_floats(used.advantages),
        weights=_floats(record["align"]["weights"]) if credit == "weights" else None,
        logprobs=None if used.old is None else _floats(used.old),
        temperature=used.temperature,
        reward=None if reward is None else float(reward),
        finish_reason=rollout["finish_reason"],
        model=rollout["model"],
        tokenizer=rollout.get("tokenizer"),
    )


def refuse_halves(line: Line) -> None:
    """RecordError for half a character in what is handed on as text: JSON can hold it, other formats cannot."""
    record = line.record
    named = {"id": record["id"], "group": record["group"], "rollout.text": record["rollout"]["text"]}
    named |= {f"rollout.{key}": record["rollout"].get(key) or "" for key in ("model", "tokenizer")}
    for number, turn in enumerate(record["task"]["prompt"]):
        named |= {f"task.prompt.{number}.{key}": turn[key] for key in ("role", "content")}
    for place, text in named.items():
        records.need_unicode(line, place, text)


def _floats(numbers: Iterable[float]) -> list[float]:
    """The numbers as one type: JSON writes some without a point."""
    return [float(number) for number in numbers]
