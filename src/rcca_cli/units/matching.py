"""Where in the code a reference points: the surest rung of a ladder that holds, each with what it is worth.

The rungs and their values are section 7.5 of the reference: a unit that its quote confirms 1, an exact quote 1, the
same but for space, escapes and quotation marks .95, four fifths of its lexer tokens in order .8, a name that the code
has .6, a line with the two around it .4. Every place of a reference is kept; they share what it is worth.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from rcca_cli.units.code import TOKEN, WORD, Code, canonical
from rcca_cli.units.references import Reference
from rcca_cli.units.words import words

UNIT, EXACT, SPACED, NEAR, NAMED, LINE = 1.0, 1.0, 0.95, 0.8, 0.6, 0.4
MOST = 8  # places at full value: a reference to more of them says less about each, and so in all
ALIKE = 80  # percent of a quote's tokens, in order
FEWEST, LONGEST = 4, 64  # tokens of a quote that is looked for by them
# A page, or a quote, that says the same again and again is not worth millions of places.
PLACES = 1000  # of one reference, and of the parts of one
PARTS = 100  # lines, names, or what is between ellipses, of one quote, each once
AROUND = 2  # lines
BESIDE = 0.3  # what these are worth, next to the line that was named: people count well, models less so
ELLIPSIS = re.compile(r"\s*(?:/\*\s*)?(?:…|\[\.\.\.\]|(?<![\w.])\.\.\.(?![\w\[{(.]))(?:\s*\*/)?\s*")
NAME = re.compile(r"[#.]?[\w$]+(?:-[\w$]+)*(?:\(\))?")
TELLING = re.compile(r"[A-Za-z_$][\w$-]{3,}")
OF_ALL_CODE = (
    "const function return document window getElementById querySelector querySelectorAll addEventListener click event "
    "value textContent innerHTML style class this null true false undefined length button input script else async "
    "await console forEach target createElement appendChild classList display none block"
)
TOLD_BY_ALL = frozenset(OF_ALL_CODE.split())


@dataclass(frozen=True, slots=True)
class Match:
    """A place that a reference points to, in code points, and how surely, in (0, 1]."""

    start: int
    end: int
    quality: float


Span = tuple[int, int]


def find(reference: Reference, code: Code, others: Sequence[Reference] = ()) -> list[Match]:
    """The places in the code that a reference means; none if nothing there is like it.

    `others` are what the same evaluator said beside it: a unit's number is only believed as far as they confirm it.
    """
    if reference.kind == "unit":
        return _unit(reference.text, code, [other.text for other in others if other.kind == "quote"])
    if reference.kind == "line":
        return _line(reference.text, code)
    if reference.kind == "role":
        return _shared(_role(reference.text, code), NAMED)
    if reference.kind == "name":
        return _name(reference.text, code)
    if reference.kind == "property":
        return _property(reference.text, code)
    return _quote(reference.text.strip(), code)


def _shared(places: Sequence[Span], quality: float) -> list[Match]:
    """The places as matches; the more of them, the less they are worth."""
    worth = quality * min(1.0, MOST / max(len(places), 1))
    return [Match(start, end, worth) for start, end in islice(dict.fromkeys(places), PLACES)]


def _quote(quote: str, code: Code) -> list[Match]:
    if not re.search(r"\w", quote):
        return []
    if NAME.fullmatch(quote):
        return _name(quote, code)
    for rung in (_exact, _spaced, _method, _elided, _by_lines, _near, _by_names):
        found = rung(quote, code)
        if found:
            return found
    return []


def _exact(quote: str, code: Code) -> list[Match]:
    return _shared(_all(quote, code.text, code.start, code.end), EXACT)


def _spaced(quote: str, code: Code) -> list[Match]:
    """Found in another form: with other space or quotation marks, or its characters escaped."""
    wanted = canonical(quote)[0]
    letters, places = code.canonical
    spans = [(places[start], places[end - 1] + 1) for start, end in _all(wanted, letters, 0, len(letters), whole=False)]
    return _shared([span for span in spans if _whole(quote, code.text, span)], SPACED)


def _all(part: str, text: str, start: int, end: int, whole: bool = True) -> list[Span]:
    """Where a part stands in `text[start:end]`, as whole words."""
    found = []
    at = text.find(part, start, end) if part else -1
    while at >= 0:
        if not whole or _whole(part, text, (at, at + len(part))):
            found.append((at, at + len(part)))
        at = text.find(part, at + len(part), end)
    return found


def _whole(part: str, text: str, span: Span) -> bool:
    """Whether no word goes on beyond the ends of a part that begins and ends with one."""
    start, end = span
    return not (
        (_of_word(part[:1]) and _of_word(text[start - 1 : start]))
        or (_of_word(part[-1:]) and _of_word(text[end : end + 1]))
    )


def _of_word(letter: str) -> bool:
    return letter.isalnum() or letter in ("_", "$")


def _elided(quote: str, code: Code) -> list[Match]:
    """The parts between ellipses, each behind the one before it."""
    parts = [part for part in ELLIPSIS.split(quote) if len(re.findall(r"\w", part)) > 1]
    if not ELLIPSIS.search(quote) or not parts:
        return []
    firsts = _exact(parts[0], code) or _spaced(parts[0], code)
    spans: list[Span] = []
    for index, first in enumerate(firsts):
        behind = firsts[index + 1].start if index + 1 < len(firsts) else code.end
        spans.append((first.start, first.end))
        for part in parts[1:PARTS] if index < MOST else ():
            found = _next(part, code, spans[-1][1], behind)
            spans += [found] if found else []
    return _shared(spans, SPACED)


def _next(part: str, code: Code, start: int, end: int) -> Span | None:
    """The first place of a part in `text[start:end]`, as written or else in another form."""
    exact = _all(part, code.text, start, end)
    if exact:
        return exact[0]
    letters, places = code.canonical
    low, high = bisect_left(places, start), bisect_left(places, end)
    for first, last in _all(canonical(part)[0], letters, low, high, whole=False):
        span = places[first], places[last - 1] + 1
        if _whole(part, code.text, span):
            return span
    return None


def _by_lines(quote: str, code: Code) -> list[Match]:
    """The lines of a longer quote, if most of it is there; comments that an evaluator put in do not matter."""
    lines = [line.strip() for line in quote.splitlines() if len(re.findall(r"\w", line)) > 1]
    if len(lines) < 2:
        return []
    lines = list(dict.fromkeys(lines))[:PARTS]
    found = {line: _exact(line, code) or _spaced(line, code) for line in lines}
    there = sum(len(line) for line in lines if found[line])
    share = there / sum(map(len, lines))
    if share < ALIKE / 100:
        return []
    return [Match(one.start, one.end, share * one.quality) for one in _fewest_first(found.values())]


def _fewest_first(found: Iterable[Sequence[Match]]) -> Iterable[Match]:
    """The places of the parts of a quote, at most PLACES: those of parts with few places say most."""
    return islice((one for matches in sorted(found, key=len) for one in matches), PLACES)


def _near(quote: str, code: Code) -> list[Match]:
    """The stretch that has most of the quote's tokens in order, and others that are just like it."""
    wanted = "".join(code.letter(token) for token in TOKEN.findall(quote)[:LONGEST])
    letters, places = code.tokens
    if not FEWEST <= len(wanted) <= len(letters):
        return []
    found = fuzz.partial_ratio_alignment(wanted, letters, score_cutoff=ALIKE)
    stretch = letters[found.dest_start : found.dest_end] if found else ""
    if 100 * LCSseq.similarity(wanted, stretch) < ALIKE * len(wanted):  # a stretch at the page's end may be shorter
        return []
    same = _all(stretch, letters, 0, len(letters), whole=False)
    return _shared([(places[start][0], places[end - 1][1]) for start, end in same], NEAR)


