"""The credit of one rubric item, or gate, in a group: who gets how much of it, on which tokens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rcca_cli.credit import calibration
from rcca_cli.credit.member import USUAL, Member, Options, Verdict


@dataclass(frozen=True)
class Part:
    """What one member gets of one item's credit: its advantage A_ir, which is not 0, and what becomes of that.

    `kept` (token,) is what the cap leaves of T̄·α, None without a place; `confidence` is c_r and `scale` what balance
    leaves of the side.
    """

    index: int
    advantage: float
    confidence: float
    scale: float
    kept: np.ndarray | None


def item_advantages(verdicts: Sequence[dict[str, Verdict]]) -> list[dict[str, float]]:
    """A_ir of each member, by item: leave-one-out, without division by the spread, so rare events are not blown up."""
    found: list[dict[str, float]] = [{} for _ in verdicts]
    for name in sorted({name for member in verdicts for name in member}):
        having = [index for index, member in enumerate(verdicts) if name in member]
        values = [float(verdicts[index][name].passed) for index in having]
        gamma = sum(verdicts[index][name].gamma for index in having) / len(having)
        for index, value in zip(having, values, strict=True):
            others = (sum(values) - value) / (len(values) - 1) if len(values) > 1 else value
            found[index][name] = gamma * (value - others)
    return found


def item_credit(
    members: Sequence[Member], name: str, kind: str, options: Options = USUAL
) -> list[tuple[int, np.ndarray]]:
    """c_r·A_ir·min(T̄·α, κ) of one item, for the members that have it and a place for it: (member, (token,))."""
    return [
        (part.index, part.confidence * part.advantage * part.scale * part.kept)
        for part in item_parts(members, name, kind, options)
        if part.kept is not None
    ]


def item_parts(members: Sequence[Member], name: str, kind: str, options: Options = USUAL) -> list[Part]:
    """The parts of one item's credit, for the members whose advantage is not 0. `kind`: items or gates, whose c is 1.

    T̄ is the group's mean length, because a token-mean loss adds up tokens. The larger of the positive and the
    negative side is scaled down to the other (if `balanced`), so that the item's credit sums to zero over the group's
    tokens, but for what is left out on purpose.
    """
    found: list[dict[str, Verdict]] = [getattr(member, kind) for member in members]
    verdicts = [{name: each[name]} if name in each else {} for each in found]
    advantages = [each.get(name, 0.0) for each in item_advantages(verdicts)]
    mean_size = sum(member.size for member in members) / len(members)
    kept: dict[int, np.ndarray] = {}  # what the cap leaves of each member's share
    for index, advantage in enumerate(advantages):
        place = verdicts[index][name].place if advantage else None
        if place is not None and place.alpha is not None:
            cap = max(calibration.KAPPA_PRESENCE, options.cap) if place.absent else options.cap
            kept[index] = np.minimum(mean_size * place.alpha, cap)
    confidence = 1.0 if kind == "gates" else _confidence([verdicts[index][name] for index in kept])
    scale = {True: 1.0, False: 1.0}
    if options.balanced or kind == "gates":
        scale = _balance(advantages, kept, mean_size, [each.get(name) for each in verdicts])
    if kind == "items":
        scale[False] *= options.blame
    return [
        Part(index, advantage, confidence, scale[advantage > 0], kept.get(index))
        for index, advantage in enumerate(advantages)
        if advantage
    ]


def _confidence(placed: Sequence[Verdict]) -> float:
    """c_r: one for the group and item, so that failures do not weigh more than passes."""
    own = [
        verdict.place.confidence for verdict in placed if not verdict.passed and verdict.place.confidence is not None
    ]
    return sum(own) / len(own) if own else calibration.PASSED


def _balance(
    advantages: Sequence[float], kept: dict[int, np.ndarray], mean_size: float, verdicts: Sequence[Verdict | None]
) -> dict[bool, float]:
    """How much of the (False: negative, True: positive) side counts; the blame that remains is at most the praise."""
    mass = {index: abs(advantages[index]) * float(part.sum()) for index, part in kept.items()}
    positive = sum(mass[index] for index in kept if advantages[index] > 0)
    nominal = mean_size * sum(advantages[index] for index in kept if advantages[index] > 0)
    blamed = sum(mass[index] for index in kept if advantages[index] < 0)
    negative = 0.0  # what the blame comes to, were nothing left out on purpose
    for index, verdict in enumerate(verdicts):
        if verdict is None or advantages[index] >= 0:
            continue
        if verdict.place.absent:  # counts as if it had been placed like the positive side
            negative += abs(advantages[index]) * mean_size * (positive / nominal if nominal else 0.0)
        elif index in kept:
            negative += mass[index]
    both = min(positive, negative)
    return {
        True: both / positive if positive else 0.0,
        False: min(1.0, both / blamed) if blamed else 0.0,
    }


def names(verdicts: Iterable[dict[str, Verdict]]) -> list[str]:
    """The items of which there is a verdict, in order."""
    return sorted({name for found in verdicts for name in found})


def rubric_weight(members: Sequence[Member]) -> float:
    """Σ w over the rubric: ω_r is an item's share of it."""
    weights = {name: verdict.weight for member in members for name, verdict in member.items.items()}
    return sum(weights.values()) or 1.0
