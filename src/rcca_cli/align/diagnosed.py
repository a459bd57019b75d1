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
    units = answer.units.units
    direct = np.zeros(len(units), dtype=bool)
    places = [widened(answer.text, *gate) for gate in gates]
    for placed in failed:
        if placed.attribution is not None:
            direct |= placed.attribution.mass >= calibration.THETA
        if placed.presence is not None:
            places.append(placed.presence)
    context = np.zeros(len(units), dtype=bool)
    wide = {unit.end for unit in units if unit.kind == "tag" and unit.name in ("script", "style")}
    for index in np.flatnonzero(direct):
        context[max(index - 1, 0) : index + 2] = True
        if units[index].scope_start not in wide:  # all of a script or sheet is too much to be context
            inside = answer.units.begun(units[index].scope_start, units[index].scope_end)
            context[inside.start : inside.stop] = True
    spans = answer.spans
    marked = touched(answer, [span for span, is_direct in zip(spans, direct, strict=True) if is_direct] + places)
    around = touched(answer, [span for span, is_context in zip(spans, context, strict=True) if is_context])
    return marked, around & ~marked


def touched(answer: Answer, spans: Sequence[tuple[int, int]]) -> np.ndarray:
    """Which tokens (token,) lie at least partly in one of the spans."""
    found = np.zeros(answer.tokens.count, dtype=bool)
    if spans:
        found[answer.tokens.shares(spans)[0]] = True
    return found
