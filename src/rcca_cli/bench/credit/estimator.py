"""What an arm's credit is as an estimate of the true gradient: its direction, its bias and its variance.

The true pass rate is J = E[share of the rubric that passes], of a broken page none. Its gradient is estimated from many
answers by the plain policy gradient, the share itself as the reward and the mean of the group's others as baseline,
which leaves it unbiased. An arm's gradient is that of the loss of its first step, by the code that makes the step.

Bias is told up to a factor, for an optimizer like Adam does not see one: it is the part of the mean gradient that does
not point along ∇J. With g of batches and r of parts of the reference, independent of one another, unbiased are

    |E g|²  = (|Σ g|² − Σ |g|²) / (n (n − 1))        |∇J|² the same of r        E g · ∇J = mean g · mean r
    tr Cov g = mean |g|² − |E g|²

(the first is the mean of g_i · g_j over i ≠ j). From these come the cosine of E g and ∇J, and 1 − cosine², the share
of |E g|² that is bias. The reference has a variance of its own, which these leave out; `cosine` of a single batch with
the reference does not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import sqrt
from typing import Any

import numpy as np

from rcca_cli import console, seeds
from rcca_cli.bench.credit import arms, tasks
from rcca_cli.bench.credit.lab import Lab, groups, lines
from rcca_cli.bench.credit.options import Options
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.train import gradient
from rcca_cli.train.metrics import pass_share
from rcca_cli.train.session import open_session

Record = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """How much is sampled."""

    reference: int  # answers
    batches: int  # of each arm


FULL, QUICK = Size(8192, 200), Size(1024, 20)


@dataclass
class Sums:
    """Of some gradients (parameter,): how many, their sum, and the sum of their squared lengths."""

    count: int = 0
    total: np.ndarray = field(default_factory=lambda: np.zeros(0))
    squares: float = 0.0

    def add(self, found: np.ndarray) -> None:
        """Count one more."""
        wide = found.astype(np.float64)
        self.total = self.total + wide if self.count else wide
        self.squares += float(wide @ wide)
        self.count += 1

    @property
    def mean(self) -> np.ndarray:
        """The mean gradient (parameter,)."""
        return self.total / self.count

    @property
    def length2(self) -> float:
        """|E g|², unbiased: the mean of g_i · g_j over i ≠ j. It may come out below 0."""
        return (float(self.total @ self.total) - self.squares) / (self.count * (self.count - 1))

    @property
    def variance(self) -> float:
        """tr Cov g, unbiased."""
        return self.squares / self.count - self.length2


@dataclass(frozen=True)
class Figures:
    """Of one arm; `cosine` is of a single batch with the reference, a mean over batches and its standard error.

    `cosine_of_mean`, `bias` (the share of |E g|² that is not along ∇J) and `noise` (tr Cov g / |E g|²) are as the
    module says; null where an unbiased estimate of a squared length is not above 0: too few batches.
    """

    arm: str
    batches: int
    cosine: float
    cosine_error: float
    cosine_of_mean: float | None
    bias: float | None
    noise: float | None


def figures(arm: str, sums: Sums, cosines: Sequence[float], reference: Sums) -> Figures:
    """The figures of one arm, of its batches and of the reference."""
    values = np.array(cosines)
    error = float(values.std(ddof=1)) / sqrt(values.size)
    own, true = sums.length2, reference.length2
    along = None
    if own > 0 and true > 0:
        along = float(sums.mean @ reference.mean) / sqrt(own * true)
    bias = None if along is None else 1 - min(along * along, 1.0)
    noise = sums.variance / own if own > 0 else None
    return Figures(arm, sums.count, float(values.mean()), error, along, bias, noise)


def run(names: Sequence[str], options: Options, size: Size, lab: Lab) -> Record:
    """The figures of these arms at the policy `options.model`, all on the same batches."""
    training = replace(options.training(False), out="")
    trainer = open_session(training, options.model).trainer
    policy = trainer.policy
    (calibrating,) = batches(lab, policy, options, "calibration", 1, options.calibration_tasks)
    calibrated = list(groups(calibrating))
    scales = {name: arms.scale(arms.ARMS[name], calibrated) for name in names}
    reference = referred(lab, policy, options, size)
    length = sqrt(float(reference.mean @ reference.mean))
    sums = {name: Sums() for name in names}
    cosines: dict[str, list[float]] = {name: [] for name in names}
    for judged in batches(lab, policy, options, "batches", size.batches, options.groups):
        for name in names:
            aligned = lab.credited(arms.ARMS[name], judged, options.sequence_share, scales[name])
            with lab.timed("train"):
                found = gradient.gradient(trainer, lines(aligned, "aligned"))
            sums[name].add(found)
            own = float(np.linalg.norm(found))
            cosines[name].append(float(found @ reference.mean) / (own * length) if own else 0.0)
    true = reference.length2
    return {
        "model": options.model,
        "reference": {
            "answers": reference.count * options.groups * options.group_size,
            "parts": reference.count,
            # of |mean r|² the share that is |∇J|²: 1 if there were no noise left in the reference
            "reliability": true / length**2 if length else None,
        },
        "scales": scales,
        "arms": [asdict(figures(name, sums[name], cosines[name], reference)) for name in names],
        "cosines": cosines,  # of each batch, so that arms can be compared batch by batch
        "seconds": lab.stamp(),
    }


def referred(lab: Lab, policy: Any, options: Options, size: Size) -> Sums:
    """The plain policy gradient of the pass rate, of parts as large as a step.

    Tokens are added up and divided by a constant: a mean over the tokens that happen to be there would bias it.
    """
    plain = replace(options.training(False), out="", loss="dr_grpo", horizon=options.max_new_tokens)
    trainer = open_session(plain, options.model, policy).trainer
    found = Sums()
    parts = size.reference // (options.groups * options.group_size)
    for judged in batches(lab, policy, options, "reference", parts, options.groups):
        rows = [record for group in groups(judged) for record in rewarded(group)]
        with lab.timed("train"):
            found.add(gradient.gradient(trainer, lines(rows, "reference")))
    return found


def rewarded(group: Sequence[Judged]) -> list[Record]:
    """The records of a group, each token with its answer's pass share less the mean of the others'."""
    shares = [pass_share(one.answer.record) for one in group]
    known = [share for share in shares if share is not None]
    found = []
    for one, share in zip(group, shares, strict=True):
        count = one.answer.tokens.count
        value = None if share is None or len(known) < 2 else share - (sum(known) - share) / (len(known) - 1)
        credit = {"advantage": value, "advantages": None if value is None else [value] * count}
        rest = {"weights": None if value is None else [1.0] * count, "spans": [], "unmatched": 0, "mode": "uniform"}
        found.append(one.answer.record | {"align": credit | rest})
    return found


def batches(lab: Lab, policy: Any, options: Options, name: str, count: int, size: int) -> Iterator[list[Judged]]:
    """`count` times the judged answers to `size` tasks, of a stream of this name."""
    seed = seeds.derive(options.seed, "credit", name)
    stream, sampling = (
        tasks.stream("rl", seed, full=options.items is not None),
        options.sampling(options.group_size, seed),
    )
    for _ in console.progress(range(count), name, lambda: count):
        yield lab.judged(policy, "rl", list(islice(stream, size)), sampling)
