"""One rubric item in one answer, with all that the sources of attribution may look at."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rcca_cli.align.answer import Answer
from rcca_cli.align.comparison import Comparison, Omission, nearest, omissions
from rcca_cli.units import matching, references
from rcca_cli.units.matching import Match
from rcca_cli.units.showing import HIDES
from rcca_cli.units.words import words

ELSEWHERE = 0.3  # what a place is worth that has what is missing at the fault
SYNTAX = frozenset(["do", "expect", "op", "as", "what", "role"])  # keys of the check language whose values are its own

DECLARES = re.compile(r"\{ ([\w-]+):")  # in the detail of a rule that hides what was looked for
# What evaluators say of each kind of failure, where they do not say which it is.
KINDS = {
    "exception": re.compile(r"\b(?:Uncaught|\w*Error:|throws?\b|exception)"),
    "dead": re.compile(
        r"\b(?:do(?:es)? nothing|no effect|nothing happens|(?:not|n't) (?:respond|react)|unresponsive)", re.I
    ),
    "visual": re.compile(
        r"\b(?:contrast|illegible|legible|unreadable|readab\w+|WCAG|font|misaligned|overlap\w*|pale|faint|spacing|cramped"
        r"|gr[ae]y|colou?rs?)\b",
        re.I,
    ),
}
NAMED = re.compile(r"\b(?:class|id|data-[\w-]+)\s*=\s*[\"']?([^\"'>]+)")


@dataclass(frozen=True)
class Case:
    """One item in one answer, as the sources see it.

    `contrast` are the group's answers with the other verdict on the item, `peers` those with the same.
    """

    answer: Answer
    item: dict[str, Any]
    verdict: dict[str, Any]
    contrast: Sequence[Answer] = ()
    peers: Sequence[Answer] = ()

    @cached_property
    def kind(self) -> str:
        """The kind of failure, or "passed"; "visibility" is a visual failure of no CSS property in particular."""
        if self.verdict["passed"]:
            return "passed"
        failure = self.verdict["failure"] or kind_of(self.verdict["diagnosis"] or "")
        by_markup = (self.hiders and not self.hiding) or not self.properties
        return "visibility" if failure == "visual" and self.item["check"] and by_markup else failure

    @cached_property
    def hiders(self) -> list[dict[str, Any]]:
        """The evidence of elements that hide what the check looked for."""
        return [row for row in self.evidence("element") if row["detail"].endswith(f" {HIDES}")]

    @cached_property
    def hiding(self) -> frozenset[str]:
        """The CSS properties by which a rule hides what the check looked for."""
        return frozenset(found[1] for row in self.evidence("css") if (found := DECLARES.search(row["detail"])))

    @cached_property
    def blind(self) -> bool:
        """Whether an evaluator's words are all there is: no check, and nothing that a browser has seen."""
        return self.item["check"] is None and all(row["kind"] == "quote" for row in self.verdict["evidence"])

    @cached_property
    def comparison(self) -> Comparison | None:
        """The answer next to the most alike of those with the other verdict."""
        return nearest(self.answer, self.contrast)

    @cached_property
    def omissions(self) -> list[Omission]:
        """Where a failing answer left out code that all passing siblings have."""
        if self.kind == "passed" or self.comparison is None:
            return []
        return omissions(self.comparison, self.contrast)

    @cached_property
    def told(self) -> frozenset[str]:
        """The telling words of the requirement and its check."""
        return words(f"{self.item['requirement']} {' '.join(strings(self.check))}")

    @cached_property
    def check(self) -> Any:
        """The item's check as JSON, None if it has none that can be read."""
        try:
            return json.loads(self.item["check"] or "null")
        except (ValueError, RecursionError):
            return None

    @cached_property
    def named(self) -> list[list[Match]]:
        """For each reference of the evaluator's the places that it means; a place that it gave is taken at its word."""
        rows = self.evidence("quote")
        placed = [[Match(row["start"], row["end"], 1.0)] for row in rows if row["start"] < row["end"]]
        told = [references.given(row["detail"]) for row in rows if row["start"] == row["end"] and row["detail"].strip()]
        # The words of a check's own diagnosis are no judgement: next to a sibling's code they tell nothing new.
        prose = (self.verdict["diagnosis"] or "") if self.item["check"] is None or self.comparison is None else ""
        told = list(dict.fromkeys(told + references.references(prose)))
        found = [(reference.wanted, matching.find(reference, self.answer.code, told)) for reference in told]
        return placed + [_elsewhere(places) if wanted else places for wanted, places in found if places or not wanted]

    @cached_property
    def properties(self) -> frozenset[str]:
        """The CSS properties that hide what the check looks for, else those that it looks at."""
        return self.hiding or frozenset(strings(self.check, only="property"))

    @cached_property
    def element_names(self) -> frozenset[str]:
        """The ids, classes and data attributes in the markup of the elements that were acted on or looked at."""
        text = self.answer.text
        written = (text[row["start"] : row["end"]] for row in self.evidence("element"))
        return frozenset(name for code in written for found in NAMED.finditer(code) for name in found.group(1).split())

    @cached_property
    def expected(self) -> frozenset[str]:
        """What the check expects to see, in the words of the check language: visible, text, count …"""
        return frozenset(strings(self.check, only="expect"))

    def evidence(self, kind: str) -> list[dict[str, Any]]:
        """The verdict's evidence of a kind, what lies outside the text left out."""
        size = len(self.answer.text)
        rows = (row for row in self.verdict["evidence"] if row["kind"] == kind)
        return [row for row in rows if 0 <= row["start"] <= row["end"] <= size]


def _elsewhere(places: list[Match]) -> list[Match]:
    """Places of what the code should have said: it is right there, and wrong where it is not."""
    return [replace(place, quality=place.quality * ELSEWHERE) for place in places]


def kind_of(diagnosis: str) -> str:
    """The kind of failure that an evaluator's words speak of; an omission is never guessed.

    >>> [kind_of(words) for words in ("TypeError: x is null", "The button does nothing", "Grey on white", "Shows 3")]
    ['exception', 'dead', 'visual', 'silent']
    """
    return next((kind for kind, pattern in KINDS.items() if pattern.search(diagnosis)), "silent")


def strings(value: Any, only: str | None = None) -> Iterator[str]:
    """The strings in a check that may be in the code too, or those under one key; not the words of the language."""
    todo = [(value, only)]
    while todo:
        value, only = todo.pop()
        if isinstance(value, str):
            if only is None:
                yield value
        elif isinstance(value, list):
            todo += [(part, only) for part in reversed(value)]
        elif isinstance(value, dict):
            inner = [(part, None if key == only else only) for key, part in value.items() if key not in SYNTAX - {only}]
            todo += reversed(inner)
