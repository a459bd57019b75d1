"""Where in the code a text points: exact quotes first, then worse and worse ones, each with what it is worth."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz

MOST = 8  # places of one quote: more say nothing
NEAR = 80  # percent alike, for a quote of at least SHORT characters
SHORT = 12
BACKTICKS = re.compile(r"`([^`\n]{2,160})`")
QUOTED = re.compile(r"[\"“]([^\"”\n]{4,160})[\"”]")
CODE = re.compile(r"[(){};=<>\[\]]|\w\.[A-Za-z_$]")
SELECTOR = re.compile(r"(?<![\w`\"/.])[#.][A-Za-z_][\w-]*")
CALL = re.compile(r"\b([A-Za-z_$][\w$]*)\(\)")
LINE = re.compile(r"\blines? (\d{1,9})(?!\d)", re.I)  # no page has more lines, and int() refuses thousands of digits


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a text points to, in code points, and how surely, in (0, 1]."""

    start: int
    end: int
    quality: float


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text says of a place: `kind` is quote, name or line."""

    kind: str
    text: str


def references(prose: str) -> Iterator[Reference]:
    """What an evaluator's words point to: quotes in backticks, quoted code, selectors, called functions, lines.

    >>> [(r.kind, r.text) for r in references('`n += 1` in add() (line 4) never updates #total, shown as "Total"')]
    [('quote', 'n += 1'), ('name', '#total'), ('name', 'add'), ('line', '4')]
    """
    quotes = [match.group(1) for match in BACKTICKS.finditer(prose)]
    quotes += [match.group(1) for match in QUOTED.finditer(prose) if CODE.search(match.group(1))]
    for quote in quotes:
        yield Reference("quote", quote)
    rest = QUOTED.sub(" ", BACKTICKS.sub(" ", prose))
    for match in SELECTOR.finditer(rest):
        yield Reference("name", match.group())
    for match in CALL.finditer(rest):
        yield Reference("name", match.group(1))
    for match in LINE.finditer(rest):
        yield Reference("line", match.group(1))


def find(reference: Reference, text: str, start: int, end: int) -> list[Match]:
    """The places in `text[start:end]` that a reference means; none if nothing there is like it."""
    if reference.kind == "line":
        return _line(int(reference.text), text, start, end)
    if reference.kind == "name":
        return _name(reference.text, text, start, end)
    return _quote(reference.text.strip(), text, start, end)


def _quote(quote: str, text: str, start: int, end: int) -> list[Match]:
    if not quote:
        return []
    exact = _all(re.escape(quote), text, start, end, 1.0)
    if exact:
        return exact
    loose = _all(r"\s*".join(map(re.escape, re.findall(r"\w+|\S", quote))), text, start, end, 0.95)
    if loose:
        return loose
    if re.fullmatch(r"[#.]?[\w$-]+(?:\(\))?", quote):
        return _name(quote.removesuffix("()"), text, start, end)
    return _near(quote, text, start, end)


def _near(quote: str, text: str, start: int, end: int) -> list[Match]:
    if len(quote) < SHORT or end - start < len(quote):
        return []
    found = fuzz.partial_ratio_alignment(quote, text[start:end], score_cutoff=NEAR)
    if found is None:
        return []
    return [Match(start + found.dest_start, start + found.dest_end, 0.8)]


def _name(name: str, text: str, start: int, end: int) -> list[Match]:
    """An identifier, or a selector's id or class wherever it is written: in markup, in a sheet, in a script."""
    return _all(rf"(?<![\w$-]){re.escape(name.lstrip('#.'))}(?![\w$-])", text, start, end, 0.6)


def _line(number: int, text: str, start: int, end: int) -> list[Match]:
    """A line of the page, counted from 1, and the two around it."""
    lines = [line + "\n" for line in text[start:end].split("\n")]
    if not 0 < number <= len(lines):
        return []
    first, last = max(number - 3, 0), min(number + 2, len(lines))
    low = start + sum(map(len, lines[:first]))
    return [Match(low, min(low + sum(map(len, lines[first:last])), end), 0.4)]


def _all(pattern: str, text: str, start: int, end: int, quality: float) -> list[Match]:
    found = [Match(m.start(), m.end(), quality) for m in re.compile(pattern).finditer(text, start, end)]
    return found if len(found) <= MOST else []
