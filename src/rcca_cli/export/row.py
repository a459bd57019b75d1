"""One rollout as other trainers take it: the ids that were sampled, and credit for each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from rcca_cli import records
from rcca_cli.jsonl import Line

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

    RecordError for a record without tokens, for lists of different lengths, and for weights of mode `rubric`, in which
    tokens of one answer differ in sign.
    """
    if line.record.get("rollout", "missing") is None:
        counts.unanswered += 1
        return None
    record = records.need(line, "task", "rollout", "align")
    rollout, align = record["rollout"], record["align"]
    if credit == "weights" and align["mode"] == "rubric":
        raise line.error("align.weights: mode rubric has signs that weights cannot say (use --credit advantages)")
    if align["advantages"] is None or align["advantage"] is None:
        counts.unscored += 1
        return None
    if not rollout["tokens"] or not rollout["prompt_ids"]:
        raise line.error("rollout.tokens: empty, and credit is per token (roll out with a backend that has ids)")
    numbers = [float(number) for number in align[credit] or []]
    for place, given in ((f"align.{credit}", numbers), ("rollout.logprobs", rollout["logprobs"])):
        if len(given) != len(rollout["tokens"]) and (given or place != "rollout.logprobs"):
            raise line.error(f"{place}: {len(given)} numbers for {len(rollout['tokens'])} tokens")
    logprobs, temperature = _sampled_with(line, rollout)
    reward = (record.get("judge") or {}).get("reward")
    return Row(
        line=line,
        id=record["id"],
        group=record["group"],
        prompt=[{"role": turn["role"], "content": turn["content"]} for turn in record["task"]["prompt"]],
        prompt_ids=rollout["prompt_ids"],
        tokens=rollout["tokens"],
        text=rollout["text"],
        advantages=numbers if credit == "advantages" else [align["advantage"] * weight for weight in numbers],
        weights=numbers if credit == "weights" else None,
        logprobs=logprobs,
        temperature=temperature,
        reward=None if reward is None else float(reward),
        finish_reason=rollout["finish_reason"],
        model=rollout["model"],
        tokenizer=rollout.get("tokenizer"),
    )


def _sampled_with(line: Line, rollout: dict[str, Any]) -> tuple[list[float] | None, float]:
    """The sampler's log-probabilities, where a trainer can repeat them, and the temperature they are at."""
    temperature = (rollout.get("sampling") or {}).get("temperature")
    temperature = 1.0 if temperature is None else temperature
    if isinstance(temperature, bool) or not isinstance(temperature, int | float):
        raise line.error("rollout.sampling.temperature: expected a number")
    logprobs, basis = [float(number) for number in rollout["logprobs"]] or None, rollout["logprobs_basis"]
    if basis == "raw":
        return logprobs, 1.0
    if temperature <= 0:  # greedy: no distribution was sampled from
        return None, 1.0
    return (logprobs if basis == "temperature" else None), float(temperature)
