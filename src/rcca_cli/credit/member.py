"""What credit is reckoned from: a group's members with their verdicts and places, and what changes the numbers."""

from dataclasses import dataclass, field

import numpy as np

from rcca_cli.credit import calibration


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
