"""How much signal is in a group's credit, and where the rest of it went.

The reckoning is that of advantages.py, with what it leaves away counted. Mass is what an item moves the sum of all
token advantages by, in size: (1 − λ)·η·ω_r·|A_ir|·T̄ is due to it (μ·|A_ir|·T̄ to a gate), praise where A_ir > 0 and
blame where A_ir < 0. What is due and what becomes of it:

    due = unmatched + left_out + doubt + capped + balanced + lost + given;  cancelled is a part of given
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rcca_cli.credit import calibration
from rcca_cli.credit.advantages import lost_its_places, terms
from rcca_cli.credit.item import Part, item_parts, names, rubric_weight
from rcca_cli.credit.member import Member, Options, Verdict

SIGNS = ("praise", "blame")
# What becomes of a verdict that is known, in the order in which it is asked.
KNOWN = ("alone", "same", "unmatched", "left_out", "lost", "placed")
SAME_CREDIT = 1e-4  # advantages this close differ by the decimals they are written with


@dataclass
class Mass:
    """What is due to one item in one sign, and what becomes of it (docs/train.md), in advantage summed over tokens."""

    due: float = 0.0
    unmatched: float = 0.0  # no place was found
    left_out: float = 0.0  # an omission's, on purpose
    doubt: float = 0.0  # 1 − c_r of what was placed
    capped: float = 0.0  # by κ
    balanced: float = 0.0  # by the smaller other side
    lost: float = 0.0  # of an answer most of whose failures have no place
    given: float = 0.0
    cancelled: float = 0.0  # of what was given, by other items' opposite credit on the same tokens

    def add(self, **more: float) -> None:
        """Count more of it."""
        for name, value in more.items():
            setattr(self, name, getattr(self, name) + value)


Masses = dict[str, dict[str, Mass]]  # [item][praise or blame]


@dataclass(frozen=True)
class Ends:
    """What became of the verdicts on one item in one group: how many passed and failed ones met each end of KNOWN."""

    passed: Counter[str]
    failed: Counter[str]

    @property
    def contrast(self) -> str:
        """Which the group's verdicts are: contrast, all_pass, all_fail, or alone (a single one)."""
        if self.passed["alone"] or self.failed["alone"]:
            return "alone"
        if self.passed["same"] or self.failed["same"]:
            return "all_pass" if self.passed["same"] else "all_fail"
        return "contrast"


def ends(members: Sequence[Member]) -> dict[str, Ends]:
    """What became of each verdict of a group, by item; items without any are left out."""
    lost = [lost_its_places(member) for member in members]
    found = {}
    for name in names(member.items for member in members):
        having = [index for index, member in enumerate(members) if name in member.items]
        verdicts = [members[index].items[name] for index in having]
        of: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        for index, verdict in zip(having, verdicts, strict=True):
            of[verdict.passed][_end(verdict, verdicts, lost[index])] += 1
        found[name] = Ends(of[True], of[False])
    return found


def _end(verdict: Verdict, verdicts: Sequence[Verdict], lost: bool) -> str:
    if len(verdicts) < 2:
        return "alone"
    if len({other.passed for other in verdicts}) < 2:
        return "same"
    if verdict.place.alpha is None:
        return "left_out" if verdict.place.absent else "unmatched"
    return "lost" if lost else "placed"


def item_masses(members: Sequence[Member], options: Options) -> Masses:
    """The mass of each rubric item of a group in mode rubric, by sign."""
    total = rubric_weight(members)
    weights = {name: verdict.weight for member in members for name, verdict in member.items.items()}
    most = (1 - options.sequence_share) * options.eta
    lost = [lost_its_places(member) for member in members]
    return _masses(members, "items", {name: most * weight / total for name, weight in weights.items()}, lost, options)


def gate_masses(members: Sequence[Member], options: Options) -> Masses:
    """The same of each gate: their credit is given whatever became of the items' places."""
    factors = dict.fromkeys(names(member.gates for member in members), options.gate_weight)
    return _masses(members, "gates", factors, [False] * len(members), options)


