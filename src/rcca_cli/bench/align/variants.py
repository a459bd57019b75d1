"""What is compared: each source alone, all of them, simulated judges that quote, siblings, and nothing at all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rcca_cli import seeds
from rcca_cli.align import places
from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.align.places import Placed
from rcca_cli.align.sources import SOURCES, quote
from rcca_cli.bench.align import metrics, truth
from rcca_cli.bench.align.metrics import Score
from rcca_cli.credit import Mark, calibration
from rcca_cli.source import Unit

ACCURACIES = (50, 70, 90)
DRAWS = 2  # right quotes, and wrong ones, of each simulated judge
PLAUSIBLE = 10  # a wrong quote is of one of the units that are blamed most without it
QUOTE = 160  # characters of a quote


@dataclass(frozen=True)
class Fault:
    """A failed item of a mutant, with the places of the fault."""

    case: Case
    edits: tuple[tuple[int, int], ...]
    name: str  # of the mutant and item, for seeds

    @cached_property
    def marks(self) -> dict[str, list[Mark]]:
        """What each source says."""
        return {name: list(source(self.case)) for name, source in SOURCES.items()}

    def said(self, but: str = "") -> list[Mark]:
        """What all sources say, but for one."""
        return [mark for name, marks in self.marks.items() if name != but for mark in marks]

    @cached_property
    def told(self) -> tuple[list[Unit], list[Unit]]:
        """The units that a judge quotes when it is right, and when it is wrong."""
        rng = seeds.generator("quotes", self.name)
        units = self.case.answer.units.units
        held = truth.holding(units, self.edits)
        _, mass = shares(self.case.answer, places.blamed(self.case, self.said(but="quote")))
        order = np.argsort(-mass[: len(units)], kind="stable")
        right = [unit for unit, there in zip(units, held, strict=True) if there]
        wrong = [units[index] for index in order if not held[index]][:PLAUSIBLE]
        return rng.sample(right, min(DRAWS, len(right))), rng.sample(wrong, min(DRAWS, len(wrong)))

    @cached_property
    def _quoted(self) -> dict[tuple[bool, bool], list[Score]]:
        return {}

    def quoted(self, scope: bool, only: bool) -> list[Score]:
        """The scores beside each quote of a simulated judge; `only`: of the quote by itself."""
        known = self._quoted
        if (scope, only) not in known:
            known[scope, only] = []
            for case in quotations(self, scope):
                marks = [*quote.marks(case), *([] if only else self.said(but="quote"))]
                found = replace(self, case=case).score(places.blamed(case, marks), quote.unmatched(case))
                known[scope, only].append(found)
        return known[scope, only]

    def score(self, placed: Placed, unmatched: int = 0) -> Score:
        """How well an attribution meets the fault."""
        units, mass = shares(self.case.answer, placed)
        held = truth.holding(units, self.edits)
        lengths = np.array([unit.end - unit.start for unit in units], dtype=float)
        if placed.attribution is None and placed.place.alpha is None:
            return metrics.nothing(float(lengths[held].sum() / lengths.sum()))
        return metrics.score(lengths, mass, held, placed.place.confidence or 0.0, unmatched)


def shares(answer: Answer, placed: Placed) -> tuple[Sequence[Unit], np.ndarray]:
    """The units and the mass of each (unit,). What went straight to tokens belongs to the units they are in."""
    if placed.attribution is not None:
        return placed.attribution.units.units, placed.attribution.mass
    units = answer.units.units
    mass = np.zeros(len(units))
    if placed.place.alpha is not None:
        for token in np.flatnonzero(placed.place.alpha):
            near = answer.units.touched(int(answer.tokens.starts[token]), int(answer.tokens.ends[token]))
            for unit in near:
                mass[unit] += placed.place.alpha[token] / len(near)
    return units, mass


Variant = Callable[[Fault], Iterator[Score]]


def uniform(fault: Fault) -> Iterator[Score]:
    """All code alike."""
    units = fault.case.answer.units.units
    lengths = np.array([unit.end - unit.start for unit in units], dtype=float)
    yield metrics.score(lengths, lengths / lengths.sum(), truth.holding(units, fault.edits), 0.0)


def fused(fault: Fault) -> Iterator[Score]:
    """All sources, as `rcca align` fuses them."""
    yield fault.score(places.blamed(fault.case, fault.said()), quote.unmatched(fault.case))


def told(fault: Fault) -> Iterator[Score]:
    """The words of the verdict alone, as of an evaluator without a browser's evidence."""
    case = replace(fault.case, item=fault.case.item | {"check": None}, verdict=fault.case.verdict | {"evidence": []})
    yield replace(fault, case=case).score(places.failed(case), quote.unmatched(case))


