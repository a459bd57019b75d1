"""Where an omission is put when no sibling is alike enough to say exactly: the closing of what should hold the code."""

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.credit import calibration


def alpha(answer: Answer, sibling: Answer, mass: np.ndarray) -> np.ndarray | None:
    """α of at most 16 tokens, its sum 0.5: the closing of what holds the item's code in the sibling; (token,).

    `mass` (unit,) is of the sibling's units. None unless that container is in the answer exactly once.
    """
    unit = sibling.units.units[int(mass.argmax())]
    around = [
        (other.scope_end - other.scope_start, code)
        for other, code in zip(sibling.units.units, sibling.codes, strict=True)
        if other.scope_start <= unit.start and unit.end <= other.scope_end and other is not unit
    ]
    for _, code in sorted(around):
        if answer.code_counts[code] == 1:
            return closing(answer, answer.units.units[answer.codes.index(code)].scope_end)
    return None


def closing(answer: Answer, end: int) -> np.ndarray | None:
    """The last tokens before a place, back to the bracket or tag that closes there."""
    last = int(np.searchsorted(answer.tokens.starts, end, side="left"))
    chosen = slice(max(0, last - calibration.ANCHOR_TOKENS), last)
    begins = max(answer.text.rfind(sign, 0, end) for sign in ("<", "}"))
    found = np.zeros(answer.tokens.count)
    found[chosen] = answer.tokens.ends[chosen] > begins
    return calibration.ANCHOR * found / found.sum() if found.any() else None
