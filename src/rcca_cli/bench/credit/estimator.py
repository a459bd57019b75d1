"""What an arm's credit is as an estimate of the true gradient: its direction, its bias and its variance (`sums`).

The true pass rate is J = E[share of the rubric that passes], of a broken page none. Its gradient is estimated from many
answers by the plain policy gradient, the share itself as the reward and the mean of the group's others as baseline,
which leaves it unbiased. An arm's gradient is that of the loss of its first step, by the code that makes the step.

All is sums over parts of as many answers as a step has. A few parts at a time are added up, here or in processes, and
then these in order, so that nothing depends on how many processes there are, or on where an earlier call was cut off.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from rcca_cli import console, jsonl, lock, models, seeds
from rcca_cli.bench.credit import arms, kept_sums, lab, tasks
from rcca_cli.bench.credit.lab import Lab, groups, lines
from rcca_cli.bench.credit.options import Options
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.bench.credit.processes import Mapped, several
from rcca_cli.bench.credit.sums import Sums, differences, figures
from rcca_cli.errors import RccaError
from rcca_cli.train import gradient
from rcca_cli.train.loop import Trainer
from rcca_cli.train.metrics import pass_share
from rcca_cli.train.session import open_session

Record = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """How much is sampled."""

    reference: int  # answers
    batches: int  # of each arm
    together: int = 8  # parts that one process does before it tells what they came to


FULL, QUICK = Size(8192, 200), Size(1024, 20)


@dataclass(frozen=True)
class Series:
    """Parts, all of one stream of tasks, and the arms whose gradients are summed; of no arms it is the reference."""

    name: str
    count: int
    options: Options
    scales: Mapping[str, float]  # of each arm
    toward: np.ndarray | None = None  # (parameter,), of length 1: what each gradient is compared with


def run(names: Sequence[str], options: Options, size: Size, at_once: int = 1) -> Record:
    """The figures of these arms at the policy `options.model`, all on the same batches.

    They are kept in `options.out` under the digest of all that they depend on, and partial sums until they are there.
    RccaError if the reference has fewer answers than two steps: one part says nothing of its noise.
    """
    own = options.groups * options.group_size
    if size.reference < 2 * own:
        raise RccaError(f"--answers {size.reference}: at least two steps of {own} (--groups times -g), {2 * own}")
    scales, sign = calibrated(names, options)
    path = place(options, size, scales, sign)
    with lock.held(str(path)):
        if path.exists():
            console.note(f"{path} is finished")
            return finished(path)
        with several(at_once) as mapped:
            found = measured(options, size, scales, path, mapped)
        writer = jsonl.Writer(str(path))
        writer.write(found)
        writer.finish()
        for name in ("reference", "batches"):
            partial(path, name).unlink()
    return found


def finished(path: Path) -> Record:
    """The figures in a file. RccaError if it is not whole."""
    found = [line.record for line in jsonl.read([str(path)])]
    if len(found) != 1 or not found[0].keys() >= {"reference", "arms", "differences"}:
        raise RccaError(f"{path}: not the figures of an estimate (remove it, and they are made anew)")
    return found[0]


def measured(options: Options, size: Size, scales: Mapping[str, float], path: Path, mapped: Mapped) -> Record:
    """The figures, from sums that are kept beside `path`."""
    own = options.groups * options.group_size
    series = Series("reference", size.reference // own, options, {})
    (reference,) = summed(series, size.together, partial(path, series.name), mapped)
    series = Series("batches", size.batches, options, scales, reference.direction)
    found = dict(zip(scales, summed(series, size.together, partial(path, series.name), mapped), strict=True))
    length2 = float(reference.mean @ reference.mean)
    return {
        "model": options.model,
        "reference": {
            "answers": reference.count * own,
            "parts": reference.count,
            # of |mean r|² the share that is |∇J|²: 1 if there were no noise left in the reference
            "reliability": reference.length2 / length2 if length2 else None,
        },
        "scales": dict(scales),
        "arms": [asdict(figures(name, one, reference)) for name, one in found.items()],
        "differences": [asdict(one) for one in differences(found)],
        "cosines": {name: one.cosines for name, one in found.items()},  # of each batch
    }


def place(options: Options, size: Size, scales: Mapping[str, float], sign: str) -> Path:
    """Where the figures are kept."""
    name = seeds.digest(["estimator", seeds.counting(options), asdict(size), list(scales.items()), sign])
    return Path(options.out) / f"estimator-{name}.jsonl"


def partial(path: Path, name: str) -> Path:
    """Where the sums of a series are until the figures are there."""
    return path.with_suffix(f".{name}.npz")


def summed(series: Series, together: int, path: Path, mapped: Mapped) -> list[Sums]:
    """The sums of each arm over the parts of a series, those of an earlier call among them."""
    found = kept_sums.read(path)
    done = found[0].count if found else 0
    if done:
        console.note(f"{path}: goes on after {done} of {series.count}")
    wanted = [
        Piece(series, range(start, min(start + together, series.count))) for start in range(0, series.count, together)
    ]
    rest = [piece for piece in wanted if piece.parts.start >= done]
    made = console.progress(mapped(Piece.sums, rest), series.name, lambda: len(wanted), lambda: len(wanted) - len(rest))
    for sums in made:
        found = found or [Sums() for _ in sums]
        for one, other in zip(found, sums, strict=True):
            one.join(other)
        kept_sums.write(path, found)
    return found


@dataclass(frozen=True)
class Piece:
    """Some parts of a series."""

    series: Series
    parts: range

    def sums(self) -> list[Sums]:
        """Of each arm; of the reference alone where there are none."""
        series, options = self.series, self.series.options
        found = [Sums() for _ in series.scales or ("reference",)]
        with lab.opened(options, list(series.scales)) as ours:
            trainer = opened(options, plain=not series.scales)
            for judged in batches(ours, trainer.policy, options, series.name, self.parts, options.groups):
                made = of_arms(trainer, ours, judged, series) if series.scales else of_reference(trainer, judged)
                for one, gradient_P in zip(found, made, strict=True):
                    one.add(gradient_P, series.toward)
        return found


def of_arms(trainer: Trainer, ours: Lab, judged: Sequence[Judged], series: Series) -> np.ndarray:
    """The gradients (arm, parameter) of one batch."""
    share = series.options.sequence_share
    aligned = [ours.credited(arms.ARMS[name], judged, share, scale) for name, scale in series.scales.items()]
    return gradient.gradients(trainer, [lines(records, "aligned") for records in aligned])


def of_reference(trainer: Trainer, judged: Sequence[Judged]) -> np.ndarray:
    """The plain policy gradient of the pass rate (1, parameter), of one part."""
    rows = [record for group in groups(judged) for record in rewarded(group)]
    return gradient.gradient(trainer, lines(rows, "reference"))[None]


def opened(options: Options, plain: bool) -> Trainer:
    """The policy with the loss of a step; `plain`: with that of the reference.

    There tokens are added up and divided by a constant: a mean over the tokens that happen to be there would bias it.
    """
    training = replace(options.training(False), out="", learning_rate=1.0)  # no step is made
    if plain:
        training = replace(training, loss="dr_grpo", horizon=options.max_new_tokens)
    return open_session(training, options.model).trainer


def calibrated(names: Sequence[str], options: Options) -> tuple[dict[str, float], str]:
    """The scale of each arm, and what the policy is known by: how likely its answers were to it."""
    with lab.opened(options, names) as ours:
        policy = models.load(options.model)
        (judged,) = batches(ours, policy, options, "calibration", range(1), options.calibration_tasks)
    found = list(groups(judged))
    sign = seeds.digest([one.answer.record["rollout"]["logprobs"] for one in judged])
    return {name: arms.scale(arms.ARMS[name], found) for name in names}, sign


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


def batches(ours: Lab, policy: Any, options: Options, name: str, parts: range, size: int) -> Iterator[list[Judged]]:
    """The judged answers of these parts, each to the next `size` tasks of a stream of this name."""
    seed = seeds.derive(options.seed, "credit", name)
    stream = tasks.stream("rl", seed, full=options.full)
    sampling = options.sampling(options.group_size, seed)
    chosen = islice(stream, parts.start * size, parts.stop * size)
    for _ in parts:
        yield ours.judged(policy, "rl", list(islice(chosen, size)), sampling)
