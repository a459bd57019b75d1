"""Where a character is, in each unit that the parsers and the browser count in."""

import re
from bisect import bisect_right

import numpy as np

BOM = 0xFEFF


class Offsets:
    """Conversions between the code points of one text and every other way to count them.

    A code point (`cp`) is an index of `text` as it is given. A byte is one of its UTF-8 encoding. UTF-16
    units and `(line, column)` are Chromium's: 0-based, and of the text as a page sees it, with each line
    end made one LF and a byte order mark left out. Positions outside the text are clamped to it; one
    inside a character, or inside a CR LF, becomes its start.

    >>> offsets = Offsets("é😀x")
    >>> offsets.utf16(2), offsets.byte(2), offsets.cp_from_utf16(3), offsets.line_column(2)
    (3, 6, 2, (0, 3))
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        # One unit a character: the tables would be the identity.
        self._plain = text.isascii() and "\r" not in text
        if self._plain:
            self._lines = [0, *(end.end() for end in re.finditer("\n", text))]
            return
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        units = np.where(points > 0xFFFF, 2, 1)
        if self.size and points[0] == BOM:
            units[0] = 0
        carriage = points == 0x0D
        pair = carriage & (np.append(points[1:], 0) == 0x0A)
        units[pair] = 0  # the LF after it counts for both
        breaks = np.flatnonzero((points == 0x0A) | (carriage & ~pair)) + 1
        self._lines = [0, *breaks.tolist()]
        self._utf16 = _sums(units)
        self._bytes = _sums(1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF))

    def utf16(self, cp: int) -> int:
        """How many UTF-16 units of the page's text come before the code point."""
        return self._clamp(cp) if self._plain else int(self._utf16[self._clamp(cp)])

    def byte(self, cp: int) -> int:
        """How many UTF-8 bytes come before the code point."""
        return self._clamp(cp) if self._plain else int(self._bytes[self._clamp(cp)])

    def cp_from_utf16(self, unit: int) -> int:
        """The code point that holds a UTF-16 unit of the page's text."""
        return self._clamp(unit) if self._plain else self._find(self._utf16, unit)

    def cp_from_byte(self, byte: int) -> int:
        """The code point that holds a byte."""
        return self._clamp(byte) if self._plain else self._find(self._bytes, byte)

    def line_column(self, cp: int) -> tuple[int, int]:
        """Chromium's line and column, both from 0, the column in UTF-16 units."""
        cp = self._clamp(cp)
        line = bisect_right(self._lines, cp) - 1
        return line, self.utf16(cp) - self.utf16(self._lines[line])

    def cp_from_line_column(self, line: int, column: int) -> int:
        """The code point at Chromium's line and column."""
        if line >= len(self._lines):
            return self.size
        return self.cp_from_utf16(self.utf16(self._lines[max(line, 0)]) + column)

    def line_start(self, line: int) -> int:
        """The code point where a line (from 0) begins; the text's end for a line that it does not have."""
        return self._lines[max(line, 0)] if line < len(self._lines) else self.size

    def _clamp(self, cp: int) -> int:
        return min(max(cp, 0), self.size)

    def _find(self, table: np.ndarray, unit: int) -> int:
        first = int(np.searchsorted(table, unit))
        inside = first > self.size or table[first] != unit
        return self._clamp(first - 1 if inside else first)


def _sums(widths: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(widths)])


def newlines_as_page(text: str) -> str:
    """`text` as a page sees it: every line end is one LF, and no byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
