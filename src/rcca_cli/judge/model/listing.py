"""The source of an app as a model reads it: lines with their numbers, and the names of the units that begin on them."""

from bisect import bisect_right

from rcca_cli import source

LINES = 400  # shown at once
WIDE = 400  # characters of a line; the rest of a longer one is said to be there


class Listing:
    """The page's source; `span("u7")` is where unit u7 is in it."""

    def __init__(self, html: str) -> None:
        self.html = html
        self._units = {f"u{number}": unit for number, unit in enumerate(source.units(html), 1)}
        self._lines = html.split("\n")
        starts = [0]
        for line in self._lines:
            starts.append(starts[-1] + len(line) + 1)
        self._names: dict[int, list[str]] = {}
        for name, unit in self._units.items():
            self._names.setdefault(bisect_right(starts, unit.start) - 1, []).append(name)

    def span(self, unit: str) -> tuple[int, int] | None:
        """The unit's place in the page's source; None if there is no such unit."""
        found = self._units.get(unit)
        return (found.start, found.end) if found else None

    def lines(self, first: int = 1) -> str:
        """LINES lines from the `first` (from 1) on, and how many there are."""
        last = min(first + LINES - 1, len(self._lines))
        shown = [self._line(number) for number in range(first, last + 1)]
        return "\n".join([f"lines {first} to {last} of {len(self._lines)}", *shown])

    def _line(self, number: int) -> str:
        text, names = self._lines[number - 1].rstrip("\r"), self._names.get(number - 1, ())
        more = f" … ({len(text) - WIDE} more characters)" if len(text) > WIDE else ""
        return f"{number} [{' '.join(names)}] {text[:WIDE]}{more}"
