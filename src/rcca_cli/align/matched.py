"""What two long sequences have in common, in order, in a time that grows with their length and not with its square."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rapidfuzz.distance import Indel

Stretch = tuple[int, int, int, int]  # from, to here; from, to there
CELLS = 16_000_000  # pairs that are compared exactly: 4,000 units of each


def blocks(here: Sequence[str], there: Sequence[str], cells: int = CELLS) -> Iterator[tuple[int, int, int]]:
    """(i, j, n): `here[i:i + n]` is `there[j:j + n]`; in order, and no two touch.

    The longest common subsequence of short sequences. Long ones are cut at what both have exactly once, in the longest
    run of it that is in the same order, and, where nothing is, in proportion.

    >>> list(blocks("abcd", "bxcd"))
    [(1, 0, 1), (2, 2, 2)]
    """
    i = j = n = 0  # the last block, which the next may go on
    for first, second, size in _pieces(here, there, cells):
        if n and (first, second) == (i + n, j + n):
            n += size
            continue
        if n:
            yield i, j, n
        i, j, n = first, second, size
    if n:
        yield i, j, n


def _pieces(here: Sequence[str], there: Sequence[str], cells: int) -> Iterator[tuple[int, int, int]]:
    todo: list[Stretch] = [(0, len(here), 0, len(there))]
    while todo:
        low, high, start, end = todo.pop()
        if (high - low) * (end - start) <= cells:
            for op in Indel.opcodes(here[low:high], there[start:end]):
                if op.tag == "equal":
                    yield low + op.src_start, start + op.dest_start, op.src_end - op.src_start
        else:
            todo += reversed(_cut(here, there, low, high, start, end))


def _cut(here: Sequence[str], there: Sequence[str], low: int, high: int, start: int, end: int) -> list[Stretch]:
    """The same two stretches in smaller ones, in order."""
    cuts = [cut for cut in _anchors(here[low:high], there[start:end]) if cut != (0, 0)]
    edges = [(0, 0), *(cuts or [((high - low) // 2, (end - start) // 2)]), (high - low, end - start)]
    return [(low + one[0], low + two[0], start + one[1], start + two[1]) for one, two in pairwise(edges)]


def _anchors(here: Sequence[str], there: Sequence[str]) -> list[tuple[int, int]]:
    """The longest run, rising in both, of the places of what both have exactly once."""
    counts, counts_there = Counter(here), Counter(there)
    places = {code: place for place, code in enumerate(there) if counts_there[code] == 1}
    pairs = [(place, places[code]) for place, code in enumerate(here) if counts[code] == 1 and code in places]
    ends: list[int] = []  # for each length the last place in `there` of the best run so far, and its pair
    last: list[int] = []
    before: list[int] = []  # for each pair the one before it in its run
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    run = []
    number = last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = before[number]
    return run[::-1]
