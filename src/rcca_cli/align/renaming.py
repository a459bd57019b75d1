"""The same code under other names: what two answers call differently, throughout, is no difference between them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from itertools import chain

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
    here, there = _shapes(answer, ours), _shapes(sibling, theirs)
    for first, second, size in matched.blocks(here, there):
        for step in range(size):
            if UNNAMED in here[first + step]:
                one, other = answer.once(_words)[first + step], sibling.once(_words)[second + step]
                votes.update(zip(filter(ours.__contains__, one), filter(theirs.__contains__, other), strict=True))
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


def renamed(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """The answer's codes under the sibling's names."""
    return _replaced(answer, names.keys(), lambda match: names.get(match.group(), match.group()))


def _own(answer: Answer, other: Answer) -> frozenset[str]:
    counts, others = answer.once(_counts), other.once(_counts)
    return frozenset(word for word, count in counts.items() if count >= TWICE and word not in others)


def _words(answer: Answer) -> list[list[str]]:
    return [WORD.findall(code) for code in answer.codes]


def _counts(answer: Answer) -> Counter[str]:
    return Counter(chain.from_iterable(answer.once(_words)))


def _shapes(answer: Answer, own: frozenset[str]) -> list[str]:
    return _replaced(answer, own, lambda match: UNNAMED if match.group() in own else match.group())


def _replaced(answer: Answer, words: Set[str], word: Callable[[re.Match[str]], str]) -> list[str]:
    """The codes with some words replaced; most have none of them."""
    if not words:
        return answer.codes
    found = zip(answer.codes, answer.once(_words), strict=True)
    return [code if words.isdisjoint(of) else WORD.sub(word, code) for code, of in found]
