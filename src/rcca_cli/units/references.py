"""What an evaluator's words point to in the code: quotes, names, lines, units, handlers and functions.

Only what claims to be code is a reference. Words that the page shows to its user ("Total: 5") are none, for a fault is
rarely where a label is written, and a text that a page computed stands nowhere in its code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import unescape

MOST = 40  # references of one text; what an evaluator says beyond them is about everything

FENCED = re.compile(r"(?:```|~~~)[\w+-]*[ \t]*\n(.*?)(?:```|~~~|\Z)", re.S)
BACKTICKS = re.compile(r"``([^\n]{1,400}?)``|`([^`\n]{1,400})`")
# The pairs of typography, and the straight ones; an apostrophe inside a word opens and closes nothing.
QUOTED = re.compile(
    r"„([^“”\n]{2,160})[“”]|“([^“”\n]{2,160})”|«\s?([^«»\n]{2,160}?)\s?»|»([^«»\n]{2,160})«|「([^」\n]{2,160})」"
    r"|\"([^\"\n]{2,160})\"|‘([^‘’\n]{2,160})’(?!\w)|(?<!\w)'([^'\n]{2,160})'(?!\w)"
)
CODE = re.compile(
    r"[{};<>]|\w\(|=>|(?<![=!<>])=|\w\[|\b[\w$]+\.[A-Za-z_$][\w$]*\b(?!@)|^[#.][A-Za-z_][\w-]*$|^--[\w-]+$"
    r"|^[a-z]+(?:[A-Z][a-z0-9]*)+$|^[a-z-]+\s*:\s*[a-z#][\w#%().,\s-]*$"
)
ADDRESS = re.compile(r"^\S+@\S+$|^\w+://|^[\w.-]+\.(?:com|org|net|io|html?|css|js)$")
TAG = r"</?[a-z][\w-]*(?:\s[^<>\n]{0,200})?/?>"
SQUARE = r"\[[a-z][\w-]*[~|^$*]?=[\"']?[^\]\"'\n]{1,60}[\"']?\]"
MARKED = re.compile(f"{TAG}|{SQUARE}|{QUOTED.pattern}")  # whichever begins first: a quote in a tag, a tag in a quote
UNIT = re.compile(r"⟦(u\d{1,7})⟧|\[(u\d{1,7})\]|\bunits? (u?\d{1,7})\b", re.I)
SELECTOR = re.compile(r"(?<![\w`\"/.&=(])[#.][A-Za-z_][\w-]*(?![\w(])")
CALL = re.compile(r"(?<![\w$.])((?:[A-Za-z_$][\w$]*\.)*[A-Za-z_$][\w$]*)\(\)")
PATH = re.compile(r"(?<![\w$./@])[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?![\w$(@/])\b")
# A call with arguments, or a chain with one: code even without backticks. "item(s)" is none.
NAME = r"[A-Za-z_$][\w$]*"
CALLING = re.compile(
    rf"(?<![\w$.]){NAME}(?:\.{NAME})*\((?!e?s\))[^()\n]{{1,60}}\)(?:\.{NAME}(?:\([^()\n]{{0,40}}\))?)*"
)
INDEX = r"\[[\w$.'\"]{1,40}\]"
INDEXED = re.compile(rf"(?<![\w$.]){NAME}(?:\.{NAME}|{INDEX})*{INDEX}(?:\.{NAME})*")
# What a browser says of an error names a property or a variable.
OF_ERROR = re.compile(
    r"\((?P<how>reading|setting) '(?P<property>[\w$]+)'\)|Cannot access '(?P<early>[\w$]+)' before"
    r"|(?P<name>[\w$]+(?:\.[\w$]+)*) is not (?:a function|defined|iterable|a constructor)"
)
MEASURE = re.compile(r"(?<![\w#.-])(?:\d+(?:\.\d+)?(?:px|r?em|vh|vw|ms)|#[0-9a-f]{3,8})(?![\w-])", re.I)
CAMEL = re.compile(r"(?<![\w$.#])(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w$])")
FRAME = re.compile(r"\(?[\w./:-]*\.html?:(\d{1,7}:\d{1,7})\)?")  # of a stack: line and column
LINE = re.compile(
    r"(?:\b(?:lines?|ln|zeilen?)\s*[.:#]?\s*|\bL|\.html?:)(\d{1,7})(?!\d)(?:\s*(?:-|–|to|and)\s*(\d{1,7})(?!\d))?", re.I
)
ROLE = re.compile(
    r"(?:\b(?P<before>[A-Za-z][\w-]{0,40}) )?\b(?:event )?(?:handler|listener|callback|function|method)s?\b"
    r"(?: (?:of|for|on|named|called) (?:the |an? )?(?P<behind>[A-Za-z][\w-]{0,40}))?",
    re.I,
)
# What stands behind these words is what the code should have said, and need not be in it.
WANTED = re.compile(
    r"\b(?:instead of|rather than|should(?: be| use| have| call)?|missing|lacks?|without|needs?|expected"
    r"|(?:does not|doesn't|never|not|no)(?: \w+){0,2})\s*[`\"'“(]?$",
    re.I,
)
MISSED = re.compile(r"[`\"'”)]?\s*(?:is|are|was|were)\s+(?:missing|absent|never|not)\b", re.I)
NEGATED = re.compile(r"\b(?:no|without|lacks?|missing|any|never had an?|not an?)(?: \w+)?\s*$", re.I)
RAN = re.compile(r"\(the page ran [^)]*\)")  # our own judge's hint for people: what ran is not what is wrong
NO_PATH = re.compile(r"^(?:e\.g|i\.e|etc|vs|node\.js|vue\.js|[\w.-]+\.(?:html?|css|js|com|org|net|io))$", re.I)
OF_NO_ROLE = (
    "a an the its his her your our this that these those each every any some no one of in is are and or to by with "
    "event inline anonymous arrow callback handler listener function method user whose which same"
)
OF_EVENTS = "click change input submit keydown keyup keypress mouse pointer touch drag drop scroll load"
EMPTY, EVENTS = frozenset(OF_NO_ROLE.split()), frozenset(OF_EVENTS.split())


@dataclass(frozen=True, slots=True)
class Reference:
    """What a text says of a place.

    `kind` is quote, name, property, line ("4", "4-9", "82:25"), unit ("u7") or role ("reset").
    `wanted` says that it may be what the code should have said: then it is no loss if it is not there.
    """

    kind: str
    text: str
    wanted: bool = field(default=False, compare=False, repr=False)


def references(prose: str) -> list[Reference]:
    """What an evaluator's words point to, each once, in order of how plainly they do; at most MOST.

    >>> [(r.kind, r.text) for r in references('`n += 1` in add() (line 4) never updates #total, shown as "Total"')]
    [('quote', 'n += 1'), ('name', '#total'), ('name', 'add'), ('line', '4')]
    >>> [(r.kind, r.text) for r in references("Der Knopf „Add“ ruft „addItem()“ auf; the reset handler is fine")]
    [('quote', 'addItem()'), ('role', 'reset')]
    """
    prose = RAN.sub(" ", prose)
    if "&lt;" in prose and "<" not in prose:
        prose = unescape(prose)
    return list(dict.fromkeys(_found(prose)))[:MOST]


def given(quote: str) -> Reference:
    """The reference in what an evaluator gave as a quote: code, unless it is plainly a unit, a line or a selector.

    >>> given("u12"), given("line 8").kind, given("#total").kind, given("n += 1").kind
    (Reference(kind='unit', text='u12'), 'line', 'name', 'quote')
    """
    words = quote.strip()
    if re.fullmatch(r"⟦?\[?u\d{1,7}\]?⟧?", words):
        return Reference("unit", words.strip("⟦⟧[]"))
    line = LINE.fullmatch(words)
    if line:
        return Reference("line", "-".join(filter(None, line.groups())))
    return Reference("name" if re.fullmatch(r"[#.][A-Za-z_][\w-]*", words) else "quote", words)


def _found(prose: str) -> Iterator[Reference]:
    for match in OF_ERROR.finditer(prose):
        yield _expression(match, prose)
    rest = OF_ERROR.sub(" ", prose)
    for pattern in (FENCED, BACKTICKS, MARKED):
        for match in pattern.finditer(rest):
            text = next((group for group in match.groups() if group), match.group().strip("[]")).strip()
            if text and (pattern is not MARKED or match.lastindex is None or _is_code(text)):
                yield replace(given(text), wanted=_is_wanted(rest, match))
        rest = pattern.sub(" ", rest)
    for match in UNIT.finditer(rest):
        yield Reference("unit", "u" + next(filter(None, match.groups())).lstrip("uU"))
    rest = UNIT.sub(" ", rest)
    for pattern in (FRAME, CALLING, INDEXED):
        for match in pattern.finditer(rest):
            yield _expression(match, rest)
        rest = pattern.sub(" ", rest)
    yield from _names(rest)
    for match in LINE.finditer(rest):
        yield Reference("line", "-".join(filter(None, match.groups())))
    yield from _roles(rest)


def _expression(match: re.Match[str], text: str) -> Reference:
    """What is code although nothing marks it as such."""
    if match.re is FRAME:
        return Reference("line", match.group(1))
    if match.re is not OF_ERROR:
        return Reference("quote", match.group(), _is_wanted(text, match))
    if match["property"]:
        return Reference("property", match["property"] + (" =" if match["how"] == "setting" else ""))
    return Reference("name", (match["name"] or match["early"]).rpartition(".")[2])


def _is_wanted(text: str, match: re.Match[str]) -> bool:
    """Whether this is what the code should have said."""
    before, behind = text[max(match.start() - 40, 0) : match.start()], text[match.end() : match.end() + 40]
    return WANTED.search(before) is not None or MISSED.match(behind) is not None


def _is_code(text: str) -> bool:
    """Whether a quoted text is of the code, and not of what the page shows."""
    return bool(CODE.search(text)) and not ADDRESS.search(text)


def _names(rest: str) -> Iterator[Reference]:
    for match in SELECTOR.finditer(rest):
        yield Reference("name", match.group())
    for match in CALL.finditer(rest):
        yield Reference("name", match.group(1).rpartition(".")[2])
    for match in PATH.finditer(rest):
        if not NO_PATH.match(match.group()):
            yield Reference("quote", match.group())
    for match in CAMEL.finditer(rest):
        yield Reference("name", match.group())
    for match in MEASURE.finditer(rest):
        yield Reference("quote", match.group(), wanted=True)


def _roles(rest: str) -> Iterator[Reference]:
    """ "the reset handler", "the click handler of Reset"; not one that is said to be missing."""
    for match in ROLE.finditer(rest):
        if NEGATED.search(rest[max(match.start() - 40, 0) : match.start()]):
            continue
        words = [word.lower() for word in match.groups() if word and word.lower() not in EMPTY]
        telling = [word for word in words if word not in EVENTS] or words
        if telling:
            yield Reference("role", " ".join(telling))
