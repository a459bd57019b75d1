"""The code of one answer in the forms in which quotes are looked for: as written, made canonical, as lexer tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from rcca_cli.source import Unit

SAME = str.maketrans("“”„«»‘’‚'`′–—", '"' * 11 + "--")  # one sign for all quotation marks, one for all dashes
# What makes no difference between two forms of one code: space, invisible signs, escapes of quotes and of line ends.
PIECE = re.compile(
    r"(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});)|(?:[\s\u200b\u2060\ufeff]|\\(?=[\"'`])|\\[nt])+|[^\s&\\\u200b\u2060\ufeff]+|[&\\]",
    re.I,
)
TOKEN = re.compile(r"[\w$]+|[^\s\w]")
WORD = re.compile(r"[\w$-]+")
FIRST, SURROGATES = 0x100, 0xD800  # where the letters begin that stand for tokens, and what none may be


def canonical(text: str) -> tuple[str, list[int]]:
    """The text without what makes no difference, and where in it each of its letters was.

    >>> canonical("let s = &quot;it’s&quot;")[0]
    'lets="it"s"'
    """
    letters: list[str] = []
    places: list[int] = []
    for match in PIECE.finditer(text):
        piece = match.group()
        if match.group(1):
            decoded = unescape(piece)
            letters.append(decoded.strip())
            places += [match.start()] * len(decoded.strip())
        elif not (piece[0].isspace() or piece[0] in "\u200b\u2060\ufeff" or (piece[0] == "\\" and len(piece) > 0)):
            letters.append(piece)
            places += range(match.start(), match.end())
    return "".join(letters).translate(SAME), places


@dataclass(frozen=True)
class Code:
    """`text[start:end]` is the page in an answer; `units` are all of the page's, in order, with places in `text`."""

    text: str
    start: int
    end: int
    units: Sequence[Unit] = ()

    @cached_property
    def canonical(self) -> tuple[str, list[int]]:
        """The page's canonical form, and where its letters are in `text`; the last place is behind the page."""
        letters, places = canonical(self.text[self.start : self.end])
        return letters, [self.start + place for place in [*places, self.end - self.start]]

    @cached_property
    def lines(self) -> list[int]:
        """Where each line of the page begins, and its end."""
        page = self.text[self.start : self.end]
        return [self.start, *(self.start + match.end() for match in re.finditer("\n", page)), self.end]

    @cached_property
    def tokens(self) -> tuple[str, list[tuple[int, int]]]:
        """The page's lexer tokens, each as one letter, and where they are."""
        found = list(TOKEN.finditer(self.text, self.start, self.end))
        return "".join(self.letter(match.group()) for match in found), [match.span() for match in found]

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """Where each word of the page begins, a dash being part of it as in class names."""
        found: dict[str, list[int]] = {}
        for match in WORD.finditer(self.text, self.start, self.end):
            found.setdefault(match.group(), []).append(match.start())
        return found

    @cached_property
    def _letters(self) -> dict[str, str]:
        return {}

    def letter(self, token: str) -> str:
        """The letter that stands for a token, the same for all forms of quotation marks."""
        known = self._letters
        token = token.translate(SAME)
        if token not in known:
            place = FIRST + len(known)
            known[token] = chr(place + 0x800 if place >= SURROGATES else place)
        return known[token]

    @cached_property
    def functions(self) -> dict[str, list[tuple[int, int]]]:
        """The whole of each function, by its name."""
        found: dict[str, list[tuple[int, int]]] = {}
        for unit in self.units:
            if unit.kind == "function" and unit.name:
                found.setdefault(unit.name, []).append((unit.scope_start, unit.scope_end))
        return found
