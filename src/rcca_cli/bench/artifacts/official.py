"""What the released harness (2025) takes from an answer, fault by fault, for figures that compare with its own.

Written from its behaviour: of several ```html fences it renders the first; a page is only recognised by a lower-case
`<html …>…</html>`; an SVG alone is never rendered; code in files that the page does not link exactly so is lost.
The repaired way is pages.py.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

DOCUMENT = (re.compile("<html[^>]*>"), re.compile("</html>"))  # where one begins and ends
DRAWING = (re.compile("<svg[^>]*>"), re.compile("</svg>"))
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.S)
OPENER = re.compile(r"```\w+")
SHEET_LINK = re.compile(r"""<link[^>]*rel=["'](?:stylesheet|preload)["'][^>]*href=["']((?!https?://).*?)["']""")
SCRIPT_LINK = re.compile(r"""<script[^>]*src=["']((?!https?://).*?)["']""")
ANY_LINK = re.compile(r"""<link[^>]*href=["'](.*?)["'][^>]*>""")
ANY_SCRIPT = re.compile(r"""<script[^>]*src=["'](.*?)["'][^>]*>""")
CROWD = 50  # links, or what refers to files, in one tag
LINKING = ("<link", "<script", "rel=", "href=", "src=")
SCORES = tuple(re.compile(rf'"{key}":\s*"?(\d+(?:\.\d+)?)"?') for key in ("Overall Score", "总体打分"))


def answer(text: str) -> str:
    """What is behind the last `</think>`."""
    return text.split("</think>")[-1].strip()


def page(answer: str) -> str | None:
    """The page that is rendered; None if none is: no page is recognised, or only a drawing.

    A drawing is recognised all the same, but what follows fails on it, so that it has no picture.
    """
    documents = list(spans(answer, *DOCUMENT))
    if not documents:
        return None
    try:
        return _joined(answer)
    except (KeyError, IndexError, ValueError, StopIteration, re.error):
        return str(documents[-1])


def kind(answer: str) -> str | None:
    """html, svg, or None."""
    if any(spans(answer, *DOCUMENT)):
        return "html"
    return "svg" if any(spans(answer, *DRAWING)) else None


def spans(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[str]:
    """What the one pattern `opening.*?closing` finds, in time in proportion to the text, whatever it repeats."""
    place, stop = 0, text.rfind(">") + 1
    while (first := opening.search(text, place, stop)) and (last := closing.search(text, first.end(), stop)):
        yield text[first.start() : last.end()]
        place = last.end()


def overall(reply: str) -> str | None:
    """The score that is read from a judge's reply: the last one behind the key as it must be spelt. Not bounded.

    One that is too large for a number is none.

    >>> overall('{"Overall Score": "35-40"}'), overall('{"Overall Score" : 72}')
    ('35', None)
    """
    for pattern in SCORES:
        if found := pattern.findall(reply):
            return str(found[-1]) if math.isfinite(float(found[-1])) else None
    return None


@dataclass(frozen=True)
class _File:
    name: str
    code: str


@dataclass(frozen=True)
class _Language:
    """How the files of one language are found, named and put into the page."""

    fence: str
    ending: str
    default: str  # the name of one that no link asks for
    links: re.Pattern[str]
    place: re.Pattern[str]  # what is replaced in the page
    tag: str
    before: str  # where the note on one that was not used goes


CSS = _Language("css", ".css", "styles.css", SHEET_LINK, ANY_LINK, "style", "</head>")
JAVASCRIPT = _Language("javascript", ".js", "script.js", SCRIPT_LINK, ANY_SCRIPT, "script", "</body>")


def _joined(answer: str) -> str:
    """The first html block with the files of the others put in. Any error means that there is no such page."""
    blocks: dict[str, list[str]] = {}
    for language, code in BLOCK.findall(answer):
        blocks.setdefault(language.lower(), []).append(code)
    first, last = blocks["html"][0], blocks["html"][-1]
    if is_crowded(first) or is_crowded(last):
        raise ValueError("links in links: the patterns below would go over them for ever")
    files = {kind: list(_files(answer, blocks, kind, last)) for kind in (CSS, JAVASCRIPT)}
    known = {one.name: one.code for those in files.values() for one in those}
    unused = {kind: [one.name for one in those] for kind, those in files.items()}
    found = first
    for kind in files:
        found = kind.place.sub(_inlined(kind, known, unused[kind]), found)
    for kind in files:
        for name in unused[kind]:
            note = f"<{kind.tag}>/* {name}: not in the answer */</{kind.tag}>\n{kind.before}"
            found = re.sub(kind.before, note, found, count=1)
    return found


def is_crowded(page: str) -> bool:
    """Whether so much stands in one tag as no page has and takes the patterns for links hours."""
    return any(part.count(word) > CROWD for part in page.split(">") for word in LINKING)


def _files(answer: str, blocks: dict[str, list[str]], kind: _Language, linking: str) -> Iterator[_File]:
    """The blocks of a language, in the order of the lines that open them, with the names that they get."""
    wanted = kind.links.findall(linking)
    left = blocks.get(kind.fence)
    before = ""
    for line in answer.split("\n"):
        if not OPENER.match(line):
            before = line
        elif line[3:].lower().startswith(kind.fence):
            if left is None:
                raise KeyError(kind.fence)
            yield _File(_named(kind, wanted, before), left.pop(0))


def _named(kind: _Language, wanted: list[str], before: str) -> str:
    """The name of a block: the default, what the line before it says, or the next link's; `wanted` loses it."""
    said: Sequence[str] = re.findall(rf"[\w\-/]+\{kind.ending}", before, re.I)
    if not wanted:
        return kind.default
    if not said:
        return wanted.pop(0)
    if said[0] in wanted:
        wanted.remove(said[0])
    return said[0]


def _inlined(kind: _Language, known: dict[str, str], unused: list[str]) -> Callable[[re.Match[str]], str]:
    """What a link to one of the `known` files becomes; a second link to the same one is an error."""

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name not in known or not name.endswith(kind.ending):
            return match[0]
        unused.remove(name)
        return f"<{kind.tag}>{known[name]}</{kind.tag}>"

    return put
