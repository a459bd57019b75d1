"""The code blocks of an answer in Markdown, with the file names that their surroundings give them.

As CommonMark has it: backticks or tildes, any number from three on, any indentation, words behind the language. A
block of JavaScript goes on over what looks like its end as long as only a later one leaves code that parses.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rcca_cli.source import javascript

FENCE = re.compile(r"^(?P<indent>[ \t]*)(?:[-*>][ \t]+)?(?P<sign>`{3,}|~{3,})(?P<words>[^\r\n]*)\r?$", re.M)
LANGUAGES = {"js": "javascript", "mjs": "javascript", "cjs": "javascript", "htm": "html", "xhtml": "html"}
ENDINGS = {"html": "html?", "css": "css", "javascript": "[cm]?js", "svg": "svg", "json": "json"}
REACH = 40  # fences in which the end of a script is looked for


@dataclass(frozen=True)
class Fence:
    """One block: `language` in lower case ("" if it says none), `name` of its file or None; `start` is its code's."""

    language: str
    name: str | None
    code: str
    start: int
    end: int


def read(text: str) -> list[Fence]:
    """The blocks in order; one without an end goes to the end of the text."""
    return list(_read(text))


def _read(text: str) -> Iterator[Fence]:
    marks, number, before = list(FENCE.finditer(text)), 0, 0
    while number < len(marks):
        opener = marks[number]
        words = opener["words"].strip()
        if "`" in words:  # code in the middle of a line
            number += 1
            continue
        language = _language(words)
        start = min(opener.end() + 1, len(text))
        closer = _closer(text, marks, number, language)
        end = marks[closer].start() if closer is not None else len(text)
        code = _dedented(text[start:end], opener["indent"])
        yield Fence(language, _name(language, words, text[before : opener.start()], code), code, start, end)
        number = (len(marks) if closer is None else closer) + 1
        before = marks[number - 1].end() if closer is not None else len(text)


def _language(words: str) -> str:
    """The language, from the first word of a fence.

    >>> _language("JS title=x"), _language("html filename=index.html"), _language("src/app.css"), _language("")
    ('javascript', 'html', 'css', '')
    """
    first = re.split(r"[\s{:,]", words, maxsplit=1)[0].lower()
    first = first.rpartition(".")[2]
    return LANGUAGES.get(first, first)


def _closer(text: str, marks: Sequence[re.Match[str]], number: int, language: str) -> int | None:
    """The fence that ends the one at `number`: the first that may, or for a script the first that leaves it whole."""
    sign = marks[number]["sign"]
    able = [
        place
        for place, mark in enumerate(marks[number + 1 : number + 1 + REACH], number + 1)
        if not mark["words"].strip() and mark["sign"][0] == sign[0] and len(mark["sign"]) >= len(sign)
    ]
    if language == "javascript":
        start = min(marks[number].end() + 1, len(text))
        for place in able:
            code = text[start : marks[place].start()]
            if not javascript.fault(code, "module" if is_module(code) else "script"):
                return place
    return able[0] if able else None


def is_module(code: str) -> bool:
    """Whether only a module may hold this script: it imports or exports.

    >>> is_module("import {a} from './a.js';"), is_module("const important = 1")
    (True, False)
    """
    return re.search(r"^[ \t]*(?:import\s*[\w{*\"']|export\s+[\w{*])", code, re.M) is not None


def _dedented(code: str, indent: str) -> str:
    if not indent:
        return code
    return "".join(line.removeprefix(indent) for line in code.splitlines(keepends=True))


def _name(language: str, words: str, before: str, code: str) -> str | None:
    """The file that a block is: by the words behind its language, the line before it, or its own first comment."""
    ending = ENDINGS.get(language)
    if ending is None:
        return None
    path = re.compile(rf"[\w\-./]*[\w\-]\.{ending}\b", re.I)
    lines = [line for line in before.splitlines() if line.strip()]
    first = code.lstrip().partition("\n")[0]
    comment = first if first.startswith(("/*", "//", "<!--")) else ""
    for place in (words, lines[-1] if lines else "", comment):
        if found := path.findall(place):
            return str(found[0])
    return None
