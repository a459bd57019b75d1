"""How much of an answer a judge can be shown: tokens are counted with the pictures', and what is left out is said."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

OFFICIAL = 27_000  # tokens of text that the released harness keeps, from the front; pictures are not counted
OVERHEAD = 200  # tokens of a request that are in no text of ours: roles, marks of the template
LEAST = 400  # tokens of an answer, below which it is not worth asking


@dataclass(frozen=True)
class Counter:
    """Counts tokens: by the judge's own tokenizer, else three bytes of UTF-8 each, which is more than most need."""

    tokenizer: Any = None  # models.Literal

    def count(self, text: str) -> int:
        """How many tokens a text has.

        >>> Counter().count("const a = 1;")
        4
        """
        if self.tokenizer is not None:
            return len(self.tokenizer.ids(text))
        return -(-len(text.encode("utf-8", "replace")) // 3)

    def head(self, text: str, tokens: int) -> str:
        """The first so many tokens of a text; all of it if it has no more."""
        if self.tokenizer is None:
            return text.encode("utf-8", "replace")[: 3 * tokens].decode("utf-8", "ignore")
        ids = self.tokenizer.ids(text)
        return text if len(ids) <= tokens else str(self.tokenizer.pieces.decode(ids[:tokens]).text)


def elided(text: str, tokens: int, count: Callable[[str], int], mark: str) -> tuple[str, int]:
    """`text` in at most so many tokens as far as they are even, and how many characters of it that left out.

    Its middle goes, where our `mark` says so.

    What is left out are whole lines where there are any, and as many characters from the front as from the back.

    >>> elided("0123456789" * 30, 60, lambda text: len(text) // 3, "m")[1]
    190
    """
    total = count(text)
    if total <= tokens:
        return text, 0
    half = int(len(text) * max(tokens - count(_gap(mark, len(text))), 0) / total / 2)
    front, back = _line_end(text, half), _line_start(text, len(text) - half)
    return f"{text[:front]}{_gap(mark, back - front)}{text[back:]}", back - front


def _gap(mark: str, lost: int) -> str:
    return f"<<{mark} {lost} characters of this are left out here; they are in the answer>>"


def _line_end(text: str, place: int) -> int:
    """The end of the last line before a place, unless that costs more than a tenth of what is before it."""
    found = text.rfind("\n", 0, place) + 1
    return found if found > place * 0.9 else place


def _line_start(text: str, place: int) -> int:
    found = text.find("\n", place) + 1
    return found if found and found - place < (len(text) - place) * 0.1 else place
