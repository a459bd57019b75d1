"""Where an arm puts the credit for one item: at the true places, where `align` would, somewhere else, or everywhere.

What is drawn is drawn by the names of the answer and the item, so that all arms that draw the same have the same.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from random import Random

import numpy as np
from scipy.stats import rankdata

from rcca_cli import seeds
from rcca_cli.align.answer import Answer
from rcca_cli.align.places import Placed
from rcca_cli.bench.credit import grammar, oracle
from rcca_cli.bench.credit.oracle import Found, Reading
from rcca_cli.credit import Attribution, Place, UnitMap
from rcca_cli.source import Unit
from rcca_cli.synth.app import App

Span = tuple[int, int]
LIKE = 5  # units of the most like length, of which one is drawn
PARTS = ("right", "scope", "elsewhere")


@dataclass(frozen=True)
class Judged:
    """One judged answer, and what the generator knows of it: None where it does not know the page."""

    answer: Answer
    reading: Reading | None

    def own(self, item: str) -> list[Found]:
        """The places that decided an item: all of one that holds, the wrong ones of one that fails."""
        held = self.answer.creditable[item]
        found = self.reading.causes.get(item, ()) if self.reading else ()
        return [one for one in found if one.right is held and (one.start < one.end or not held)]

    def rng(self, *names: str) -> Random:
        """Chance of its own for this answer and these names."""
        return seeds.generator("credit", self.answer.record["id"], *names)


def as_judged(made: App, answer: Answer) -> Reading | None:
    """What stands in the places of an answer that the judge judged; None if its page is not the generator's."""
    page, _ = grammar.of(made).read(answer.text)
    if page is None:
        return None
    found = tuple(oracle.found(one, one.item) for one in page.values() if one.item)
    held = answer.creditable
    causes = {name: tuple(one for one in found if one.item == name and one.right is held[name]) for name in held}
    return Reading(answer.judge["level"], {}, found, causes)


Placing = Callable[[Judged, str], Placed]


def true(one: Judged, item: str) -> Placed:
    """At the true places: each fault of a failed item counts the same, what makes one hold goes by length."""
    found = one.own(item)
    mass = [1.0 if one.answer.creditable[item] is False else float(place.end - place.start) for place in found]
    return placed(one.answer, [(place.start, place.end) for place in found], mass, 1.0)


def everywhere(one: Judged, item: str) -> Placed:
    """On all tokens alike."""
    count = one.answer.tokens.count
    return Placed(Place(np.full(count, 1 / count), 1.0), None)


def drawn(one: Judged, item: str) -> Placed:
    """Where `align` would have put it: as often right, beside it, elsewhere and nowhere as was measured of it."""
    found = one.own(item)
    if not found:
        return Placed(Place(None), None)
    kind = "passed" if one.answer.creditable[item] else found[0].failure or "silent"
    return landed(one, item, pick(confusion()[kind], one.rng(item, "outcome")))


def landed(one: Judged, item: str, outcome: "Outcome") -> Placed:
    """Where the credit is if it ends so: beside the true places on one unit of their scope, and on one afar."""
    found = one.own(item)
    if outcome.place == "none":
        return Placed(Place(None, absent=found[0].failure == "absent"), None)
    right = [(place.start, place.end) for place in found]
    near, far = others(one, item, right)
    parts = dict(zip(PARTS, (right, near[:1], far[:1]), strict=True))
    spans = [(span, outcome.mass[name] / len(parts[name])) for name in PARTS for span in parts[name]]
    return placed(one.answer, [span for span, _ in spans], [mass for _, mass in spans], outcome.confidence)


def of_like_length(one: Judged, item: str) -> Placed:
    """On one unit drawn from those whose length is most like that of the true places."""
    right = [(place.start, place.end) for place in one.own(item)]
    length = sum(end - start for start, end in right)
    near, far = others(one, item, right)
    alike = sorted([*near, *far], key=lambda span: (abs(span[1] - span[0] - length), span))[:LIKE]
    if not right or not alike:
        return Placed(Place(None), None)
    return placed(one.answer, [one.rng(item, "unit").choice(alike)], [1.0], 1.0)


