"""One judged answer, made ready for attribution: the units of its code, its tokens, its verdicts."""

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from rcca_cli import source
from rcca_cli.credit import UnitMap
from rcca_cli.jsonl import Line
from rcca_cli.rewards import rubric
from rcca_cli.units import Tokens
from rcca_cli.units.code import Code
from rcca_cli.units.words import words

T = TypeVar("T")
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
        self._made: dict[Any, Any] = {}
        self.comparisons: dict[int, Any] = {}  # with other answers, as far as they were asked for
        self.shared: dict[int, int] = {}  # how many units they have too, likewise
        artifact = self.judge["artifact"]
        self.start: int = artifact["start"] if artifact else 0
        self.end: int = artifact["end"] if artifact else len(self.text)

    @property
    def reward(self) -> float | None:
        """The reward, None if it is not known."""
        return self.judge["reward"]

    @cached_property
    def gates(self) -> list[dict[str, Any]]:
        """The gates, without a place that lies outside the text."""
        return [
            gate if is_place(gate, len(self.text)) else gate | {"start": None, "end": None}
            for gate in self.judge["gates"]
        ]

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
    def page(self) -> list[source.Unit]:
        """All units of the page, by whose numbers evaluators may name them."""
        if self.judge["artifact"] is None:
            return []
        return [moved(unit, self.start) for unit in source.units(self.text[self.start : self.end])]

    @cached_property
    def units(self) -> UnitMap:
        """The units of the page that sampled tokens cover."""
        lengths = self.tokens.lengths([(unit.start, unit.end) for unit in self.page])
        return UnitMap([unit for unit, length in zip(self.page, lengths, strict=True) if length > 0])

    @cached_property
    def code(self) -> Code:
        """The page as quotes are looked for in it."""
        return Code(self.text, self.start, self.end, self.page)

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

    def once(self, make: Callable[["Answer"], T]) -> T:
        """What is made of this answer by a source, made once."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    def lexical(self, told: frozenset[str]) -> list[float]:
        """1 − 2^−h for each unit, h the words it shares with some others, those in many units counting less."""
        if told not in self._lexical:
            worth = {word: min(1.0, FEW / count) for word, count in self.word_counts.items() if word in told}
            told_here = [found & worth.keys() for found in self.words]
            hits = [sum(worth[word] for word in sorted(found)) if found else 0.0 for found in told_here]
            self._lexical[told] = [1 - 2**-hit for hit in hits]
        return self._lexical[told]


def is_place(row: dict[str, Any], size: int) -> bool:
    """Whether `start` and `end` of a row are a place in a text of this size."""
    start, end = row["start"], row["end"]
    return start is not None and end is not None and 0 <= start <= end <= size


def moved(unit: source.Unit, by: int) -> source.Unit:
    """The same unit in a text that begins `by` characters earlier."""
    scope = unit.scope_start + by, unit.scope_end + by
    return source.Unit(unit.kind, unit.start + by, unit.end + by, *scope, unit.name)
