"""One judged answer, made ready for attribution: the units of its code, its tokens, its verdicts."""

from collections import Counter
from functools import cached_property
from typing import Any

from rcca_cli import source
from rcca_cli.credit import UnitMap
from rcca_cli.jsonl import Line
from rcca_cli.rewards import rubric
from rcca_cli.units import Tokens
from rcca_cli.units.words import words

FEW = 3  # a word in at most this many units counts in full


class Answer:
    """All places are code points of `text`, the whole answer; the units are those that sampled tokens cover."""

    def __init__(self, line: Line, tokens: Tokens) -> None:
        self.line = line
        self.record = line.record
        self.judge: dict[str, Any] = line.record["judge"]
        self.rubric: list[dict[str, Any]] = line.record["task"]["rubric"]
        self.text: str = line.record["rollout"]["text"]
        self.tokens = tokens
        self._lexical: dict[frozenset[str], list[float]] = {}
        self.comparisons: dict[int, Any] = {}  # with other answers, as far as they were asked for
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
    def code_counts(self) -> Counter[str]:
        """How many units are written so."""
        return Counter(self.codes)

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The telling words of each unit."""
        return [words(code) for code in self.codes]

    @cached_property
    def word_counts(self) -> Counter[str]:
        """In how many units each word is."""
        return Counter(word for found in self.words for word in found)

    def lexical(self, told: frozenset[str]) -> list[float]:
        """1 − 2^−h for each unit, h the words it shares with some others, those in many units counting less."""
        if told not in self._lexical:
            worth = {word: min(1.0, FEW / count) for word, count in self.word_counts.items() if word in told}
            hits = [sum(worth[word] for word in sorted(found & told)) for found in self.words]
            self._lexical[told] = [1 - 2**-hit for hit in hits]
        return self._lexical[told]


def moved(unit: source.Unit, by: int) -> source.Unit:
    """The same unit in a text that begins `by` characters earlier."""
    scope = unit.scope_start + by, unit.scope_end + by
    return source.Unit(unit.kind, unit.start + by, unit.end + by, *scope, unit.name)
