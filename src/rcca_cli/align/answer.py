"""One judged answer, made ready for attribution: the units of its code, its tokens, its verdicts."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rcca_cli import source
from rcca_cli.credit import UnitMap
from rcca_cli.jsonl import Line
from rcca_cli.rewards import rubric
from rcca_cli.units import Tokens
from rcca_cli.units.words import words

SYNTAX = frozenset(["do", "expect", "op", "as", "what", "role"])  # keys of the check language whose values are its own


class Answer:
    """All places are code points of `text`, the whole answer; the units are those that sampled tokens cover."""

    def __init__(self, line: Line, tokens: Tokens) -> None:
        self.line = line
        self.record = line.record
        self.judge: dict[str, Any] = line.record["judge"]
        self.rubric: list[dict[str, Any]] = line.record["task"]["rubric"]
        self.text: str = line.record["rollout"]["text"]
        self.tokens = tokens
        artifact = self.judge["artifact"]
        self.start: int = artifact["start"] if artifact else 0
        self.end: int = artifact["end"] if artifact else len(self.text)

    @property
    def reward(self) -> float | None:
        """The reward, None if it is not known."""
        return self.judge["reward"]

    @cached_property
    def verdicts(self) -> dict[str, dict[str, Any]]:
        """The verdicts on the rubric's items, by id."""
        names = {item["id"] for item in self.rubric}
        return {row["rubric"]: row for row in self.judge["verdicts"] if row["rubric"] in names}

    @cached_property
    def creditable(self) -> dict[str, bool | None]:
        """Whether each item passed, by id; None where that is not known, not reached, or a parent's doing."""
        if self.judge["level"] != "functional":
            return {item["id"]: None for item in self.rubric}
        return rubric.creditable(self.rubric, list(self.verdicts.values()))

    @cached_property
    def units(self) -> UnitMap:
        """The units of the page."""
        if self.judge["artifact"] is None:
            return UnitMap([])
        found = [moved(unit, self.start) for unit in source.units(self.text[self.start : self.end])]
        lengths = self.tokens.lengths([(unit.start, unit.end) for unit in found])
        return UnitMap([unit for unit, length in zip(found, lengths, strict=True) if length > 0])

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where the units are."""
        return [(unit.start, unit.end) for unit in self.units.units]

    @cached_property
    def codes(self) -> list[str]:
        """The units as written, but for the space in them."""
        return [" ".join(self.text[start:end].split()) for start, end in self.spans]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The telling words of each unit."""
        return [words(code) for code in self.codes]

    @cached_property
    def word_counts(self) -> Counter[str]:
        """In how many units each word is."""
        return Counter(word for found in self.words for word in found)


def moved(unit: source.Unit, by: int) -> source.Unit:
    """The same unit in a text that begins `by` characters earlier."""
    return replace(
        unit,
        start=unit.start + by,
        end=unit.end + by,
        scope_start=unit.scope_start + by,
        scope_end=unit.scope_end + by,
    )


def strings(value: Any, only: str | None = None) -> Iterator[str]:
    """The strings in a check that may be in the code too, or those under one key; not the words of the language."""
    if isinstance(value, str):
        if only is None:
            yield value
    elif isinstance(value, list):
        for part in value:
            yield from strings(part, only)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key == only:
                yield from strings(part)
            elif key not in SYNTAX:
                yield from strings(part, only)


@dataclass(frozen=True)
class Case:
    """One item in one answer, as the sources see it: `kind` is the kind of failure, or "passed".

    `contrast` are the group's answers with the other verdict on the item: what this one is compared with.
    """

    answer: Answer
    item: dict[str, Any]
    verdict: dict[str, Any]
    kind: str
    contrast: Sequence[Answer] = ()

    @cached_property
    def told(self) -> frozenset[str]:
        """The telling words of the requirement and its check."""
        return words(f"{self.item['requirement']} {' '.join(strings(self.check))}")

    @cached_property
    def check(self) -> Any:
        """The item's check as JSON, None if it has none that can be read."""
        try:
            return json.loads(self.item["check"] or "null")
        except ValueError:
            return None

    @cached_property
    def properties(self) -> frozenset[str]:
        """The CSS properties that the check looks at."""
        return frozenset(strings(self.check, only="property"))

    def evidence(self, kind: str) -> list[dict[str, Any]]:
        """The verdict's evidence of a kind, what lies outside the text left out."""
        size = len(self.answer.text)
        rows = (row for row in self.verdict["evidence"] if row["kind"] == kind)
        return [row for row in rows if 0 <= row["start"] <= row["end"] <= size]
