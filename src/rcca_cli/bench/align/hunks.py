"""What a repair changes: its hunks, and the fewest of them that still do."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rcca_cli.bench.align.operators import Edit, applied
from rcca_cli.units.words import common


@dataclass(frozen=True)
class Hunk:
    """`text[start:end]` of the failing answer becomes `new`; whole lines."""

    start: int
    end: int
    new: str


def between(text: str, repaired: str) -> list[Hunk]:
    """The hunks that make one text the other, a line where as many lines stand against each other."""
    here, there = text.splitlines(keepends=True), repaired.splitlines(keepends=True)
    starts = [0]
    for line in here:
        starts.append(starts[-1] + len(line))
    found = []
    for tag, low, high, first, last in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if high - low == last - first:
            pairs = zip(range(low, high), there[first:last], strict=True)
            found += [Hunk(starts[line], starts[line + 1], new) for line, new in pairs]
        else:
            found.append(Hunk(starts[low], starts[high], "".join(there[first:last])))
    return found


def repaired(text: str, hunks: Sequence[Hunk]) -> str:
    """The text with some hunks applied."""
    return applied(text, [Edit(hunk.start, hunk.end, hunk.new) for hunk in hunks])[0]


def place(text: str, hunk: Hunk) -> tuple[int, int]:
    """What of the failing answer a hunk changes, in whole words; where code was only put in, the place (empty)."""
    old = text[hunk.start : hunk.end]
    low = common(old, hunk.new)
    high = common(old[low:][::-1], hunk.new[low:][::-1])
    start, end = hunk.start + low, hunk.end - high
    if start == end:
        return start, start
    while start > hunk.start and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < hunk.end and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return start, end