def _masses(
    members: Sequence[Member], kind: str, factors: dict[str, float], lost: Sequence[bool], options: Options
) -> Masses:
    found: Masses = {}
    given: list[list[tuple[Mass, str, np.ndarray]]] = [[] for _ in members]
    for name in sorted(factors):
        found[name] = {sign: Mass() for sign in SIGNS}
        for part in item_parts(members, name, kind, options):
            verdict: Verdict = getattr(members[part.index], kind)[name]
            sign = SIGNS[part.advantage < 0]
            mass = found[name][sign]
            mean_size = sum(member.size for member in members) / len(members)
            size = factors[name] * abs(part.advantage)
            mass.add(**_spent(part, verdict, size, size * mean_size, lost[part.index]))
            if part.kept is not None and not lost[part.index]:
                given[part.index].append((mass, sign, size * part.confidence * part.scale * part.kept))
    for pieces in given:
        _cancel(pieces)
    return found


def _spent(part: Part, verdict: Verdict, size: float, due: float, lost: bool) -> dict[str, float]:
    """What becomes of what is `due` to one member for one item; `size` is it for a token that gets the mean."""
    if part.kept is None or verdict.place.alpha is None:
        return {"due": due, "left_out" if verdict.place.absent else "unmatched": due}
    placed = due * float(verdict.place.alpha.sum())
    sure = placed * part.confidence
    kept = size * part.confidence * float(part.kept.sum())
    given = kept * part.scale
    return {
        "due": due,
        "left_out": due - placed,
        "doubt": placed - sure,
        "capped": sure - kept,
        "balanced": kept - given,
        "lost" if lost else "given": given,
    }


def _cancel(pieces: Sequence[tuple[Mass, str, np.ndarray]]) -> None:
    """Count what items of opposite sign take from each other on the tokens of one answer, each by its share there."""
    sums = {sign: sum((piece for _, of, piece in pieces if of == sign), np.zeros(1)) for sign in SIGNS}
    both = np.minimum(*sums.values())
    for mass, sign, piece in pieces:
        own = np.broadcast_to(sums[sign], piece.shape)
        share = np.divide(piece, own, out=np.zeros_like(piece), where=own > 0)
        mass.add(cancelled=float((share * both).sum()))


def clipped(members: Sequence[Member], options: Options) -> dict[str, float]:
    """Mass beyond ±5 a token, by sign: all channels together, whatever item it came from."""
    over = dict.fromkeys(SIGNS, 0.0)
    for each in terms(members, options):
        mixed = each.mixed
        for sign, side in zip(SIGNS, (mixed, -mixed), strict=True):
            over[sign] += float(np.maximum(side - calibration.CLIP, 0).sum())
    return over


def sequence_share(members: Sequence[Member], advantages: Sequence[np.ndarray]) -> float | None:
    """λ of a group whose advantages (token,) are known, by least squares; None where it makes no difference."""
    own = terms(members, replace(Options(), sequence_share=1.0))
    items = terms(members, replace(Options(), sequence_share=0.0))
    above = below = 0.0
    for member, given, first, second in zip(members, advantages, own, items, strict=True):
        if lost_its_places(member):
            continue
        inside = np.abs(given) < calibration.CLIP - SAME_CREDIT
        apart = (first.sequence - second.items)[inside]
        above += float(apart @ (given - second.items - second.gates)[inside])
        below += float(apart @ apart)
    return above / below if below > SAME_CREDIT else None


def is_same(members: Sequence[Member], advantages: Sequence[np.ndarray], options: Options) -> bool:
    """Whether these are the advantages that mode rubric gives the members of a group."""
    found = [each.advantages if len(members) > 1 else np.zeros(len(each.gates)) for each in terms(members, options)]
    return all(
        made.shape == given.shape and (made.size == 0 or float(np.abs(made - given).max()) < SAME_CREDIT)
        for made, given in zip(found, advantages, strict=True)
    )
