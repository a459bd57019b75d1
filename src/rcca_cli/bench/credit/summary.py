"""The figures of finished runs: of each arm, and of each arm against the others on the same seeds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from rcca_cli import jsonl
from rcca_cli.bench.credit import agreement, costs, statistics
from rcca_cli.bench.credit.arms import ARMS
from rcca_cli.bench.credit.evaluation import SUBSETS
from rcca_cli.bench.credit.statistics import MARKS, Curve
from rcca_cli.errors import RccaError
from rcca_cli.train.metrics import mean

Record = dict[str, Any]
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
        return [(point["samples"], point[name]) for point in self.evals if point[name] is not None]

    def area(self, name: str = "passed") -> float:
        """The mean height of that curve."""
        return statistics.area(self.curve(name))

    def over_cpu(self, browser: bool) -> Curve | None:
        """The held-out pass over the processor seconds of the steps before; None without stamps, or of one point."""
        seconds = costs.spent(self.evals, self.steps, browser)
        if seconds is None:
            return None
        curve = [(x, one["passed"]) for x, one in zip(seconds, self.evals, strict=True) if one["passed"] is not None]
        return curve if len(curve) > 1 else None

    def subset(self, name: str, figure: str) -> Curve:
        """A figure of one part of the held-out tasks over samples; where it is not known, the point is left out."""
        points = [(point["samples"], point.get("subsets", {}).get(name, {}).get(figure)) for point in self.evals]
        return [(samples, value) for samples, value in points if value is not None]

    def last(self, name: str) -> float:
        """The figure in the last evaluation in which it is known."""
        return float(self.curve(name)[-1][1])

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
    """The run in a file. RccaError if fewer than two of its evaluations have a verdict."""
    head, *rest = (line.record for line in jsonl.read([path]))
    evals = [record for record in rest if record["kind"] == "eval"]
    steps = [record for record in rest if record["kind"] == "step"]
    if sum(record["passed"] is not None for record in evals) < 2:
        raise RccaError(f"{path}: no verdict in its evaluations but of one (remove it, and it is made anew)")
    return Finished(head["arm"], head["tier"], head["seed"], head["scale"], evals, steps)


def report(runs: Sequence[Finished], designs: int = 1) -> Record:
    """The keys `arms`, `agreement`, `comparisons` and `runs` of a report."""
    names = [name for name in ARMS if any(run.arm == name for run in runs)]
    by_arm = {name: [run for run in runs if run.arm == name] for name in names}
    said = {name: agreement.of_arm([run.evals for run in own]) for name, own in by_arm.items()}
    browser = all(costs.tell_browser(run.steps) for run in runs)  # or it is left out of all
    spent = equal_cpu(runs, browser)
    pairs = [(by_arm[one], by_arm[other]) for other, one in combinations(names, 2)]
    return {
        "arms": [of_arm(own, spent) | {"agreement": said[own[0].arm]} for own in by_arm.values()],
        "agreement": agreement.over_arms({name: found for name, found in said.items() if found}),
        "comparisons": [found for one, other in pairs if (found := compared(one, other, designs, spent))],
        "runs": [of_run(run, browser) for run in runs],
    }


def equal_cpu(runs: Sequence[Finished], browser: bool) -> dict[tuple[str, int], Record]:
    """Of the arm and seed of each run with stamps: what it came to in the seconds of the seed's cheapest run."""
    found: dict[tuple[str, int], Record] = {}
    for seed in sorted({run.seed for run in runs}):
        curves = {run.arm: curve for run in runs if run.seed == seed and (curve := run.over_cpu(browser))}
        found |= {
            (arm, seed): one | {"browser": browser}
            for arm, one in zip(curves, costs.equal(list(curves.values())), strict=True)
        }
    return found


def of_run(run: Finished, browser: bool) -> Record:
    """The figures of one run."""
    found = {"arm": run.arm, "tier": run.tier, "seed": run.seed, "scale": run.scale, "auc": run.area()}
    curves = {name: run.curve(name) for name in ("passed", "functional", "all_pass", "drift")}
    return found | {"curves": curves, "over_cpu": run.over_cpu(browser), "cpu": run.cpu}


