"""Where credit lands in the policy's own answers, as a table to draw from: on the right place, beside it, or elsewhere.

The answers are judged by the real judge and aligned in their groups, as in training; the true places are what the
generator's grammar reads off them (`bench credit` simulates attribution with the result).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rcca_cli.align import group as aligning
from rcca_cli.align.answer import Answer
from rcca_cli.align.places import Placed
from rcca_cli.bench.align.samples import Group
from rcca_cli.bench.credit import placing
from rcca_cli.bench.credit.placing import PARTS, Judged, Span
from rcca_cli.train.metrics import mean

KINDS = ("exception", "dead", "silent", "visual", "absent", "passed")
FEW = 10  # cases of a kind of failure; with fewer those of all failures stand for it
NONE = "none"


@dataclass(frozen=True)
class Landed:
    """One item of one answer: how much of its credit is in each part, all 0 if it was placed nowhere."""

    kind: str
    mass: dict[str, float]
    confidence: float

    @property
    def place(self) -> str:
        """The part with the most of it."""
        return max(PARTS, key=lambda part: self.mass[part]) if any(self.mass.values()) else NONE


def table(groups: Sequence[Group]) -> dict[str, Any]:
    """For each kind of failure, and for items that hold, the outcomes: where, how often, how sure, how much where."""
    cases = [case for group in groups for case in landed(group)]
    by_kind: dict[str, list[Landed]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case)
    failed = [case for case in cases if case.kind != "passed"]
    counts = {kind: len(by_kind[kind]) for kind in KINDS}
    enough = {kind: by_kind[kind] if counts[kind] >= FEW else failed for kind in KINDS}
    return {"n": counts, "kinds": {kind: outcomes(enough[kind]) for kind in KINDS}}


def outcomes(cases: Sequence[Landed]) -> list[dict[str, Any]]:
    """The rows of one kind."""
    rows = []
    for place in (*PARTS, NONE):
        own = [case for case in cases if case.place == place]
        if own:
            mass = {part: round(mean(case.mass[part] for case in own) or 0.0, 4) for part in PARTS}
            sure = round(mean(case.confidence for case in own) or 0.0, 4)
            rows.append({"place": place, "share": round(len(own) / len(cases), 4), "confidence": sure, "mass": mass})
    return rows


def landed(group: Group) -> Iterator[Landed]:
    """The items of a group's answers whose places are known: all that fail, and those that hold where another fails."""
    answers = group.answers()
    for answer in answers:
        one = Judged(answer, placing.as_judged(group.made, answer))
        for name, (_, placed) in aligning.located(answer, answers).items():
            right = [(place.start, place.end) for place in one.own(name)]
            if right:
                yield of(one, name, placed, right)


def of(one: Judged, item: str, placed: Placed, right: Sequence[Span]) -> Landed:
    """How the credit of one item lies to its true places."""
    verdict = one.answer.verdicts[item]
    kind = "passed" if verdict["passed"] else verdict["failure"] or "silent"
    alpha = placed.place.alpha
    mass = dict.fromkeys(PARTS, 0.0)
    if alpha is not None and alpha.sum() > 0:
        there = tokens(one.answer, right)
        near = tokens(one.answer, placing.others(one, item, right)[0]) & ~there
        parts = (there, near, ~(there | near))
        mass = {part: float(alpha[where].sum() / alpha.sum()) for part, where in zip(PARTS, parts, strict=True)}
    return Landed(kind, mass, placed.place.confidence or 0.0)


def tokens(answer: Answer, spans: Sequence[Span]) -> np.ndarray:
    """Which tokens (token,) are in the spans; of an empty one the token that was written instead."""
    found = np.zeros(answer.tokens.count, dtype=bool)
    written = [span for span in spans if span[0] < span[1]]
    if written:
        found[answer.tokens.shares(written)[0]] = True
    for start, end in spans:
        if start == end:
            found[placing.decision(answer, start)] = True
    return found
