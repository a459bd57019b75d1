"""`rcca bench align --fit`: the weights of attribution, fitted on the mutants of one half of the families.

β by conditional logit (McFadden's model of choice, the units as alternatives): max Σ log
p(fault) over mutants, each of the same weight, drawn a little towards the weights in use. c_q by the likelihood of the
fault beside a simulated judge; c by logistic regression.
"""

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rcca_cli.bench.align import scoring, truth, variants
from rcca_cli.bench.align.kept import Kept
from rcca_cli.bench.align.variants import Fault
from rcca_cli.credit import calibration
from rcca_cli.credit.fusion import Features, features

DRAWN = 0.05  # how strongly each weight is drawn to the one in use, per unit squared and mutant
HOPELESS = 0.05  # share of the probability that is spread evenly, so that faults nobody points to decide nothing
SMALLEST = 0.15  # weights below it are left out
LARGEST = 9.0
BESIDE = 70  # accuracy of the judge that c_q and c are fitted with
SIGNS, KINDS = 1.0, 4.0  # how strongly the weights of c are drawn to 0: those of signs, and those of kinds of failure

Numbers = dict[str, Any]  # names of credit/calibration.py and their values


@dataclass(frozen=True)
class Choice:
    """One failed item: what is known of each unit, and which of them hold the fault."""

    kind: str
    seen: Features
    held: np.ndarray
    weight: float


@contextlib.contextmanager
def trial(numbers: Numbers) -> Iterator[None]:
    """Other numbers in the package's table for a while."""
    before = {name: getattr(calibration, name) for name in numbers}
    try:
        for name, value in numbers.items():
            setattr(calibration, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(calibration, name, value)


def fitted(harvest: Sequence[Kept]) -> Numbers:
    """All the numbers, in turn: the later ones are fitted beside the earlier."""
    faults = list(conditions(harvest))
    numbers = weights([choice(fault, weight) for fault, weight in faults if is_placed(fault)])
    with trial(numbers):
        numbers |= {"QUOTE": quotes(faults)}
    with trial(numbers):
        return numbers | {"CERTAINTY": certainty(faults)}


def conditions(harvest: Sequence[Kept]) -> Iterator[tuple[Fault, float]]:
    """Each failed item alone and beside siblings, and what it weighs: all of a mutant weigh 1."""
    answers = [scoring.answered(one.record) for one in harvest]
    for index, (one, near) in enumerate(zip(harvest, scoring.neighbours(harvest), strict=True)):
        others = [answers[other] for other in near]
        for item in one.items:
            fault = scoring.fault_of(one, answers[index], item)
            beside = scoring.with_siblings(fault, others)
            found = [fault] if beside is None else [fault, beside]
            yield from ((each, 1 / len(one.items) / len(found)) for each in found)


def is_placed(fault: Fault) -> bool:
    """Whether the item is attributed by fusion at all, not as an omission by its anchor."""
    marks = fault.said()
    differs = any(mark.feature in ("sibling", "omission") for mark in marks)
    return fault.case.kind != "absent" or differs


def choice(fault: Fault, weight: float) -> Choice:
    """What the fit sees of a failed item."""
    apart = [(omission.start, omission.end) for omission in fault.case.omissions]
    seen = features(fault.case.answer.units, fault.said(but="quote"), apart)
    return Choice(fault.case.kind, seen, truth.holding(seen.units.units, fault.edits), weight)


def weights(choices: Sequence[Choice]) -> Numbers:
    """BETA, but for "passed". The mask stays as it is: it is that of passed items too, of which mutants say nothing."""
    from scipy.optimize import minimize

    kinds = [kind for kind in calibration.BETA if any(one.kind == kind for one in choices)]
    names = [(kind, name) for kind in kinds for name in used(choices, kind)]
    place = {pair: number for number, pair in enumerate(names)}
    start = np.array([calibration.BETA[kind].get(name, 0.0) for kind, name in names])
    tables = [table(one, place) for one in choices]
    share = {kind: sum(one.weight for one in choices if one.kind == kind) for kind in kinds}

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros(len(values))
        for one, (columns, matrix, base) in zip(choices, tables, strict=True):
            value, gradient = likelihood(one, matrix, base, values[columns])
            total -= one.weight * value / share[one.kind]
            slope[columns] -= one.weight * gradient / share[one.kind]
        drift = values - start
        return total + DRAWN * float(drift @ drift), slope + 2 * DRAWN * drift

    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, LARGEST)] * len(names)).x
    beta = {kind: dict(row) for kind, row in calibration.BETA.items()}
    for kind in kinds:
        row = {name: round(float(found[place[kind, name]]), 1) for other, name in names if other == kind}
        beta[kind] = {name: value for name, value in row.items() if value >= SMALLEST}
    return {"BETA": beta}