def _by_names(quote: str, code: Code) -> list[Match]:
    """The names in code that is not there as quoted, if the code has most of them."""
    names = dict.fromkeys(name for name in TELLING.findall(quote) if name not in TOLD_BY_ALL)
    found = [_name(name, code) for name in islice(names, PARTS)]
    known = [matches for matches in found if matches]
    return list(_fewest_first(known)) if 2 * len(known) >= len(found) else []


def _name(name: str, code: Code) -> list[Match]:
    """A function as a whole; any other name, or a selector's id or class, wherever it is written."""
    bare = name.lstrip("#.").removesuffix("()")
    if not bare:
        return []
    if not name.startswith(("#", ".")) and bare in code.functions:
        return _shared(code.functions[bare], NAMED)
    if WORD.fullmatch(bare):
        places = code.words.get(bare, [])
    else:
        pattern = re.compile(rf"(?<![\w$-]){re.escape(bare)}(?![\w$-])")
        places = [match.start() for match in pattern.finditer(code.text, code.start, code.end)]
    return _shared([(start, start + len(bare)) for start in places], NAMED)


def _method(path: str, code: Code) -> list[Match]:
    """ "Store.remove": the function of the last name, in the class or object of the one before if it is there."""
    names = path.removesuffix("()").split(".")
    if len(names) < 2 or not all(re.fullmatch(r"[\w$]+", name) for name in names):
        return []
    places = code.functions.get(names[-1], [])
    opens = [match.start() for match in re.finditer(rf"(?<![\w$.]){re.escape(names[-2])}(?![\w$])", code.text)]
    first = next((place for place in opens if place < places[-1][0]), None) if places else None
    return _shared([place for place in places if first is not None and place[0] > first][:1] or places, NAMED)