def shuffled(one: Judged, item: str) -> Placed:
    """As `drawn`, its tokens permuted inside the page, for all items of an answer in the same way."""
    place = drawn(one, item).place
    if place.alpha is None:
        return Placed(place, None)
    tokens = one.answer.tokens
    inside = np.flatnonzero((tokens.starts >= one.answer.start) & (tokens.ends <= one.answer.end))
    order = np.random.default_rng(seeds.derive("credit", one.answer.record["id"], "shuffled")).permutation(inside)
    alpha = place.alpha.copy()
    alpha[inside] = place.alpha[order]
    return Placed(Place(alpha, place.confidence, place.absent), None)


def entropic(one: Judged, item: str) -> Placed:
    """As `drawn`, each token's part times 0.5 and its rank in the answer by surprise (0 to 1), and of the same sum."""
    found = drawn(one, item)
    alpha = found.place.alpha
    if alpha is None or not alpha.any():
        return found
    surprise = -np.array(one.answer.record["rollout"]["logprobs"], dtype=float)
    spread = alpha * (0.5 + rankdata(surprise) / surprise.size)
    return replace(found, place=replace(found.place, alpha=spread * (alpha.sum() / spread.sum())))


def wrong(share: float) -> Placing:
    """At the true places, but for a share of the items, which get those of another item of the same answer."""

    def placing(one: Judged, item: str) -> Placed:
        rng = one.rng(item, "wrong")
        if rng.random() >= share:
            return true(one, item)
        names = [name for name, held in one.answer.creditable.items() if held is not None and name != item]
        swapped = [name for name in names if one.own(name)]
        return true(one, rng.choice(swapped)) if swapped else true(one, item)

    return placing


def placed(answer: Answer, spans: Sequence[Span], mass: Sequence[float], confidence: float) -> Placed:
    """α for spans that share the credit by their mass. An empty one is an omission: the token that went on instead."""
    alpha = np.zeros(answer.tokens.count)
    left_out = 0.0
    for span, share in zip(spans, mass, strict=True):
        if span[0] == span[1]:
            alpha[decision(answer, span[0])] += share
            left_out += share
        elif answer.tokens.lengths([span])[0] > 0:
            alpha += answer.tokens.spread([span], np.array([share]))
    total = float(alpha.sum())
    if total <= 0:
        return Placed(Place(None), None)
    units = UnitMap([Unit("place", start, end, start, end, "") for start, end in spans])
    shares = np.array(mass) / sum(mass)
    found = Attribution(units, shares, {}, [[] for _ in spans], "place")
    return Placed(Place(alpha / total, confidence, left_out > total / 2), found)


def decision(answer: Answer, place: int) -> int:
    """The token that was sampled where code was left out: the first that reaches beyond the place."""
    return min(int(np.searchsorted(answer.tokens.ends, place, side="right")), answer.tokens.count - 1)


def others(one: Judged, item: str, right: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """The units that are no true place: those of the same function, rule or element, and the rest.

    In an order that depends on their code and the item, so that one mistake is made alike in answers that are alike.
    """
    answer = one.answer
    there = {unit for start, end in right for unit in answer.units.touched(start, end)}
    scopes = {(answer.units.units[unit].scope_start, answer.units.units[unit].scope_end) for unit in there}
    order = sorted(
        (seeds.derive("credit", answer.record["group"], item, code), index)
        for index, code in enumerate(answer.codes)
        if index not in there
    )
    near: list[Span] = []
    far: list[Span] = []
    for _, index in order:
        unit = answer.units.units[index]
        (near if (unit.scope_start, unit.scope_end) in scopes else far).append((unit.start, unit.end))
    return near, far


@dataclass(frozen=True)
class Outcome:
    """One way in which attribution ends: the part in which its heaviest unit is, how often, and what it says then.

    `mass` is the mean share of the parts right, scope and elsewhere.
    """

    place: str  # right, scope, elsewhere or none
    share: float
    confidence: float
    mass: dict[str, float]


@cache
def confusion() -> dict[str, list[Outcome]]:
    """The outcomes by kind of failure, and of items that hold (passed), as `rcca bench align` measured them."""
    text = (resources.files("rcca_cli") / "bench/credit/confusion.json").read_text(encoding="utf-8")
    return {kind: [Outcome(**row) for row in rows] for kind, rows in json.loads(text)["kinds"].items()}


def pick(outcomes: Sequence[Outcome], rng: Random) -> Outcome:
    """One of the outcomes, as often as its share says."""
    return rng.choices(outcomes, [one.share for one in outcomes])[0]
