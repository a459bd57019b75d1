"""The text of a server's answer, and the span of each of its tokens in it, from the bytes that the server tells.

Servers tell them in three ways: the true bytes; those of U+FFFD for each part of a character that lies in several
tokens; or none. The first two can be placed in the text; for the third the tokenizer must be at hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli.chat import Answer
from rcca_cli.models import offsets

BROKEN = "\ufffd"


@dataclass(frozen=True)
class Spelled:
    """`text` with the reasoning in front, which ends at `answer_start`; `offsets` of each token, empty if not known."""

    text: str
    offsets: list[list[int]]
    answer_start: int = 0

    def until(self, end: int) -> "Spelled":
        """The answer as if the token that reaches this place had been its last."""
        last = next((number for number, span in enumerate(self.offsets) if span[1] >= end), None)
        if last is None:
            return replace(self, text=self.text[:end])
        return replace(self, text=self.text[: self.offsets[last][1]], offsets=self.offsets[: last + 1])


def spelled(answer: Answer, pieces: Any = None) -> Spelled:
    """The answer as text and spans. `pieces` knows the true bytes of each token, if a tokenizer is at hand.

    A server cuts the end token, or a stop string, off the text and not off the tokens: those lie at its end.
    """
    told: Sequence[bytes] = pieces.of(answer.tokens) if pieces is not None else answer.pieces
    if not answer.tokens or not told:
        return _text_only(answer)
    if answer.reasoning:
        return _with_reasoning(answer, offsets.decode(told)) or _text_only(answer)
    found = _placed([piece.decode("utf-8", "replace") for piece in told], answer.text)
    decoded = offsets.decode(told)
    if decoded.text.startswith(answer.text):
        found = [[min(start, len(answer.text)), min(end, len(answer.text))] for start, end in decoded.offsets]
    return Spelled(answer.text, found) if found is not None else _text_only(answer)


def _text_only(answer: Answer) -> Spelled:
    """Without tokens the tags of the reasoning are not known: the usual ones stand for them."""
    thought = f"<think>\n{answer.reasoning}\n</think>\n\n" if answer.reasoning else ""
    return Spelled(thought + answer.text, [], len(thought))


def _with_reasoning(answer: Answer, decoded: offsets.Decoded) -> Spelled | None:
    """The tokens are of both: the text is what they spell, up to the end of the answer proper."""
    start = decoded.text.rfind(answer.text) if answer.text.strip() else len(decoded.text)
    if start < 0 or BROKEN in decoded.text or answer.reasoning.strip() not in decoded.text[:start]:
        return None
    end = start + len(answer.text) if answer.text.strip() else len(decoded.text)
    spans = [[min(first, end), min(last, end)] for first, last in decoded.offsets]
    return Spelled(decoded.text[:end], spans, start)


def _placed(pieces: Sequence[str], text: str) -> list[list[int]] | None:
    """Spans of pieces in which U+FFFD stands for part of a character; None if they do not spell the text.

    A character goes to the last of the tokens that hold parts of it.

    >>> _placed(["a ", "\ufffd", "\ufffd", "b", "<end>"], "a 😀b")
    [[0, 2], [2, 2], [2, 3], [3, 4], [4, 4]]
    """
    spans: list[list[int]] = []
    place = broken = 0  # how many pieces of characters wait to be placed
    for piece in pieces:
        whole = piece.strip(BROKEN)
        before = len(piece) - len(piece.lstrip(BROKEN)) if whole else len(piece)
        broken += before
        start = _found(text, whole, place, broken) if whole else place
        if start is None:
            if place + broken < len(text):
                return None
            start, whole, broken = len(text), "", 0  # behind the end of the text
        if whole and broken:
            if before == 0 and spans:  # the characters were complete before this piece
                spans[-1][1] = place = start
            broken = 0
        spans.append([place, start + len(whole)])
        place = start + len(whole)
        broken += len(piece) - before - len(whole) if whole else 0
    if broken and spans:
        spans[-1][1] = place = len(text)
    return spans if place == len(text) else None


def _found(text: str, piece: str, place: int, broken: int) -> int | None:
    """Where a piece goes on: at `place`, or behind at most as many characters as there are parts of some."""
    for start in range(place + (broken > 0), place + broken + 1):
        if text.startswith(piece, start):
            return start
    return None
