"""The direct and the context tokens of mode paper."""

from collections.abc import Sequence

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.align.places import Placed, widened
from rcca_cli.credit import calibration


def tokens(answer: Answer, failed: Sequence[Placed], gates: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """(direct, context), each (token,) true or false; no token is both.

    Direct are the units with a share θ of a failed item's mass, what an omission was placed on, and the positions of
    failed gates. Context are the units of the same function, rule or element, and the neighbours on both sides.
    """
    direct = [widened(answer.text, *gate) for gate in gates]
    for placed in failed:
        if placed.attribution is not None:
            heavy = np.flatnonzero(placed.attribution.mass >= calibration.THETA)
            direct += [placed.attribution.units.spans[index] for index in heavy]
        if placed.presence is not None:
            direct.append(placed.presence)
    context = [span for place in direct for span in around(answer, *place)]
    marked = touched(answer, direct)
    return marked, touched(answer, context) & ~marked


def around(answer: Answer, start: int, end: int) -> list[tuple[int, int]]:
    """The neighbours of a place's unit, and all of its function, rule or element; not of a whole script or sheet."""
    units = answer.units.units
    found = []
    for index in answer.units.touched(start, end):
        found += answer.spans[max(index - 1, 0) : index + 2]
        opens = next((unit for unit in reversed(units[:index]) if unit.end == units[index].scope_start), None)
        if opens is None or opens.name not in ("script", "style"):
            inside = answer.units.begun(units[index].scope_start, units[index].scope_end)
            found += answer.spans[inside.start : inside.stop]
    return found


def touched(answer: Answer, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Which tokens (token,) lie at least partly in one of the spans."""
    found = np.zeros(answer.tokens.count, dtype=bool)
    if spans:
        found[answer.tokens.shares(spans)[0]] = True
    return found
