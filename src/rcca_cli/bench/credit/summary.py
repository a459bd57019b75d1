"""The figures of finished runs: of each arm, and of each arm against the others on the same seeds."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from rcca_cli import jsonl
from rcca_cli.bench.credit import agreement, statistics
from rcca_cli.bench.credit.arms import ARMS
from rcca_cli.bench.credit.statistics import MARKS, Curve
from rcca_cli.train.metrics import mean

Record = dict[str, Any]
CURVES = ("passed", "passed_unseen", "passed_apart", "functional", "all_pass", "drift")
CEILING = 1.0  # of the share of the rubric that passes


@dataclass(frozen=True)
class Finished:
    """One run, read from its file."""

    arm: str
    tier: str
    seed: int
    scale: float
    evals: list[Record]
    steps: list[Record]

    def curve(self, name: str) -> Curve:
        """A figure of the evaluations over samples; where it is not known, the point is left out."""
        return [(point["samples"], point[name]) for point in self.evals if point.get(name) is not None]

    def area(self, name: str = "passed") -> float:
        """The mean height of that curve."""
        return statistics.area(self.curve(name))

    def area_of(self, name: str) -> float | None:
        """The same, null where the evaluations do not tell the figure."""
        return self.area(name) if len(self.curve(name)) == len(self.evals) else None

    def last(self, name: str) -> float:
        """The figure in the last evaluation."""
        return float(self.evals[-1][name] or 0.0)

    def mark(self, share: float) -> float:
        """The height that is so much of the way from the start to the ceiling."""
        start = self.curve("passed")[0][1]
        return start + share * (CEILING - start)

    @property
    def cpu(self) -> dict[str, float] | None:
        """Processor seconds by part of the work; None without stamps."""
        found: dict[str, float] = {}
        for record in [*self.evals, *self.steps]:
            for part, seconds in record.get("stamp", {}).items():
                found[part] = found.get(part, 0.0) + seconds
        return {part: round(seconds, 1) for part, seconds in found.items()} or None


def read(path: str) -> Finished:
    """The run in a file."""
    head, *rest = (line.record for line in jsonl.read([path]))
    evals = [record for record in rest if record["kind"] == "eval"]
    steps = [record for record in rest if record["kind"] == "step"]
    return Finished(head["arm"], head["tier"], head["seed"], head["scale"], evals, steps)


def report(runs: Sequence[Finished], designs: int = 1) -> Record:
    """The keys `arms`, `agreement`, `comparisons` and `runs` of a report."""
    names = [name for name in ARMS if any(run.arm == name for run in runs)]
    by_arm = {name: [run for run in runs if run.arm == name] for name in names}
    said = {name: agreement.of_arm([run.evals for run in own]) for name, own in by_arm.items()}
    pairs = [(by_arm[one], by_arm[other]) for other, one in combinations(names, 2)]
    return {
        "arms": [of_arm(own) | {"agreement": said[own[0].arm]} for own in by_arm.values()],
        "agreement": agreement.over_arms({name: found for name, found in said.items() if found}),
        "comparisons": [found for one, other in pairs if (found := compared(one, other, designs))],
        "runs": [of_run(run) for run in runs],
    }


def of_run(run: Finished) -> Record:
    """The figures of one run."""
    found = {"arm": run.arm, "tier": run.tier, "seed": run.seed, "scale": run.scale, "auc": run.area()}
    curves = {name: run.curve(name) for name in CURVES}
    return found | {"curves": curves, "cpu": run.cpu}


def of_arm(runs: Sequence[Finished]) -> Record:
    """The means of one arm's runs over seeds."""

    def over(value: Callable[[Finished], float | None]) -> float | None:
        return mean(found for run in runs if (found := value(run)) is not None)

    norms = [step["grad_norm"] for run in runs for step in run.steps if step["grad_norm"] is not None]
    curve = statistics.mean_curve([run.curve("passed") for run in runs])
    marks = {share: mean(run.mark(share) for run in runs) or 0.0 for share in MARKS}
    samples = {str(share): asdict(statistics.reached(curve, mark)) for share, mark in marks.items()}
    return {
        "arm": runs[0].arm,
        "tier": runs[0].tier,
        "seeds": [run.seed for run in runs],
        "auc": over(lambda run: run.area()),
        "auc_unseen": over(lambda run: run.area_of("passed_unseen")),
        "auc_apart": over(lambda run: run.area_of("passed_apart")),
        "start": over(lambda run: run.curve("passed")[0][1]),
        "final": over(lambda run: run.last("passed")),
        "final_all_pass": over(lambda run: run.last("all_pass")),
        "functional": over(lambda run: run.area("functional")),
        "final_functional": over(lambda run: run.last("functional")),
        "drift": over(lambda run: run.last("drift")),
        "grad_norm": mean(norms),
        "samples_to": samples,  # of the mean curve
        "cpu_seconds": mean(sum(run.cpu.values()) for run in runs if run.cpu),
    }


def compared(runs: Sequence[Finished], controls: Sequence[Finished], designs: int) -> Record | None:
    """An arm against another, over the seeds that both have; None if they have none in common."""
    ours, theirs = ({run.seed: run for run in own} for own in (runs, controls))
    both = sorted(ours.keys() & theirs.keys())
    if not both:
        return None
    pairs = [(ours[seed], theirs[seed]) for seed in both]

    def difference(value: Callable[[Finished], float]) -> Record:
        return asdict(statistics.paired([value(one) - value(other) for one, other in pairs], designs))

    found: Record = {"arm": runs[0].arm, "control": controls[0].arm, "tier": runs[0].tier, "seeds": both}
    found["auc"] = difference(lambda run: run.area())
    for name in ("unseen", "apart"):
        areas = [(one.area_of(f"passed_{name}"), other.area_of(f"passed_{name}")) for one, other in pairs]
        known = [mine - theirs for mine, theirs in areas if mine is not None and theirs is not None]
        found[f"auc_{name}"] = asdict(statistics.paired(known, designs)) if known else None
    found["final"] = difference(lambda run: run.last("passed"))
    found["functional"] = difference(lambda run: run.area("functional"))
    found["final_functional"] = difference(lambda run: run.last("functional"))
    spread = found["auc"]["sd"]
    found["seeds_needed"] = statistics.seeds_needed(spread) if spread is not None else None
    found["samples_ratio"] = {str(share): asdict(ratio(pairs, share, designs)) for share in MARKS}
    return found


def ratio(pairs: Iterable[tuple[Finished, Finished]], share: float, designs: int) -> statistics.Ratio:
    """How many times the samples of the control the arm needs to come so far."""
    listed = list(pairs)
    reached = [
        [statistics.reached(run.curve("passed"), run.mark(share)) for run in own] for own in zip(*listed, strict=True)
    ]
    return statistics.ratio(reached[0], reached[1], designs)
