"""Nested regions of a text, and the leaf units that are left of each when those inside it are taken out."""

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

# What decides nothing where it stands alone: brackets and separators, the arrow of a function, the end of a tag.
SIGNS = re.compile(r"(?:[\s(){}\[\];,.'\"`]|=>|/?>)*")
# Markup that is no text: comments, whatever else a browser makes comments of, the doctype, end tags without an element.
ASIDE = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*>?|</[^>]*>?", re.S)
RAW = frozenset(
    ["script", "style", "textarea", "title", "iframe", "noscript", "xmp", "noembed", "noframes", "plaintext"]
)
LONG = 160  # characters: a longer unit of several lines is split into its lines


@dataclass(frozen=True, slots=True)
class Unit:
    """A smallest piece of code: `kind` is what it is, `name` what it names, if anything.

    `scope_start:scope_end` is the function, rule or element around it, or else all of its script. Of the text of a
    large element it is the start tag.
    """

    kind: str
    start: int
    end: int
    scope_start: int
    scope_end: int
    name: str


class Region(NamedTuple):
    """A part of the text, perhaps with others inside it.

    What they leave of it becomes units of its kind, or none if that is "". `scope` is the scope of those units
    and of all units inside, unless a region in between has its own.
    """

    start: int
    end: int
    kind: str
    name: str = ""
    scope: tuple[int, int] | None = None


def leaves(text: str, regions: Iterable[Region]) -> list[Unit]:
    """The units of the text in order; none overlaps another. A region that crosses another's end is cut there."""
    units: list[Unit] = []
    stack = [Region(0, len(text), "", "", (0, len(text)))]
    done = [0]  # up to where each open region has been cut into units
    for start, end, kind, name, scope in sorted(regions, key=lambda region: (region.start, -region.end)):
        while len(stack) > 1 and stack[-1].end <= start:
            closed = stack.pop()
            units += _cut(text, closed, done.pop(), closed.end)
        outer = stack[-1]
        units += _cut(text, outer, done[-1], start)
        end = min(end, outer.end)
        done[-1] = max(done[-1], end)
        stack.append(Region(start, end, kind, name, scope or outer.scope))
        done.append(start)
    while stack:
        closed = stack.pop()
        units += _cut(text, closed, done.pop(), closed.end)
    return sorted(units, key=lambda unit: unit.start)


def _cut(text: str, region: Region, start: int, end: int) -> list[Unit]:
    """What the region's text from `start` to `end` gives: nothing, one unit, or one a line."""
    units: list[Unit] = []
    if not region.kind or end <= start:
        return units
    assert region.scope is not None
    is_text = region.kind == "text"
    for first, last in _pieces(text, start, end, is_text and region.name not in RAW):
        first, last = _stripped(text, first, last, "" if is_text else ";")
        if first < last and (is_text or not SIGNS.fullmatch(text, first, last)):
            units.append(Unit(region.kind, first, last, *region.scope, region.name))
    return units


def _pieces(text: str, start: int, end: int, is_markup: bool) -> Iterator[tuple[int, int]]:
    """The lines of a long part; of markup, those between what is no text."""
    if is_markup:
        for aside in ASIDE.finditer(text, start, end):
            yield from _lines(text, start, aside.start())
            start = aside.end()
    yield from _lines(text, start, end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start > LONG:
        while (line_end := text.find("\n", start, end)) >= 0:
            yield start, line_end
            start = line_end + 1
    yield start, end


def _stripped(text: str, start: int, end: int, sign: str) -> tuple[int, int]:
    """Without the blanks around it, and without a sign in front that ended something else."""
    piece = text[start:end].rstrip()
    bare = piece.lstrip(string.whitespace + sign).lstrip()
    return start + len(piece) - len(bare), start + len(piece)
