"""The direct and the context tokens of mode paper."""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from rcca_cli.align.answer import Answer
from rcca_cli.align.influence import Influence
from rcca_cli.align.places import Placed, widened
from rcca_cli.credit import calibration

# Where a unit of each kind has the name of an element: "id" and "class", "#name", "name" in a look-up.
WRITTEN = {
    "tag": re.compile(r"\b(?:id|class)\s*=\s*[\"']?([\w -]+)"),
    "selector": re.compile(r"[#.]([A-Za-z_][\w-]*)"),
    "handler": re.compile(r"[\"'`][#.]?([A-Za-z_][\w-]*)[\"'`]\s*\)"),
}
MOST = 8  # units that share one name


def tokens(answer: Answer, failed: Sequence[Placed], gates: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """(direct, context), each (token,) true or false; no token is both.

    Direct are the units with a share θ of a failed item's mass, what an omission was placed on, and the positions of
    failed gates. Context are the units of the same function, rule or element, the neighbours on both sides, what
    decides the values that a unit reads (one step back), and the tags, selectors and handlers that share its names.
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
    """What belongs to a place's units: see `tokens`. Of a scope that is a whole script or sheet only the neighbours."""
    units = answer.units.units
    found = []
    influence, names = answer.once(Influence), answer.once(Names)
    for index in answer.units.touched(start, end):
        found += answer.spans[max(index - 1, 0) : index + 2]
        found += [answer.spans[other] for other in sorted(influence.behind(index) | names.beside(index))]
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


class Names:
    """The ids and classes in an answer's tags, selectors and handlers, and which of these share one."""

    def __init__(self, answer: Answer) -> None:
        self.kinds = [unit.kind for unit in answer.units.units]
        self.of: dict[int, set[str]] = {}
        self.having: dict[str, set[int]] = defaultdict(set)
        for index, (unit, code) in enumerate(zip(answer.units.units, answer.codes, strict=True)):
            pattern = WRITTEN.get(unit.kind)
            if pattern is not None:
                self.of[index] = {name for found in pattern.findall(code) for name in found.split()}
                for name in self.of[index]:
                    self.having[name].add(index)

    def beside(self, index: int) -> set[int]:
        """The units of another kind that share a name with this one; none for a name that is everywhere."""
        found = [self.having[name] for name in self.of.get(index, ()) if len(self.having[name]) <= MOST]
        return {other for shared in found for other in shared if self.kinds[other] != self.kinds[index]}
