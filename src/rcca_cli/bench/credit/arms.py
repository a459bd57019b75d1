"""The arms of the experiment: each is one row, from a group of judged answers to credit for every token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rcca_cli.align import group as aligning
from rcca_cli.align.answer import Answer
from rcca_cli.align.group import Cases
from rcca_cli.bench.credit import placing
from rcca_cli.bench.credit.placing import Judged, Placing
from rcca_cli.credit import Member, Options, calibration, token_advantages
from rcca_cli.credit.advantages import items_term, lost_its_places, sequence_advantages
from rcca_cli.credit.member import USUAL
from rcca_cli.errors import RccaError
from rcca_cli.rewards import REWARDS

Record = dict[str, Any]


def banded(answer: Answer) -> float:
    """The reward of the levels first, then the rubric, as judged."""
    return answer.judge["reward"] or 0.0


def flat(answer: Answer) -> float:
    """The weighted share of the rubric that holds; no bands."""
    judge = answer.judge
    return REWARDS["flat"](judge["level"], judge["verdicts"], answer.rubric, judge["gates"]) or 0.0


def unbanded(answer: Answer) -> float:
    """The banded reward with 0 for every page that fails a gate."""
    return max(banded(answer), 0.0)


Locate = Callable[[Judged, Sequence[Judged]], Cases]


def located(where: Placing, one: Judged, scorable: Sequence[Judged]) -> Cases:
    """Each item of an answer that `align` would give credit for, at the place that `where` says."""
    answers = [other.answer for other in scorable]
    return aligning.located(one.answer, answers, lambda case: where(one, case.item["id"]))


def by_evidence(one: Judged, scorable: Sequence[Judged]) -> Cases:
    """Each item with the place where `rcca align` puts it."""
    return aligning.located(one.answer, [other.answer for other in scorable])


TRUE, DRAWN = partial(located, placing.true), partial(located, placing.drawn)
SIMULATED = "S"  # the tier whose verdicts are the oracle's, so that places are known and there is no evidence
REAL = "R"  # the tier of the real judge and the real `align`


@dataclass(frozen=True)
class Arm:
    """How one arm gives credit; `locate` is None where items have no credit of their own.

    `about` says what it is, in the words of the docs; `tiers` are those in which it has what it needs.
    """

    about: str
    mode: str = "rubric"
    locate: Locate | None = None
    tiers: str = SIMULATED
    usual: Options = USUAL  # of its credit, but for the mode, λ and η
    gates: bool = True
    reward: Callable[[Answer], float] = banded
    mean_one: bool = False

    def options(self, sequence_share: float, scale: float = calibration.ETA) -> Options:
        """Those of its credit; λ is 1 where items have no credit of their own."""
        share = sequence_share if self.localised else 1.0
        return replace(self.usual, mode=self.mode, sequence_share=share, mean_one=self.mean_one, eta=scale)

    @property
    def by_evidence(self) -> bool:
        """Whether its places are found by the judge's evidence, which others can do without."""
        return self.locate is by_evidence

    @property
    def localised(self) -> bool:
        """Whether it has a term of its own for items, whose scale is to be found."""
        return self.mode == "rubric" and self.locate is not None


