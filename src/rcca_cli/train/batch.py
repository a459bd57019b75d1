"""From records to rows to tensors: what an update is made of, without a token of padding in the loss."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

from rcca_cli import records
from rcca_cli.jsonl import Line

HOTTEST = 1e6  # at this temperature all tokens are equally likely


@dataclass(frozen=True)
class Row:
    """One rollout with its credit. All lists but `prompt` have one entry a sampled token."""

    id: str
    prompt: list[int]
    tokens: list[int]
    advantage: float  # of the sequence
    advantages: list[float]
    old: list[float] | None  # log-probabilities under the policy that sampled; None: to be computed
    temperature: float  # what logits are divided by, so that they are comparable with `old`
    truncated: bool  # the answer ran into its length limit
    counted: int  # tokens in the denominators; more than len(tokens) after `without_tail`
    scale: float = 0.0  # what its token losses are multiplied by, once the rows of the update are known

    @property
    def length(self) -> int:
        """Positions the model is run on: the last token is only ever predicted."""
        return len(self.prompt) + len(self.tokens) - 1

    def without_tail(self) -> "Row":
        """The row up to its last token with any credit. Later tokens cannot change the gradient (causality)."""
        end = len(self.tokens)
        while end and self.advantages[end - 1] == 0:
            end -= 1
        cut = {name: getattr(self, name)[:end] for name in ("tokens", "advantages")}
        return replace(self, **cut, old=None if self.old is None else self.old[:end])


@dataclass(frozen=True)
class Group:
    """The rollouts of one task: the records as read and the rows that can be trained on."""

    name: str
    lines: list[Line]
    rows: list[Row]


@dataclass(frozen=True)
class Micro:
    """Rows that go through the model together, and what is asked of their sampled tokens.

    The rows are padded on the right, behind everything that is scored: with causal attention the padding
    changes nothing, and positions count from 0 in every row.
    """

    ids_BT: Tensor
    scored_BT: Tensor  # bool: positions whose next token was sampled; N of them
    labels_N: Tensor
    temperatures_N: Tensor


def read_row(line: Line, credit: str) -> Row | None:
    """The row of one record, None if it could not be had (`rollout` is null) or scored (`align.advantages` is).

    RecordError for a record without tokens, for lists of different lengths, and for `--credit weights` on
    credit whose sign only `advantages` knows.
    """
    if "rollout" in line.record and line.record["rollout"] is None:
        return None
    judged = ["judge"] if line.record.get("judge") is not None else []  # for the metrics alone
    record = records.need(line, "task", "rollout", "align", *judged)
    rollout, align = record["rollout"], record["align"]
    if align["mode"] == "rubric" and credit == "weights":
        raise line.error("align.weights: mode rubric has signs that weights cannot say (use --credit advantages)")
    if align["advantages"] is None or align["advantage"] is None:
        return None
    if not rollout["tokens"] or not rollout["prompt_ids"]:
        raise line.error("rollout.tokens: empty, and credit is per token (roll out with a backend that has ids)")
    numbers = align[credit] or []
    if len(numbers) != len(rollout["tokens"]):
        raise line.error(f"align.{credit}: {len(numbers)} numbers for {len(rollout['tokens'])} tokens")
    advantages = numbers if credit == "advantages" else [align["advantage"] * weight for weight in numbers]
    old, temperature = sampled_with(line, rollout)
    return Row(
        record["id"],
        rollout["prompt_ids"],
        rollout["tokens"],
        align["advantage"],
        advantages,
        old,
        temperature,
        rollout["finish_reason"] == "length",
        len(rollout["tokens"]),
    )


def sampled_with(line: Line, rollout: dict[str, Any]) -> tuple[list[float] | None, float]:
    """The sampler's log-probabilities, where they can be compared with ours, and the temperature they are at."""
    logprobs, basis = rollout["logprobs"], rollout["logprobs_basis"]
    temperature = (rollout.get("sampling") or {}).get("temperature")
    temperature = 1.0 if temperature is None else temperature
    if isinstance(temperature, bool) or not isinstance(temperature, int | float) or temperature > HOTTEST:
        raise line.error(f"rollout.sampling.temperature: expected a number up to {HOTTEST:.0f}")
    if logprobs and len(logprobs) != len(rollout["tokens"]):
        raise line.error(f"rollout.logprobs: {len(logprobs)} numbers for {len(rollout['tokens'])} tokens")
    if logprobs and basis == "raw":
        return logprobs, 1.0
    if temperature <= 0:  # greedy: no distribution was sampled from
        return None, 1.0
    return (logprobs if logprobs and basis == "temperature" else None), float(temperature)


def groups(lines: Iterable[Line], credit: str) -> Iterator[Group]:
    """The groups of the input, one in memory at a time. RecordError if one comes back after another."""
    seen: set[str] = set()
    group = Group("", [], [])
    for line in lines:
        row = read_row(line, credit)
        name = str(line.record.get("group"))
        if name != group.name:
            if name in seen:
                raise line.error(f"group: {name} came before (the records of a group must be adjacent)")
            seen.add(name)
            if group.lines:
                yield group
            group = Group(name, [], [])
        group.lines.append(line)
        if row is not None:
            group.rows.append(row)
    if group.lines:
        yield group


def ramped(row: Row, share: float) -> Row:
    """The row with credit between the sequence's (share 0) and its own (share 1): a + share (a_t - a)."""
    if share == 1:
        return row
    return replace(row, advantages=[row.advantage + share * (own - row.advantage) for own in row.advantages])


def micro_batches(rows: Sequence[Row], budget: int) -> list[list[Row]]:
    """The rows in batches of at most `budget` positions, padding included; a longer row stands alone.

    Sorted by length, so that little is padded; rows of equal length keep their order.
    """
    batches: list[list[Row]] = []
    for row in sorted(rows, key=lambda row: row.length):
        if batches and row.length * (len(batches[-1]) + 1) <= budget:
            batches[-1].append(row)
        else:
            batches.append([row])
    return batches


def tensors(rows: Sequence[Row], device: torch.device | str = "cpu") -> Micro:
    """The rows as one padded batch; `labels_N` lists the sampled tokens row after row."""
    width = max(row.length for row in rows)
    ids_BT = torch.zeros(len(rows), width, dtype=torch.long)
    scored_BT = torch.zeros(len(rows), width, dtype=torch.bool)
    for index, row in enumerate(rows):
        ids_BT[index, : row.length] = torch.tensor(row.prompt + row.tokens[:-1])
        scored_BT[index, len(row.prompt) - 1 : row.length] = True
    labels_N = torch.tensor([token for row in rows for token in row.tokens])
    temperatures_N = per_token(rows, [row.temperature for row in rows])
    return Micro(*(tensor.to(device) for tensor in (ids_BT, scored_BT, labels_N, temperatures_N)))


def per_token(rows: Sequence[Row], values: Sequence[float]) -> Tensor:
    """One value a row, repeated for each of its tokens: shape (N,)."""
    lengths = torch.tensor([len(row.tokens) for row in rows])
    return torch.tensor(values, dtype=torch.float32).repeat_interleave(lengths)


def flat(values: Iterable[Sequence[float]]) -> Tensor:
    """Lists with one number a token, rows one after the other, as one tensor (N,)."""
    return torch.tensor([number for row in values for number in row], dtype=torch.float32)


def split(values_N: Tensor, rows: Sequence[Row]) -> list[list[float]]:
    """The inverse of `flat`: one list a row."""
    ends = [0]
    for row in rows:
        ends.append(ends[-1] + len(row.tokens))
    numbers = values_N.tolist()
    return [numbers[start:end] for start, end in pairwise(ends)]
