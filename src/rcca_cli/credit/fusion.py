"""From marks to a share of responsibility for each unit: mask times pointers, mixed with what was quoted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rcca_cli.credit import calibration, certainty, quoted
from rcca_cli.credit.evidence import Mark
from rcca_cli.credit.unit_map import UnitMap


@dataclass(frozen=True)
class Attribution:
    """`mass` (unit,) sums to 1; `sources` names, for each unit, who pointed to it.

    `units` are the answer's, cut where a sibling differs within one. `signs` are what c depends on (certainty.py).
    """

    units: UnitMap
    mass: np.ndarray
    signs: dict[str, float]
    sources: list[list[str]]
    kind: str

    @property
    def confidence(self) -> float:
        """c: how probable it is that the units with 80 % of the mass hold the fault."""
        return certainty.confidence(self.kind, self.signs)


@dataclass(frozen=True)
class Features:
    """What marks say of each unit, (unit,) each: `mask` in (0, 1] before its power, `scores` by pointer, in [0, 1].

    `lengths` are to the power 0.9; `style` tells the units of style sheets.
    """

    units: UnitMap
    lengths: np.ndarray
    mask: np.ndarray
    style: np.ndarray
    scores: dict[str, np.ndarray]

    def evidence(self, kind: str) -> np.ndarray:
        """m · exp(Σ β·e) (unit,) for a kind of failure."""
        known = [weight * self.scores[name] for name, weight in calibration.BETA[kind].items() if name in self.scores]
        return self.masked(kind) * np.exp(sum(known, np.zeros(self.mask.size)))

    def masked(self, kind: str) -> np.ndarray:
        """m (unit,) for a kind of failure, to its power."""
        mask = self.mask**calibration.MASK_POWER
        return mask if kind == "visual" else np.where(self.style, mask * calibration.MASK_NOT_VISUAL, mask)


def fuse(
    unit_map: UnitMap,
    marks: Sequence[Mark],
    kind: str,
    omissions: Sequence[tuple[int, int]] = (),
    split: Callable[[Attribution], Attribution] | None = None,
) -> Attribution | None:
    """Who is responsible for a verdict of a kind of failure, or "passed"; None for an answer without units.

    b ∝ len^0.9 · m · exp(Σ β·e), with m the mask and e the pointers; g the same over the quoted units, with a
    floor; p = c_q·g + (1 − c_q)·b. `split` may move mass of b, before what was quoted comes on top.
    """
    if not unit_map.units:
        return None
    seen = features(unit_map, marks, omissions)
    unit_map, lengths, evidence = seen.units, seen.lengths, seen.evidence(kind)
    pointers = [mark for mark in marks if mark.feature in calibration.BETA[kind]]
    quotes = [mark for mark in marks if mark.feature == "quote"]
    mass = lengths * evidence
    sources = _sources(unit_map, [*pointers, *quotes], marks)
    found = Attribution(unit_map, mass / mass.sum(), {}, sources, kind)
    if split is not None:
        found = split(found)
    places = quoted.places(unit_map, quotes, lengths * (evidence / evidence.max() + calibration.QUOTE_FLOOR))
    trust = quoted.trust(unit_map, marks, places, kind)
    mass, g = found.mass, None
    if trust:
        g = quoted.together(places, trust)
        mass = max(trust) * g + (1 - max(trust)) * mass
    signs = certainty.features(mass, {mark.feature for mark in pointers}, max(trust, default=0.0), g, found.mass)
    return replace(found, mass=mass, signs=signs)


def features(unit_map: UnitMap, marks: Sequence[Mark], omissions: Sequence[tuple[int, int]] = ()) -> Features:
    """What the marks say of the units, which are cut where siblings differ."""
    differing = [(mark.start, mark.end) for mark in marks if mark.feature == "sibling"]
    if differing or omissions:
        unit_map = unit_map.cut(differing, omissions)
    style = np.array([language == "style" for language in unit_map.languages], dtype=bool)
    return Features(unit_map, _lengths(unit_map, marks), _mask(unit_map, marks), style, _scores(unit_map, marks))


def _lengths(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """len^0.9 (unit,), less where only words point; what a sibling has in another form is one decision."""
    told = any(mark.feature == "words" for mark in marks)
    lengths = unit_map.lengths ** (calibration.LENGTH_TOLD / calibration.LENGTH if told else 1.0)
    for mark in marks:
        if mark.feature in ("sibling", "omission"):
            covered = unit_map.touched(mark.start, mark.end)
            lengths[covered.start : covered.stop] = calibration.DECISION**calibration.LENGTH
    return lengths


def _mask(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """m (unit,): the innermost mark around the beginning of a unit decides; without one, its language does."""
    masks = [mark for mark in marks if mark.feature == "mask"]
    seen = {mark.source for mark in masks}
    defaults = {"": 1.0} | {
        language: low if source in seen else calibration.MASK_UNSEEN
        for language, (source, low) in calibration.MASK.items()
    }
    mask = np.array([defaults[language] for language in unit_map.languages])
    for mark in sorted(masks, key=lambda m: (m.start - m.end, m.score)):
        covered = unit_map.begun(mark.start, mark.end)
        mask[covered.start : covered.stop] = mark.score
    return mask


def _scores(unit_map: UnitMap, marks: Sequence[Mark]) -> dict[str, np.ndarray]:
    """e (unit,) of each pointer: of several marks the highest counts."""
    scores: dict[str, np.ndarray] = {}
    for mark in marks:
        if mark.feature not in ("mask", "quote"):
            covered = unit_map.touched(mark.start, mark.end)
            part = scores.setdefault(mark.feature, np.zeros(len(unit_map.units)))[covered.start : covered.stop]
            np.maximum(part, mark.score, out=part)
    return scores


def _sources(unit_map: UnitMap, pointers: Sequence[Mark], marks: Sequence[Mark]) -> list[list[str]]:
    """For each unit the names of the sources that marked it, the mask's only where it says "this was it"."""
    names: list[set[str]] = [set() for _ in unit_map.units]
    for mark in pointers:
        for unit in unit_map.touched(mark.start, mark.end):
            names[unit].add(mark.source)
    for mark in marks:
        if mark.feature == "mask" and mark.score == 1.0:
            for unit in unit_map.begun(mark.start, mark.end):
                names[unit].add(mark.source)
    return [sorted(found) for found in names]
