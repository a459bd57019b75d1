"""The same code under other names: what two answers call differently, throughout, is no difference between them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rcca_cli.align import matched
from rcca_cli.align.answer import Answer

WORD = re.compile(r"[^\W\d][\w$]*")
UNNAMED = "\0"
TWICE = 2  # a name that is written once may be a slip of the pen


def names(answer: Answer, sibling: Answer) -> dict[str, str]:
    """What the sibling calls what the answer calls by another name.

    A name counts if only one of the two answers has it, in two places or more, and if the names stand in the same
    places of code that is otherwise the same: each is the other's most frequent counterpart.
    """
    ours, theirs = _own(answer, sibling), _own(sibling, answer)
    if not ours or not theirs:
        return {}
    votes: Counter[tuple[str, str]] = Counter()
    here, there = _shapes(answer.codes, ours), _shapes(sibling.codes, theirs)
    for first, second, size in matched.blocks(here, there):
        for step in range(size):
            if UNNAMED in here[first + step]:
                pair = answer.codes[first + step], sibling.codes[second + step]
                votes.update(
                    zip(*(_names(code, own) for code, own in zip(pair, (ours, theirs), strict=True)), strict=True)
                )
    return _mutual(votes)


def more(answer: Answer, sibling: Answer, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The same from pairs of units that are forms of one another, the first already under the names that are known.

    Here the sibling's name for a thing may be a word that the answer has too, for something else.
    """
    there = sibling.once(_counts)
    counts = answer.once(_counts)
    votes: Counter[tuple[str, str]] = Counter()
    for one, other in pairs:
        if WORD.sub(UNNAMED, one) == WORD.sub(UNNAMED, other):
            words = zip(WORD.findall(one), WORD.findall(other), strict=True)
            votes.update((here, theirs) for here, theirs in words if here not in there and counts[here] >= TWICE)
    return _mutual(votes)


def _mutual(votes: Counter[tuple[str, str]]) -> dict[str, str]:
    """The pairs of names that are each other's most frequent counterpart."""
    best_of: dict[str, str] = {}
    best_for: dict[str, str] = {}
    for (one, other), count in votes.most_common():
        if count >= TWICE:
            best_of.setdefault(one, other)
            best_for.setdefault(other, one)
    return {one: other for one, other in best_of.items() if best_for[other] == one}


def renamed(codes: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The codes under the sibling's names."""
    if not names:
        return list(codes)
    return [WORD.sub(lambda match: names.get(match.group(), match.group()), code) for code in codes]


def _own(answer: Answer, other: Answer) -> frozenset[str]:
    counts, others = answer.once(_counts), other.once(_counts)
    return frozenset(word for word, count in counts.items() if count >= TWICE and word not in others)


def _counts(answer: Answer) -> Counter[str]:
    return Counter(word for code in answer.codes for word in WORD.findall(code))


def _shapes(codes: Sequence[str], own: frozenset[str]) -> list[str]:
    return [WORD.sub(lambda match: UNNAMED if match.group() in own else match.group(), code) for code in codes]


def _names(code: str, own: frozenset[str]) -> list[str]:
    return [word for word in WORD.findall(code) if word in own]