def of_arm(runs: Sequence[Finished], spent: Mapping[tuple[str, int], Record]) -> Record:
    """The means of one arm's runs over seeds; `spent` is what `equal_cpu` found."""

    def over(value: Callable[[Finished], float]) -> float | None:
        return mean(value(run) for run in runs)

    norms = [step["grad_norm"] for run in runs for step in run.steps if step["grad_norm"] is not None]
    curve = statistics.mean_curve([run.curve("passed") for run in runs])
    marks = {share: mean(run.mark(share) for run in runs) or 0.0 for share in MARKS}
    equal = [spent[run.arm, run.seed] for run in runs if (run.arm, run.seed) in spent]
    samples = {str(share): asdict(statistics.reached(curve, mark)) for share, mark in marks.items()}
    return {
        "arm": runs[0].arm,
        "tier": runs[0].tier,
        "seeds": [run.seed for run in runs],
        "auc": over(lambda run: run.area()),
        "start": over(lambda run: run.curve("passed")[0][1]),
        "final": over(lambda run: run.last("passed")),
        "final_all_pass": over(lambda run: run.last("all_pass")),
        "functional": over(lambda run: run.area("functional")),
        "final_functional": over(lambda run: run.last("functional")),
        "drift": mean(run.last("drift") for run in runs if run.curve("drift")),
        "grad_norm": mean(norms),
        "samples_to": samples,  # of the mean curve
        "cpu_seconds": mean(sum(run.cpu.values()) for run in runs if run.cpu),
        "equal_cpu": mean_cost(equal),
        "subsets": of_subsets(runs),
    }


def mean_cost(equal: Sequence[Record]) -> Record | None:
    """The means over seeds of what `equal_cpu` found, and whether the browser's seconds are counted; null of none."""
    if not equal:
        return None
    return {key: mean(one[key] for one in equal) for key in ("seconds", "auc", "passed")} | {
        "browser": equal[0]["browser"]
    }


def of_subsets(runs: Sequence[Finished]) -> Record | None:
    """The means over seeds of each part of the held-out tasks; null where no run has it."""
    found = {}
    for name in SUBSETS:
        curves = [curve for run in runs if len(curve := run.subset(name, "passed")) > 1]
        works = [curve for run in runs if len(curve := run.subset(name, "functional")) > 1]
        found[name] = {
            "answers": mean(run.evals[0]["subsets"][name]["known"] for run in runs if "subsets" in run.evals[0]),
            "auc": mean(statistics.area(curve) for curve in curves),
            "start": mean(curve[0][1] for curve in curves),
            "final": mean(curve[-1][1] for curve in curves),
            "functional": mean(statistics.area(curve) for curve in works),
        }
    return found if any(one["auc"] is not None for one in found.values()) else None


def compared(
    runs: Sequence[Finished], controls: Sequence[Finished], designs: int, spent: Mapping[tuple[str, int], Record]
) -> Record | None:
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
    found["final"] = difference(lambda run: run.last("passed"))
    found["functional"] = difference(lambda run: run.area("functional"))
    found["final_functional"] = difference(lambda run: run.last("functional"))
    found["equal_cpu"] = at_equal_cpu(pairs, designs, spent)
    found["subsets"] = in_subsets(pairs, designs)
    spread = found["auc"]["sd"]
    found["seeds_needed"] = statistics.seeds_needed(spread) if spread is not None else None
    found["samples_ratio"] = {str(share): asdict(ratio(pairs, share, designs)) for share in MARKS}
    return found


def at_equal_cpu(
    pairs: Sequence[tuple[Finished, Finished]], designs: int, spent: Mapping[tuple[str, int], Record]
) -> Record | None:
    """The paired differences of area and pass at equal processor seconds; null without stamps."""
    told = [[spent.get((run.arm, run.seed)) for run in pair] for pair in pairs]
    both = [(one, other) for one, other in told if one and other]
    if not both:
        return None
    return {
        key: asdict(statistics.paired([one[key] - other[key] for one, other in both], designs))
        for key in ("auc", "passed")
    }


def in_subsets(pairs: Sequence[tuple[Finished, Finished]], designs: int) -> Record | None:
    """The paired differences of area in each part of the held-out tasks; null where runs do not have them."""
    found = {}
    for name in SUBSETS:
        curves = [[run.subset(name, "passed") for run in pair] for pair in pairs]
        areas = [[statistics.area(curve) for curve in pair] for pair in curves if all(len(curve) > 1 for curve in pair)]
        if areas:
            found[name] = asdict(statistics.paired([one - other for one, other in areas], designs))
    return found or None


def ratio(pairs: Iterable[tuple[Finished, Finished]], share: float, designs: int) -> statistics.Ratio:
    """How many times the samples of the control the arm needs to come so far."""
    listed = list(pairs)
    reached = [
        [statistics.reached(run.curve("passed"), run.mark(share)) for run in own] for own in zip(*listed, strict=True)
    ]
    return statistics.ratio(reached[0], reached[1], designs)
