"""From the browser's places and the parser's elements to code points of the answer."""

import re
from collections.abc import Sequence
from difflib import Match, SequenceMatcher

from rcca_cli import source
from rcca_cli.browser import Frame, Rule, Script, Thrown
from rcca_cli.source import html
from rcca_cli.units.words import common

HOME = re.compile(r"https://app\.test/[^\s:)]*:(\d+):(\d+)")
MOST = 4_000_000  # pairs of elements that are compared in search of those that belong together
TOKEN = re.compile(r"[\w$]+|.", re.S)
Span = tuple[int, int]


class Places:
    """Where things are in the answer whose page is `page`, beginning at `start`."""

    def __init__(self, page: str, start: int) -> None:
        self.page = page
        self.start = start
        self.offsets = source.Offsets(page)
        self.document = html.parse(page)
        self._handlers = {  # by the end of the start tag, where the browser says that they begin, and by name
            (element.start_tag_end, name): attribute
            for element in self.document.elements
            if element.written
            for name, attribute in element.attributes.items()
            if name.startswith("on")
        }

    def base(self, script: Script, function: str) -> int | None:
        """How many UTF-16 units of the page come before the script's first character.

        None for a handler attribute that is not written in the page but was made by a script.
        """
        attribute = self.attribute(script, function)
        if attribute is not None:
            return self.offsets.utf16(attribute.value_start)
        place = self.offsets.cp_from_line_column(script.line, script.column)
        if any(block.start == place for block in self.document.scripts):
            return self.offsets.utf16(place)
        return None

    def attribute(self, script: Script, name: str) -> html.Attribute | None:
        """The handler attribute `name` that is this script, if it is written in the page."""
        return self._handlers.get((self.offsets.cp_from_line_column(script.line, script.column), name))

    def point(self, script: Script, function: str, line: int, column: int) -> int | None:
        """The code point of the page at a line and column that the browser gave for a place in a script."""
        base = self.base(script, function)
        if base is None:
            return None
        begin = self.offsets.utf16(self.offsets.cp_from_line_column(script.line, script.column))
        there = self.offsets.utf16(self.offsets.cp_from_line_column(line, column))
        return self.offsets.cp_from_utf16(base + there - begin)

    def frame(self, frame: Frame) -> Span | None:
        """The word at which a frame stands, in the answer."""
        handler = frame.function if frame.function.startswith("on") else ""
        return self.word(self.point(frame.script, handler, frame.line, frame.column))

    def word(self, place: int | None) -> Span | None:
        """The word or sign at a place of the page, in the answer."""
        if place is None:
            return None
        match = TOKEN.match(self.page, place)
        return self.answer(place, match.end() if match else place)

    def answer(self, start: int, end: int) -> Span:
        """A span of the page as one of the answer."""
        return self.start + start, self.start + end

    def thrown(self, thrown: Thrown) -> Span | None:
        """Where an error came from, as far as its own words tell."""
        match = HOME.search(thrown.stack or "")
        if match is None and "://" in (thrown.stack or ""):
            return None  # from a library
        line, column = (int(match[1]), int(match[2])) if match else (thrown.line, thrown.column)
        if line < 1:
            return None
        return self.word(self.offsets.cp_from_line_column(line - 1, max(column - 1, 0)))

    def rule(self, rule: Rule) -> Span:
        """A style rule with its selector."""
        start = self.in_sheet(rule.sheet, *rule.start)
        return self.answer(start, min(self.in_sheet(rule.sheet, *rule.end) + 1, len(self.page)))

    def in_sheet(self, sheet: Script, line: int, column: int) -> int:
        """The code point of the page at a line and column of a style sheet."""
        first = sheet.column if line == 0 else 0
        return self.offsets.cp_from_line_column(sheet.line + line, first + column)

    def line_of(self, place: int) -> int:
        """The number of the line of the page on which a place of the answer is, from 1."""
        return self.offsets.line_column(place - self.start)[0] + 1

    def quote(self, place: int, limit: int = 80) -> str:
        """The line of source around a place of the answer, short."""
        place -= self.start
        begin = self.page.rfind("\n", 0, place) + 1
        end = self.page.find("\n", place)
        line = self.page[begin : end if end >= 0 else len(self.page)]
        if len(line.strip()) > limit:  # minified: what comes from the place on
            line = self.page[place : place + limit]
        return line.strip()


def aligned(skeleton: Sequence[Sequence[str]], document: html.Document) -> dict[int, html.Element]:
    """For each element the parser had made when scripts had run (tag and id, in order), the one in the source.

    Elements that scripts put in between match none. What is alike at both ends needs no search, which takes the
    square of what is left; where that is too much, the middle is given up.
    """
    written = [element for element in document.elements if element.dom is not None]
    ours = [(element.tag, element.attribute("id")) for element in written]
    theirs = [(tag, name) for tag, name in skeleton]
    first = common(theirs, ours)
    last = common(theirs[first:][::-1], ours[first:][::-1])
    middle = (theirs[first : len(theirs) - last], ours[first : len(ours) - last])
    blocks = [Match(0, 0, first), Match(len(theirs) - last, len(ours) - last, last)]
    if len(middle[0]) * len(middle[1]) <= MOST:
        inner = SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks()
        blocks += [Match(block.a + first, block.b + first, block.size) for block in inner]
    found = {}
    for block in blocks:
        for step in range(block.size):
            found[block.a + step] = written[block.b + step]
    return {place: element for place, element in found.items() if element.written}
