"""One answer next to another of its group: what was changed, what was added, what was left out."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from rapidfuzz import fuzz

from rcca_cli.align import matched, renaming
from rcca_cli.align.answer import Answer
from rcca_cli.credit import calibration
from rcca_cli.units.words import common

AHEAD = 24  # units: how far ahead the other form of a unit is looked for
HEAD = 2000  # characters of a unit that are compared with those of another
TOKEN = re.compile(r"[\w$]+|[^\w\s]")
ROUNDS = 2
SAME_PLACE = 60  # percent alike: two differing units at one place are two forms of one


@dataclass(frozen=True)
class Comparison:
    """How `answer` differs from `sibling`, in units of each, by number."""

    answer: Answer
    sibling: Answer
    changed: list[tuple[int, int]]  # (the answer's unit, the sibling's form of it)
    added: list[int]  # the answer's
    left_out: list[tuple[int, int, int]]  # (the sibling's first, behind its last, the answer's unit that follows)
    names: Mapping[str, str] = field(default_factory=dict)  # the sibling's, by the answer's for the same thing

    @cached_property
    def differing(self) -> frozenset[int]:
        """The answer's units that are not in the sibling at their place."""
        return frozenset([unit for unit, _ in self.changed] + self.added)

    def core(self, unit: int, form: int) -> tuple[int, int]:
        """The part of the answer's unit that is not as in the sibling's form of it, in whole words; never empty."""
        start, end = self.answer.spans[unit]
        here = list(TOKEN.finditer(self.answer.text, start, end))
        there = TOKEN.findall(self.sibling.text, *self.sibling.spans[form])
        words = [self.names.get(match.group(), match.group()) for match in here]
        low = common(words, there)
        high = len(words) - common(words[low:][::-1], there[low:][::-1])
        if low < high:
            return here[low].start(), here[high - 1].end()
        return here[low].span() if low < len(here) else (end - 1, end)


@dataclass(frozen=True)
class Omission:
    """`start:end` is the token that went on without the sibling's units `first:last`."""

    start: int
    end: int
    first: int
    last: int


def agreed(answer: Answer, others: Sequence[Answer]) -> Callable[[int], bool]:
    """Whether all of some answers have a unit of this one, at its place; those that are too unlike have no say."""
    found = [comparison for other in others if other is not answer and (comparison := compare(answer, other))]
    return lambda unit: all(unit not in comparison.differing for comparison in found)


def cleared(answer: Answer, others: Sequence[Answer]) -> Callable[[int], bool]:
    """Whether one of some answers has a unit of this one, at its place."""
    found = [comparison for other in others if (comparison := compare(answer, other))]
    return lambda unit: any(unit not in comparison.differing for comparison in found)


def omissions(comparison: Comparison, passing: Sequence[Answer]) -> list[Omission]:
    """Where the answer went on without code of the sibling, of which some is in all passing answers."""
    answer, sibling = comparison.answer, comparison.sibling
    needed = agreed(sibling, passing)
    found = []
    for first, last, following in comparison.left_out:
        if not any(map(needed, range(first, last))):
            continue
        place = _parting(answer, sibling, following, first)
        token = int(np.searchsorted(answer.tokens.ends, place, side="right"))
        if token < answer.tokens.count:
            start, end = int(answer.tokens.starts[token]), int(answer.tokens.ends[token])
            found.append(Omission(start, end, first, last))
    return found


def _parting(answer: Answer, sibling: Answer, following: int, first: int) -> int:
    """Where the texts part, behind the last unit before the omission."""
    here = answer.spans[following - 1][1] if following else answer.start
    there = sibling.spans[first - 1][1] if first else sibling.start
    while here < len(answer.text) - 1 and there < len(sibling.text) and answer.text[here] == sibling.text[there]:
        here += 1
        there += 1
    return here


def compare(answer: Answer, sibling: Answer) -> Comparison | None:
    """The comparison; None if the two are not alike enough for their differences to mean something."""
    if id(sibling) not in answer.comparisons:
        answer.comparisons[id(sibling)] = _compared(answer, sibling)
    return answer.comparisons[id(sibling)]


def nearest(answer: Answer, siblings: Sequence[Answer]) -> Comparison | None:
    """The comparison with the sibling that shares most with the answer."""
    sibling = max(siblings, key=lambda other: _shared(answer, other), default=None)
    return None if sibling is None else compare(answer, sibling)


def _shared(answer: Answer, other: Answer) -> int:
    if id(other) not in answer.shared:
        answer.shared[id(other)] = other.shared[id(answer)] = (answer.code_counts & other.code_counts).total()
    return answer.shared[id(other)]


def _compared(answer: Answer, sibling: Answer) -> Comparison | None:
    if not answer.codes or not sibling.codes:
        return None
    names = renaming.names(answer, sibling)
    codes = renaming.renamed(answer, names)
    for _ in range(ROUNDS):  # what differs in its place shows more names
        pairs = [pair for stretch in _stretches(codes, sibling.codes) for pair in _forms(codes, sibling.codes, stretch)]
        more = renaming.more(answer, sibling, [(codes[one], sibling.codes[other]) for one, other in pairs])
        if not more.keys() - names.keys():
            break
        names = more | names
        codes = renaming.renamed(answer, names)
    shared = (Counter(codes) & sibling.code_counts).total() if names else _shared(answer, sibling)
    if shared < calibration.ALIKE * len(sibling.codes):
        return None
    changed: list[tuple[int, int]] = []
    added: list[int] = []
    left_out: list[tuple[int, int, int]] = []
    for stretch in _stretches(codes, sibling.codes):
        pairs = _forms(codes, sibling.codes, stretch)
        taken = {one for one, _ in pairs}
        changed += pairs
        added += [one for one in range(stretch[0], stretch[1]) if one not in taken]
        left_out += _runs(*stretch, pairs)
    return Comparison(answer, sibling, changed, added, left_out, names)


def _forms(here: Sequence[str], there: Sequence[str], stretch: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Which units of two differing stretches are forms of one another."""
    first, last, low, high = stretch
    return [(first + one, low + other) for one, other in _pairs(here[first:last], there[low:high])]


def _stretches(here: Sequence[str], there: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """(first, last, low, high): where `here[first:last]` stands for `there[low:high]`, in order."""
    one = other = 0
    for first, second, size in matched.blocks(here, there):
        if (one, other) != (first, second):
            yield one, first, other, second
        one, other = first + size, second + size
    if (one, other) != (len(here), len(there)):
        yield one, len(here), other, len(there)


def _pairs(here: Sequence[str], there: Sequence[str]) -> list[tuple[int, int]]:
    """Which units of two differing stretches are forms of one another, in order."""
    if len(here) == len(there) == 1:
        return [(0, 0)]
    pairs: list[tuple[int, int]] = []
    behind = 0
    for one, code in enumerate(here):
        near = enumerate(there[behind : behind + AHEAD], behind)
        scores = [(fuzz.ratio(code[:HEAD], other[:HEAD]), -place) for place, other in near]
        best, place = max(scores, default=(0.0, 0))
        if best >= SAME_PLACE:
            pairs.append((one, -place))
            behind = 1 - place
    return pairs


def _runs(first: int, last: int, low: int, high: int, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """The sibling's units of a stretch that have no other form here, in runs."""
    runs = []
    start, following = low, first
    for one, other in [*pairs, (last, high)]:
        if start < other:
            runs.append((start, other, following))
        start, following = other + 1, one + 1
    return runs