def alone(source: str) -> Variant:
    """One source without the others."""

    def scores(fault: Fault) -> Iterator[Score]:
        yield fault.score(places.blamed(fault.case, fault.marks[source]))

    return scores


def without(source: str) -> Variant:
    """All sources but one."""

    def scores(fault: Fault) -> Iterator[Score]:
        yield fault.score(places.blamed(fault.case, fault.said(but=source)))

    return scores


def judged(accuracy: int, scope: bool = False, only: bool = False) -> Variant:
    """A judge model whose quote names the fault's unit (or its scope) in so many of a hundred cases.

    Wrong quotes are of units that are blamed most without it. `only`: the quote is all the evidence.
    """

    def scores(fault: Fault) -> Iterator[Score]:
        for share, found in zip(weights(fault, accuracy), fault.quoted(scope, only), strict=True):
            yield replace(found, weight=share)

    return scores


def weights(fault: Fault, accuracy: int) -> list[float]:
    """What each quote of a simulated judge weighs, the right ones first."""
    right, wrong = fault.told
    shares = [accuracy / 100 / len(right)] * len(right)
    return [*shares, *([(1 - accuracy / 100) / len(wrong)] * len(wrong))]


def mixtures(fault: Fault, accuracy: int) -> Iterator[tuple[float, float, float, float]]:
    """(share, b, g, factor) of each quote of a simulated judge: the fault's mass without and in it; what scales c_q."""
    case = fault.case
    units, mass = shares(case.answer, places.blamed(case, fault.said(but="quote")))
    b = float(mass[truth.holding(units, fault.edits)].sum())
    for share, quoted in zip(weights(fault, accuracy), quotations(fault), strict=True):
        placed = places.blamed(quoted, [*quote.marks(quoted), *fault.said(but="quote")])
        trust = placed.attribution.signs.get("quoted", 0.0) if placed.attribution else 0.0
        if trust:
            units, mass = shares(case.answer, placed)
            p = float(mass[truth.holding(units, fault.edits)].sum())
            yield share, b, b + (p - b) / trust, trust / calibration.QUOTE[case.kind]


def signs(fault: Fault, weight: float, accuracy: int) -> Iterator[tuple[str, dict[str, float], float, float]]:
    """(kind, signs, hit, weight) of an attribution, half of the weight without and half beside a simulated judge."""
    found = [(0.5, places.blamed(fault.case, fault.said()))]
    if fault.case.contrast:
        found = [(1.0, found[0][1])]
    else:
        for share, quoted in zip(weights(fault, accuracy), quotations(fault), strict=True):
            marks = [*quote.marks(quoted), *fault.said(but="quote")]
            found.append((0.5 * share, places.blamed(quoted, marks)))
    for share, placed in found:
        if placed.attribution is not None:
            hit = fault.score(placed).hit
            yield placed.attribution.kind, placed.attribution.signs, hit, weight * share


def quotations(fault: Fault, scope: bool = False) -> list[Case]:
    """The case as a simulated judge puts it, in several ways, the right ones first."""
    return [quoting(fault.case, unit, scope) for units in fault.told for unit in units]


def quoting(case: Case, unit: Unit, scope: bool) -> Case:
    """The case with a judge's words about a unit in place of what the check says."""
    text = case.answer.text[unit.start : unit.end]
    start, end = (unit.scope_start, unit.scope_end) if scope else (0, 0)
    row: dict[str, Any] = {"kind": "quote", "start": start, "end": end, "detail": text[:QUOTE]}
    verdict = case.verdict | {"diagnosis": None, "evidence": [*case.verdict["evidence"], row]}
    return replace(case, verdict=verdict)


def table() -> dict[str, Variant]:
    """All variants but those that need siblings, by name."""
    found: dict[str, Variant] = {"uniform": uniform, "fused": fused, "told": told}
    found |= {name: alone(name) for name in SOURCES if name != "sibling"}
    found |= {f"no {name}": without(name) for name in SOURCES if name != "sibling"}
    found |= {f"quote{accuracy} alone": judged(accuracy, only=True) for accuracy in ACCURACIES}
    found |= {f"quote{accuracy}": judged(accuracy) for accuracy in ACCURACIES}
    return found | {"scope70": judged(70, scope=True)}
