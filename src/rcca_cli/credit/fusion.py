"""From marks to a share of responsibility for each unit: mask times pointers, mixed with what was quoted."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rcca_cli.credit import calibration, certainty
from rcca_cli.credit.evidence import Mark
from rcca_cli.source import Unit

LANGUAGE = {
    "statement": "script",
    "function": "script",
    "handler": "script",
    "selector": "style",
    "declaration": "style",
    "rule": "style",
    "tag": "markup",
    "text": "markup",
}
OMISSION = "omission"  # the kind of a unit that stands for what an answer left out: the token that went on without it
REACH = 60  # characters: a mark between two units (on a bracket) belongs to the nearest within this


@dataclass(frozen=True)
class Attribution:
    """`mass` (unit,) sums to 1; `sources` names, for each unit, who pointed to it.

    `units` are the answer's, cut where a sibling differs within one. `signs` are what c depends on (certainty.py).
    """

    units: "UnitMap"
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

    units: "UnitMap"
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


class UnitMap:
    """The units of one answer that sampled tokens cover, and which of them a place belongs to."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = list(units)
        self.starts = [unit.start for unit in units]
        self.ends = [unit.end for unit in units]
        self.languages = [LANGUAGE.get(unit.kind, "") for unit in units]
        sizes = np.array([unit.end - unit.start for unit in units], dtype=float)
        self.lengths = sizes**calibration.LENGTH

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where the units are."""
        return list(zip(self.starts, self.ends, strict=True))

    def cut(self, places: Sequence[tuple[int, int]], omissions: Sequence[tuple[int, int]] = ()) -> "UnitMap":
        """The same units, cut at the ends of the places inside them; each omission is a unit of its own."""
        borders = sorted({border for place in [*places, *omissions] for border in place})
        apart = set(omissions)
        pieces = [Unit(OMISSION, start, end, start, end, "") for start, end in sorted(apart)]
        for unit in self.units:
            inside = borders[bisect_right(borders, unit.start) : bisect_left(borders, unit.end)]
            if inside:
                ends = pairwise([unit.start, *inside, unit.end])
                pieces += [replace(unit, start=start, end=end) for start, end in ends if (start, end) not in apart]
            elif (unit.start, unit.end) not in apart:
                pieces.append(unit)
        return UnitMap(sorted(pieces, key=lambda unit: unit.start))

    def touched(self, start: int, end: int) -> range:
        """The units that overlap a place, or the nearest one to it."""
        end = max(end, start + 1)
        first, last = bisect_right(self.ends, start), bisect_left(self.starts, end)
        if first < last:
            return range(first, last)
        near = [(abs(gap), unit) for unit, gap in self._neighbours(first, start, end) if abs(gap) <= REACH]
        return range(min(near)[1], min(near)[1] + 1) if near else range(0)

    def begun(self, start: int, end: int) -> range:
        """The units that begin inside a place."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def _neighbours(self, following: int, start: int, end: int) -> list[tuple[int, int]]:
        around = []
        if following > 0:
            around.append((following - 1, start - self.ends[following - 1]))
        if following < len(self.units):
            around.append((following, self.starts[following] - end))
        return around


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
    quoted = quotation(unit_map, quotes, lengths * (evidence / evidence.max() + calibration.QUOTE_FLOOR))
    trust = _trust(unit_map, marks, quoted, kind)
    mass, g = found.mass, None
    if trust:
        g = named(quoted, trust)
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
    """len^0.9 (unit,); what a sibling has in another form is one decision, however long."""
    lengths = unit_map.lengths.copy()
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


def quotation(unit_map: UnitMap, quotes: Sequence[Mark], share: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """For each reference to code its quality, and g (unit,): its places in proportion to their `share`, Σ g = 1."""
    found = []
    for reference in sorted({mark.of for mark in quotes}):
        own = [mark for mark in quotes if mark.of == reference]
        named = np.zeros(len(unit_map.units))
        for mark in own:
            covered = unit_map.touched(mark.start, mark.end)
            named[covered.start : covered.stop] = 1.0
        if named.any():
            found.append((max(mark.score for mark in own), named * share / (named * share).sum()))
    return found


def named(quoted: Sequence[tuple[float, np.ndarray]], trust: Sequence[float]) -> np.ndarray:
    """g (unit,) of all references: a plain quote counts for much more than a name or a line beside it."""
    weights = np.array(trust) ** calibration.QUOTE_POWER
    return np.asarray(sum(weight * g for weight, (_, g) in zip(weights, quoted, strict=True)) / weights.sum())


def _trust(
    unit_map: UnitMap, marks: Sequence[Mark], quoted: Sequence[tuple[float, np.ndarray]], kind: str
) -> list[float]:
    """c_q of each reference: how often one of its quality names the place; none where nothing quoted counts.

    Code that never ran is believed less to have thrown, or to have done wrong; under an exception a quote that agrees
    with the scope of a frame is believed more.
    """
    if not quoted or kind not in calibration.QUOTE:
        return []
    never = _never_ran(unit_map, marks) if kind in ("exception", "silent") else np.zeros(len(unit_map.units), bool)
    thrown = _scopes_thrown_in(unit_map, marks) if kind == "exception" else np.zeros(len(unit_map.units), bool)
    found = []
    for quality, g in quoted:
        base = calibration.QUOTE_AT_FRAME if thrown[g > 0].any() else calibration.QUOTE[kind]
        found.append(base * quality * (calibration.NEVER_RAN if never[g > 0].all() else 1.0))
    return found


def _never_ran(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """Which units (unit,) are JavaScript of which coverage says that it never ran."""
    never = np.zeros(len(unit_map.units), dtype=bool)
    masks = [mark for mark in marks if mark.source == "coverage" and mark.feature == "mask"]
    for mark in sorted(masks, key=lambda mark: mark.start - mark.end):
        covered = unit_map.begun(mark.start, mark.end)
        never[covered.start : covered.stop] = mark.score < calibration.MASK["script"][1]
    return never


def _scopes_thrown_in(unit_map: UnitMap, marks: Sequence[Mark]) -> np.ndarray:
    """Which units (unit,) are in the function of a frame of the stack."""
    found = np.zeros(len(unit_map.units), dtype=bool)
    for mark in marks:
        if mark.feature == "stack":
            for unit in unit_map.touched(mark.start, mark.end):
                inside = unit_map.begun(unit_map.units[unit].scope_start, unit_map.units[unit].scope_end)
                found[inside.start : inside.stop] = True
    return found


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
