"""Group-relative credit for every sampled token, in three modes behind one function (docs/align.md).

    A_seq = (R − mean R) / max(std R, 0.1)                        of each member of a group
    A_ir  = γ_r·(v_ir − mean of the others' v)                    of each rubric item r
    L     = Σ_r ω_r·c_r·A_ir·min(T̄·α, κ)                          localised: α is where in the answer, Σ α = 1
    A     = clip(λ·A_seq + (1 − λ)·η·L_items + μ·L_gates, ±5)     mode rubric

Changed from the paper (arXiv 2608.27906): it has only A_seq, re-weighted by the sign rule of mode paper. Here each
rubric item has an advantage of its own, and the credit of each item sums to zero over the group's tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rcca_cli.credit import calibration
from rcca_cli.credit.item import item_advantages, item_credit, names, rubric_weight
from rcca_cli.credit.member import USUAL, Member, Options

MODES = ("rubric", "paper", "uniform")
SAME = 1e-9  # rewards this close differ by rounding alone


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


def lost_its_places(member: Member) -> bool:
    """Whether most of what failed in an answer has no place in it, for want of evidence and not on purpose."""
    failed = [verdict for verdict in member.items.values() if not verdict.passed]
    lost = [verdict for verdict in failed if verdict.place.alpha is None and not verdict.place.absent]
    return sum(v.weight for v in lost) > calibration.LOST * sum(v.weight for v in failed)
