"""Group-relative credit for every sampled token, in three modes behind one function (docs/align.md).

    A_seq = (R − mean R) / max(std R, 0.1)                        of each member of a group
    A_ir  = γ_r·(v_ir − mean of the others' v)                    of each rubric item r
    L     = Σ_r ω_r·c_r·A_ir·min(T̄·α, κ)                          localised: α is where in the answer, Σ α = 1
    A     = clip(λ·A_seq + (1 − λ)·η·L_items + μ·L_gates, ±5)     mode rubric

Changed from the paper (arXiv 2608.27906): it has only A_seq, re-weighted by the sign rule of mode paper. Here each
rubric item has an advantage of its own, and the credit of each item sums to zero over the group's tokens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from rcca_cli.credit import calibration

MODES = ("rubric", "paper", "uniform")
SAME = 1e-9  # rewards this close differ by rounding alone


@dataclass(frozen=True)
class Place:
    """Where in one answer the credit for one item goes.

    `alpha` (token,) says how it is spread; it sums to 1, to less where part of it is left out on purpose, and is None
    if no place was found. `confidence` is c of a failed item, None of a passed one. `absent` marks an omission: what
    its few tokens cannot hold, or all of it if `alpha` is None, is left out on purpose.
    """

    alpha: np.ndarray | None
    confidence: float | None = None
    absent: bool = False


@dataclass(frozen=True)
class Verdict:
    """What was found of one item in one answer; items that are not known or were not reached have no verdict."""

    passed: bool
    weight: float
    gamma: float  # how sure the judge was
    place: Place


@dataclass(frozen=True)
class Member:
    """One answer of a group that has a reward: `size` tokens, the verdicts on rubric items and on gates.

    `direct` and `context` (token,) are the diagnosed tokens of mode paper.
    """

    reward: float
    size: int
    items: dict[str, Verdict] = field(default_factory=dict)
    gates: dict[str, Verdict] = field(default_factory=dict)
    direct: np.ndarray | None = None
    context: np.ndarray | None = None


@dataclass(frozen=True)
class Options:
    """What changes the numbers. `sequence_share` is λ; `mean_one` divides the paper's weights by their mean.

    `gate_weight` is μ. `balanced` scales the larger side of an item down to the smaller; `blame` is what the negative
    side is multiplied by after that. `cap` is κ. The last four are there for `bench credit`.
    """

    mode: str = "rubric"
    sequence_share: float = 0.8
    mean_one: bool = False
    eta: float = calibration.ETA
    gate_weight: float = calibration.MU
    balanced: bool = True
    blame: float = 1.0
    cap: float = calibration.KAPPA


USUAL = Options()


@dataclass(frozen=True)
class Terms:
    """What one member's advantages are the sum of, (token,) each: its own, its items' and its gates'."""

    sequence: np.ndarray
    items: np.ndarray
    gates: np.ndarray

    @property
    def mixed(self) -> np.ndarray:
        """Their sum (token,), before the clip."""
        return self.sequence + self.items + self.gates

    @property
    def advantages(self) -> np.ndarray:
        """The advantages (token,)."""
        return np.clip(self.mixed, -calibration.CLIP, calibration.CLIP)


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


@dataclass(frozen=True)
class Credit:
    """The credit of one member: its own advantage, one per token, the unsigned weights, and each item's advantage."""

    advantage: float
    advantages: np.ndarray
    weights: np.ndarray
    items: dict[str, float]


def token_advantages(members: Sequence[Member], options: Options) -> list[Credit]:
    """Credit for the members of one group, in order. Fewer than two have nothing to be compared with: all zero."""
    sequence = sequence_advantages([member.reward for member in members])
    items = item_advantages([member.items for member in members])
    credits = []
    local = terms(members, options) if options.mode == "rubric" else []
    for index, member in enumerate(members):
        own = float(sequence[index])
        if options.mode == "rubric":
            advantages = local[index].advantages if len(members) > 1 else np.zeros(member.size)
            weights = _share(np.abs(advantages))
        else:
            weights = paper_weights(member, own, options.mean_one) if options.mode == "paper" else np.ones(member.size)
            advantages = own * weights
        if not advantages.any():
            weights = np.ones(member.size)
        credits.append(Credit(own, advantages, weights, items[index]))
    return credits


def sequence_advantages(rewards: Sequence[float]) -> np.ndarray:
    """A_seq: the distance from the group's mean, in standard deviations of at least 0.1.

    >>> sequence_advantages([1.0, 0.0, 0.0, 1.0]).tolist()
    [1.0, -1.0, -1.0, 1.0]
    """
    if len(rewards) < 2:
        return np.zeros(len(rewards))
    values = np.asarray(rewards, dtype=float)
    if values.max() - values.min() < SAME:
        return np.zeros(len(values))
    return (values - values.mean()) / max(values.std(), calibration.STD_FLOOR)


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


def paper_weights(member: Member, advantage: float, mean_one: bool) -> np.ndarray:
    """w: 3 on direct, 1.5 on context tokens of an answer below average; 1 on both and 1.2 elsewhere above it."""
    weights = np.ones(member.size)
    direct = np.zeros(member.size, dtype=bool) if member.direct is None else member.direct
    context = np.zeros(member.size, dtype=bool) if member.context is None else member.context
    if advantage < 0:
        weights[context] = 1.5
        weights[direct] = 3.0  # the paper's cap of 4 never acts: diagnoses do not add up
    elif advantage > 0:
        weights[~(direct | context)] = 1.2
    return _share(weights) if mean_one else weights


def _share(weights: np.ndarray) -> np.ndarray:
    mean = weights.mean() if weights.size else 0.0
    return weights / mean if mean > 0 else weights


def terms(members: Sequence[Member], options: Options) -> list[Terms]:
    """What the advantages of mode rubric are the sum of, for each member of a group."""
    sequence = sequence_advantages([member.reward for member in members])
    items = items_term(members, options)
    gates = [np.zeros(member.size) for member in members]
    for name in names(member.gates for member in members):
        for index, part in item_credit(members, name, "gates"):
            gates[index] += part
    found = []
    for index, member in enumerate(members):
        share = 1.0 if lost_its_places(member) else options.sequence_share
        own = np.full(member.size, share * sequence[index])
        found.append(Terms(own, (1 - share) * options.eta * items[index], options.gate_weight * gates[index]))
    return found


def items_term(members: Sequence[Member], options: Options = USUAL) -> list[np.ndarray]:
    """L of the rubric's items, for each member (token,): η and the sequence's share come on top."""
    total = rubric_weight(members)
    items = [np.zeros(member.size) for member in members]
    for name in names(member.items for member in members):
        for index, part in item_credit(members, name, "items", options):
            items[index] += part * (members[index].items[name].weight / total)
    return items


def names(verdicts: Iterable[dict[str, Verdict]]) -> list[str]:
    """The items of which there is a verdict, in order."""
    return sorted({name for found in verdicts for name in found})


def rubric_weight(members: Sequence[Member]) -> float:
    """Σ w over the rubric: ω_r is an item's share of it."""
    weights = {name: verdict.weight for member in members for name, verdict in member.items.items()}
    return sum(weights.values()) or 1.0


def lost_its_places(member: Member) -> bool:
    """Whether most of what failed in an answer has no place in it, for want of evidence and not on purpose."""
    failed = [verdict for verdict in member.items.values() if not verdict.passed]
    lost = [verdict for verdict in failed if verdict.place.alpha is None and not verdict.place.absent]
    return sum(v.weight for v in lost) > calibration.LOST * sum(v.weight for v in failed)


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
