"""From records to rows: what an update is made of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli import records
from rcca_cli.jsonl import Line

IDS = 2**31  # more than any vocabulary has, and what other trainers' formats hold
SURE = 1e-3  # a log-probability may be above 0 by rounding, and by no more


@dataclass(frozen=True)
class Row:
    """One rollout with its credit. All lists but `prompt` have one entry a sampled token."""

    id: str
    prompt: list[int]
    tokens: list[int]
    advantage: float  # of the sequence
    advantages: list[float]
    old: list[float] | None  # log-probabilities before the step; None: the policy's own
    temperature: float  # what logits are divided by, so that they are comparable with `old`
    truncated: bool  # the answer ran into its length limit
    counted: int  # tokens in the denominators, whatever `sparse` leaves out
    scored: Sequence[int]  # indexes of the tokens whose log-probabilities are computed
    sampler: list[float] | None = None  # the engine's log-probabilities, where `old` is not they
    scale: float = 0.0  # what its token losses are multiplied by, once the rows of the update are known
    rank: int = 0  # the process that computes it

    @property
    def length(self) -> int:
        """Positions the model is run on: the last token is only ever predicted."""
        return len(self.prompt) + len(self.tokens) - 1

    def sparse(self) -> "Row":
        """The row up to its last token with any credit, those with credit scored: the gradient is the same exactly.

        Later tokens cannot change it (causality); a token without credit has none of its own.
        """
        scored = [index for index, number in enumerate(self.advantages) if number != 0]
        return replace(self, tokens=self.tokens[: scored[-1] + 1 if scored else 0], scored=scored)


@dataclass(frozen=True)
class Group:
    """The rollouts of one task: the records as read and the rows that can be trained on."""

    name: str
    lines: list[Line]
    rows: list[Row]


def read_row(line: Line, credit: str) -> Row | None:
    """The row of one record, None if it could not be had (`rollout` is null) or scored (`align.advantages` is)."""
    if "rollout" in line.record and line.record["rollout"] is None:
        return None
    judged = ["judge"] if line.record.get("judge") is not None else []  # for the metrics alone
    records.need(line, "task", "rollout", "align", *judged)
    return credited(line, credit)


def credited(line: Line, credit: str) -> Row | None:
    """The row of a record whose `rollout` and `align` are in their right shape; None if it could not be scored.

    RecordError for a record without tokens, for ids that are none, for lists of different lengths, and for
    `--credit weights` on credit whose sign only `advantages` knows.
    """
    record = line.record
    rollout, align = record["rollout"], record["align"]
    if align["mode"] == "rubric" and credit == "weights":
        raise line.error("align.weights: mode rubric has signs that weights cannot say (use --credit advantages)")
    if align["advantages"] is None or align["advantage"] is None:
        return None
    for key in ("tokens", "prompt_ids"):
        if not rollout[key]:
            raise line.error(
                f"rollout.{key}: empty, of an answer known as text only: the update needs the ids that were sampled "
                "(roll out with a backend that has them, or --objective sft)"
            )
    check_ids(line, IDS, lambda token: f"{token} is no token's id")
    numbers = align[credit] or []
    if len(numbers) != len(rollout["tokens"]):
        raise line.error(f"align.{credit}: {len(numbers)} numbers for {len(rollout['tokens'])} tokens")
    if credit == "weights" and min(numbers) < 0:
        raise line.error(f"align.weights: {min(numbers):g}, and a weight is at least 0 (use --credit advantages)")
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
        range(len(rollout["tokens"])),
    )


def check_ids(line: Line, most: int, words: Callable[[int], str]) -> None:
    """RecordError, in words about the first such id, if one of prompt or answer is not in [0, most)."""
    for key in ("prompt_ids", "tokens"):
        ids = line.record["rollout"][key]
        if wrong := [token for token in ids if not 0 <= token < most]:
            raise line.error(f"rollout.{key}.{ids.index(wrong[0])}: {words(wrong[0])}")


def sampled_with(line: Line, rollout: dict[str, Any]) -> tuple[list[float] | None, float]:
    """The sampler's log-probabilities, where they can be compared with ours, and the temperature they are at."""
    logprobs, basis = rollout["logprobs"], rollout["logprobs_basis"]
    temperature = (rollout.get("sampling") or {}).get("temperature")
    temperature = 1.0 if temperature is None else temperature
    coldest, hottest = records.TEMPERATURES
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not number or not (temperature == 0 or coldest <= temperature <= hottest):
        raise line.error(f"rollout.sampling.temperature: expected a number from {coldest:g} to {hottest:g}, or 0")
    if logprobs and len(logprobs) != len(rollout["tokens"]):
        raise line.error(f"rollout.logprobs: {len(logprobs)} numbers for {len(rollout['tokens'])} tokens")
    if None in logprobs:  # one is not known: all of the row's are computed anew
        logprobs = []
    for index, logprob in enumerate(logprobs):
        if logprob > SURE:
            raise line.error(f"rollout.logprobs.{index}: {logprob:g}, and the logarithm of a probability is at most 0")
    if logprobs and basis == "raw":
        return logprobs, 1.0
    if temperature <= 0:  # greedy: no distribution was sampled from
        return None, 1.0
    return (logprobs if logprobs and basis == "temperature" else None), float(temperature)


def groups(lines: Iterable[Line], credit: str) -> Iterator[Group]:
    """The groups of the input, one in memory at a time.

    RecordError if one comes back after another, and for two records of one id in a group.
    """
    seen: set[str] = set()
    group, names = Group("", [], []), set[str]()
    for line in lines:
        row = read_row(line, credit)
        name = str(line.record.get("group"))
        if name != group.name:
            if name in seen:
                raise line.error(f"group: {name} came before (the records of a group must be adjacent)")
            seen.add(name)
            if group.lines:
                yield group
            group, names = Group(name, [], []), set()
        group.lines.append(line)
        if row is not None:
            if row.id in names:
                raise line.error(f"id: {row.id} came before (it would count twice)")
            names.add(row.id)
            group.rows.append(row)
    if group.lines:
        yield group


def ramped(row: Row, share: float) -> Row:
    """The row with credit between the sequence's (share 0) and its own (share 1): a + share (a_t - a)."""
    if share == 1:
        return row
    return replace(row, advantages=[row.advantage + share * (own - row.advantage) for own in row.advantages])
