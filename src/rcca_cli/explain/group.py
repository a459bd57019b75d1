"""One group of aligned records, and the members that its credit was reckoned from, found anew as `align` finds them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from rcca_cli import records
from rcca_cli.align import group as aligning
from rcca_cli.align import stage as align
from rcca_cli.align.answer import Answer
from rcca_cli.credit import Member, Options, signal
from rcca_cli.jsonl import Line


@dataclass(frozen=True)
class Group:
    """The records of one task and their answers, None where there is none."""

    lines: Sequence[Line]
    answers: Sequence[Answer | None]

    @staticmethod
    def of(lines: Sequence[Line]) -> "Group":
        """RecordError for a record that is not aligned, or whose credit is not one number a token."""
        return Group(lines, [checked(line) for line in lines])

    @cached_property
    def scored(self) -> list[Answer]:
        """The answers that have credit."""
        return [one for one in self.answers if one is not None and is_scored(one.record["align"])]

    @cached_property
    def mode(self) -> str:
        """How the group's credit was given, "" if nothing is aligned."""
        modes = [line.record["align"]["mode"] for line in self.lines if line.record.get("align")]
        return str(modes[0]) if modes else ""

    @cached_property
    def members(self) -> list[Member]:
        """What the credit of each answer that has any depends on."""
        cases = [aligning.located(one, self.scored) for one in self.scored]
        return [aligning.member(one, case, self.mode) for one, case in zip(self.scored, cases, strict=True)]

    @cached_property
    def advantages(self) -> list[np.ndarray]:
        """Those in the records, (token,) each."""
        return [np.asarray(one.record["align"]["advantages"], dtype=float) for one in self.scored]

    @cached_property
    def share(self) -> float | None:
        """λ, which is not in the record and so is solved for; None where it made no difference."""
        return signal.sequence_share(self.members, self.advantages)

    @cached_property
    def options(self) -> Options | None:
        """How mode rubric made these advantages; None if it did not, or not from these verdicts and places."""
        rewarded = [one for one in self.answers if one is not None and one.reward is not None]
        if self.mode != "rubric" or rewarded != self.scored:
            return None
        options = Options() if self.share is None else Options(sequence_share=self.share)
        return options if signal.is_same(self.members, self.advantages, options) else None


def groups(lines: Iterable[Line]) -> Iterator[Group]:
    """The groups of the input, one in memory at a time. RecordError for one that comes again."""
    seen: set[str] = set()
    for name, members in groupby(lines, key=align.group_of):
        found = list(members)
        if name in seen:
            raise found[0].error(f"group: {name} comes again (the answers to one task must be adjacent)")
        seen.add(name)
        yield Group.of(found)


def checked(line: Line) -> Answer | None:
    """The answer in an aligned record, None if it could not be had."""
    if "rollout" in line.record and line.record["rollout"] is None:
        records.need(line, "task")
        return None
    record = records.need(line, "task", "rollout", "judge", "align")
    tokens = record["rollout"]["tokens"]
    if not tokens:
        raise line.error("rollout.tokens: empty (`rcca align --tokenizer MODEL` says which tokens the credit is for)")
    if is_scored(record["align"]) and len(record["align"]["advantages"]) != len(tokens):
        raise line.error(f"align.advantages: {len(record['align']['advantages'])} numbers for {len(tokens)} tokens")
    return align.answer(line, None)


def is_scored(credit: dict[str, Any]) -> bool:
    """Whether there is credit in an `align`."""
    return credit["advantages"] is not None and credit["advantage"] is not None
