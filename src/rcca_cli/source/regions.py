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
    for region in sorted(regions, key=lambda region: (region.start, -region.end)):
        while len(stack) > 1 and stack[-1].end <= region.start:
            units += _cut(text, stack.pop(), done.pop(), None)
        outer = stack[-1]
        units += _cut(text, outer, done[-1], region.start)
        region = region._replace(end=min(region.end, outer.end), scope=region.scope or outer.scope)
        done[-1] = max(done[-1], region.end)
        stack.append(region)
        done.append(region.start)
    while stack:
        units += _cut(text, stack.pop(), done.pop(), None)
    return sorted(units, key=lambda unit: unit.start)


def _cut(text: str, region: Region, start: int, end: int | None) -> Iterator[Unit]:
    """What the region's text from `start` to `end`, or to its own end, gives: nothing, one unit, or one a line."""
    if not region.kind:
        return
    assert region.scope is not None
    for first, last in _pieces(text, region, start, region.end if end is None else end):
        first, last = _stripped(text, first, last, "" if region.kind == "text" else ";")
        if first < last if region.kind == "text" else not SIGNS.fullmatch(text, first, last):
            yield Unit(region.kind, first, last, *region.scope, region.name)


def _pieces(text: str, region: Region, start: int, end: int) -> Iterator[tuple[int, int]]:
    if region.kind == "text" and region.name not in RAW:
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