def used(choices: Sequence[Choice], kind: str) -> list[str]:
    """The pointers that some unit has in some failure of a kind."""
    return sorted({name for one in choices if one.kind == kind for name in one.seen.scores})


def table(one: Choice, place: dict[tuple[str, str], int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(columns, matrix (unit, column), base (unit,)): log p = base + matrix @ values[columns], up to a constant."""
    names = [name for name in one.seen.scores if (one.kind, name) in place]
    columns = np.array([place[one.kind, name] for name in names], dtype=int)
    matrix = np.array([one.seen.scores[name] for name in names]).reshape(len(names), one.held.size).T
    return columns, matrix, np.log(one.seen.lengths * one.seen.masked(one.kind))


def likelihood(one: Choice, matrix: np.ndarray, base: np.ndarray, values: np.ndarray) -> tuple[float, np.ndarray]:
    """log of the probability of the fault, and its slope."""
    log = base + matrix @ values
    p = np.exp(log - log.max())
    p /= p.sum()
    on = float(p[one.held].sum())
    even = (1 - HOPELESS) * on + HOPELESS * float(one.held.mean())
    inside = (p * one.held) @ matrix
    return float(np.log(even)), (1 - HOPELESS) / even * (inside - on * (p @ matrix))


def quotes(faults: Sequence[tuple[Fault, float]]) -> dict[str, float]:
    """c_q by kind of failure: what makes the fault most probable beside a judge of known accuracy."""
    from scipy.optimize import minimize_scalar

    pairs: dict[str, list[tuple[float, ...]]] = defaultdict(list)  # (weight, b, g, factor)
    for fault, weight in faults:
        if not fault.case.contrast:
            pairs[fault.case.kind] += [(weight * share, *rest) for share, *rest in variants.mixtures(fault, BESIDE)]
    found = dict(calibration.QUOTE)
    for kind in [kind for kind, rows in pairs.items() if rows]:
        best = minimize_scalar(mixture_loss, args=(np.array(pairs[kind]),), bounds=(0.05, 0.95), method="bounded")
        found[kind] = round(float(best.x), 2)
    return found


def mixture_loss(c: float, rows: np.ndarray) -> float:
    """−Σ log(c·g + (1 − c)·b) over rows of (weight, b, g, factor of c)."""
    weight, b, g, factor = rows.T
    trust = np.minimum(c * factor, 0.95)
    return -float(weight @ np.log(trust * g + (1 - trust) * b + 1e-3))


def certainty(faults: Sequence[tuple[Fault, float]]) -> dict[str, float]:
    """CERTAINTY, from attributions alone, beside siblings, and beside a judge."""
    from scipy.optimize import minimize

    rows = [row for fault, weight in faults for row in variants.signs(fault, weight, BESIDE)]
    names = ["any", *sorted({kind for kind, *_ in rows} | {name for _, signs, *_ in rows for name in signs})]
    matrix = np.array([[signs.get(name, float(name in ("any", kind))) for name in names] for kind, signs, *_ in rows])
    kinds = {kind for kind, *_ in rows}
    ridge = np.array([0.0 if name == "any" else KINDS if name in kinds else SIGNS for name in names])
    hit = np.array([found for _, _, found, _ in rows])
    weight = np.array([weight for _, _, _, weight in rows])

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        odds = matrix @ values
        p = 1 / (1 + np.exp(-odds))
        value = float(weight @ (np.logaddexp(0, odds) - hit * odds)) + float(ridge @ values**2)
        return value, matrix.T @ (weight * (p - hit)) + 2 * ridge * values

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return calibration.CERTAINTY | {name: round(float(value), 2) for name, value in zip(names, found, strict=True)}