BOTH = SIMULATED + REAL
ARMS: dict[str, Arm] = {
    "uniform-flat": Arm("GRPO's advantage on every token, of the flat reward", "uniform", tiers=BOTH, reward=flat),
    "uniform": Arm("the same of the banded reward", "uniform", tiers=BOTH),
    "uniform-gates": Arm("the same and the gates' channel; items have no credit of their own", tiers=BOTH),
    "broadcast": Arm("each item's advantage on every token", locate=partial(located, placing.everywhere), tiers=BOTH),
    "paper": Arm("the paper's weights where `align` would put them", "paper", DRAWN),
    "paper-mean-one": Arm("the same, weights divided by their mean", "paper", DRAWN, mean_one=True),
    "rubric": Arm("each item's advantage where `align` puts it", locate=by_evidence, tiers=REAL),
    "rubric-simulated": Arm("each item's advantage where `align` would put it", locate=DRAWN),
    "rubric-flat": Arm("the same with the flat reward", locate=DRAWN, reward=flat),
    "random-unit": Arm("on a random unit of like length", locate=partial(located, placing.of_like_length)),
    "shuffled": Arm(
        "`rubric-simulated`, its tokens permuted inside the page", locate=partial(located, placing.shuffled)
    ),
    "wrong-30": Arm("at the true places, 30 % of the items at another's", locate=partial(located, placing.wrong(0.3))),
    "wrong-60": Arm("the same, 60 %", locate=partial(located, placing.wrong(0.6))),
    "wrong-100": Arm("the same, all", locate=partial(located, placing.wrong(1.0))),
    "no-structure": Arm(
        "`rubric-simulated` without gates, broken pages at 0", locate=DRAWN, gates=False, reward=unbanded
    ),
    "oracle": Arm("each item's advantage at its true places", locate=TRUE),
    "plain-mass": Arm("`rubric-simulated`, its sides not balanced", locate=DRAWN, usual=Options(balanced=False)),
    "half-blame": Arm("`rubric-simulated`, half of the blame", locate=DRAWN, usual=Options(blame=0.5)),
    "gates-quarter": Arm("`rubric-simulated` with μ = 0.25", locate=DRAWN, usual=Options(gate_weight=0.25)),
    "gates-one": Arm("`rubric-simulated` with μ = 1", locate=DRAWN, usual=Options(gate_weight=1.0)),
    "cap-32": Arm("`rubric-simulated` with κ = 32", locate=DRAWN, usual=Options(cap=32.0)),
    "entropic": Arm("`rubric-simulated`, more on unlikely tokens", locate=partial(located, placing.entropic)),
}


def chosen(names: Sequence[str], tier: str) -> list[str]:
    """The names, once they are sure to be arms of this tier. RccaError otherwise."""
    if tier not in (SIMULATED, REAL):
        raise RccaError(f"--tier {tier}: there are {SIMULATED}, {REAL}")
    there = [name for name, arm in ARMS.items() if tier in arm.tiers]
    for name in names:
        if name not in there:
            raise RccaError(f"--arms {name}: in tier {tier} there are {', '.join(there)}")
    return list(dict.fromkeys(names)) or there


def credited(arm: Arm, group: Sequence[Judged], sequence_share: float, scale: float) -> list[Record]:
    """The `align` of each member of a group, in order. `scale` is what its localised term is multiplied by (η)."""
    scorable = [one for one in group if one.answer.reward is not None]
    credits = iter(token_advantages(members(arm, scorable), arm.options(sequence_share, scale)))
    found = []
    for one in group:
        credit = next(credits) if one.answer.reward is not None else None
        found.append(aligning.value(one.answer, {}, credit, arm.mode))
    return found


def members(arm: Arm, scorable: Sequence[Judged]) -> list[Member]:
    """What the credit of a group depends on, as the arm sees it."""
    found = []
    for one in scorable:
        cases = arm.locate(one, scorable) if arm.locate else {}
        member = aligning.member(one.answer, cases, arm.mode)
        found.append(
            replace(
                member,
                reward=arm.reward(one.answer),
                items=member.items if arm.locate else {},
                gates=member.gates if arm.gates else {},
            )
        )
    return found


def scale(arm: Arm, groups: Sequence[Sequence[Judged]]) -> float:
    """η with which the localised term is, over the tokens of these groups, as large as the sequence's (rms).

    The package's own for an arm without such a term, and where nothing was placed.
    """
    sequence, local = [np.zeros(0)], [np.zeros(0)]
    for group in groups if arm.localised else ():
        own = members(arm, [one for one in group if one.answer.reward is not None])
        advantages = sequence_advantages([member.reward for member in own])
        for member, advantage, term in zip(own, advantages, items_term(own, arm.options(0.0)), strict=True):
            if not lost_its_places(member):
                sequence.append(np.full(member.size, advantage))
                local.append(term)
    whole, part = (rms(np.concatenate(term)) for term in (sequence, local))
    return whole / part if whole and part else calibration.ETA


def rms(values: np.ndarray) -> float:
    """The root mean square; 0 of nothing."""
    return float(np.sqrt(np.mean(np.square(values)))) if values.size else 0.0
