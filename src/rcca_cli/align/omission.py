"""Where an answer left something out that a passing sibling has: the one token that decided to go on without it."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.credit import calibration
from rcca_cli.units import Tokens


def find(answer: Answer, sibling: Answer, mass: np.ndarray) -> int | None:
    """The first character at which the answer goes on without the code that the sibling has for an item.

    `mass` (unit,) says which of the sibling's units the item needs. None if the two are not alike enough to tell,
    or if the code that differs most is there in another form: then it is wrong, and not left out.
    """
    here, there = answer.codes, sibling.codes
    if not here or not there or len(set(here) & set(there)) < calibration.ALIKE * len(set(there)):
        return None
    blocks = [
        (float(mass[low:high].sum()), kind, first, low)
        for kind, first, _, low, high in SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
        if kind in ("insert", "replace")
    ]
    if not blocks:
        return None
    best, kind, first, low = max(blocks, key=lambda block: block[0])
    if kind == "replace" or best < calibration.RELEVANT * sum(block[0] for block in blocks):
        return None
    return _parting(answer, sibling, first, low)


def _parting(answer: Answer, sibling: Answer, first: int, low: int) -> int:
    """Where the texts part, behind the last unit that both have."""
    here = answer.spans[first - 1][1] if first else answer.start
    there = sibling.spans[low - 1][1] if low else sibling.start
    while here < len(answer.text) - 1 and there < len(sibling.text) and answer.text[here] == sibling.text[there]:
        here += 1
        there += 1
    return here


def nearest(answer: Answer, siblings: Sequence[Answer]) -> Answer | None:
    """The sibling that shares the most units with an answer."""
    own = set(answer.codes)
    return max(siblings, key=lambda sibling: len(own & set(sibling.codes)), default=None)


def presence(tokens: Tokens, place: int) -> np.ndarray | None:
    """α of one token: the first that reaches beyond a character; (token,), its sum 1."""
    token = int(np.searchsorted(tokens.ends, place, side="right"))
    if token >= tokens.count:
        return None
    alpha = np.zeros(tokens.count)
    alpha[token] = 1.0
    return alpha


def anchor(answer: Answer, sibling: Answer, mass: np.ndarray) -> np.ndarray | None:
    """α of at most 16 tokens, its sum 0.5: the closing of what holds the item's code in the sibling.

    None unless that container is in the answer exactly once.
    """
    unit = sibling.units.units[int(mass.argmax())]
    around = [
        (other.scope_end - other.scope_start, code)
        for other, code in zip(sibling.units.units, sibling.codes, strict=True)
        if other.scope_start <= unit.start and unit.end <= other.scope_end and other is not unit
    ]
    for _, code in sorted(around):
        if answer.codes.count(code) == 1:
            end = answer.units.units[answer.codes.index(code)].scope_end
            last = int(np.searchsorted(answer.tokens.starts, end, side="left"))
            alpha = np.zeros(answer.tokens.count)
            chosen = slice(max(0, last - calibration.ANCHOR_TOKENS), last)
            closing = answer.tokens.ends[chosen] > answer.text.rfind("<", 0, end)
            alpha[chosen] = closing
            return calibration.ANCHOR * alpha / alpha.sum() if alpha.any() else None
    return None