def _property(name: str, code: Code) -> list[Match]:
    """Where a property is read, or, with " =" behind its name, set."""
    bare = name.removesuffix(" =")
    set_ = r"\s*(?:[-+*/%&|?]|\*\*|<<|>>>?)*=(?!=)" if bare != name else ""
    for pattern in (rf"[\w$)\]]\??\.{re.escape(bare)}{set_}", rf"\.{re.escape(bare)}(?![\w$])"):
        spans = [match.span() for match in re.finditer(pattern + (r"(?![\w$])" if not set_ else ""), code.text)]
        if found := _shared([span for span in spans if code.start <= span[0] < code.end], NAMED):
            return found
    return []


def _role(words_: str, code: Code) -> list[Span]:
    """ "reset" of "the reset handler": functions of this name, and what registers a handler with all these words."""
    wanted = words(words_)
    if not wanted:
        return []
    found = []
    for unit in code.units:
        if unit.kind == "function" and wanted <= words(unit.name):
            found.append((unit.scope_start, unit.scope_end))
        elif unit.kind == "handler" and wanted <= words(code.text[unit.start : unit.end]):
            found.append((unit.start, unit.end))
    return found


def _unit(name: str, code: Code, quotes: Sequence[str]) -> list[Match]:
    """A unit by its number, from 1: surely if a quote shares a word with it, not at all if quotes deny it."""
    number = int(name.lstrip("u"))
    if not 0 < number <= len(code.units):
        return []
    start, end = code.units[number - 1].start, code.units[number - 1].end
    said = {word for quote in quotes for word in re.findall(r"[\w$]+", quote)}
    if said and not said & set(re.findall(r"[\w$]+", code.text[start:end])):
        return []
    return [Match(start, end, UNIT if said else NAMED)]


def _line(numbers: str, code: Code) -> list[Match]:
    """Lines of the page, counted from 1, and the two around them; "82:25" is the place that a browser names."""
    line, _, column = numbers.partition(":")
    first, _, last = line.partition("-")
    low, high = int(first), int(last or first)
    count = len(code.lines) - 1
    if not 0 < low <= min(count, high):
        return []
    if column:
        place = min(code.lines[low - 1] + int(column) - 1, code.lines[low] - 1)
        return [Match(place, place + 1, NEAR)]
    start, end = code.lines[max(low - 1 - AROUND, 0)], code.lines[min(high + AROUND, count)]
    return [Match(code.lines[low - 1], code.lines[min(high, count)], LINE), Match(start, end, LINE * BESIDE)]
