"""`rcca bench credit`: trains the same policy with credit given in several ways, and compares what it learns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rcca_cli import console, filter
from rcca_cli.bench import reports
from rcca_cli.bench.credit import apart, arms, estimator, lab, running, summary, tables
from rcca_cli.bench.credit.estimator import Size
from rcca_cli.bench.credit.options import Options as Run
from rcca_cli.bench.credit.processes import several
from rcca_cli.errors import RccaError

Record = dict[str, Any]
PARTS = ("estimator", "runs")
QUICK_ARMS = ("uniform-gates", "rubric-simulated", "oracle")


@dataclass(frozen=True)
class Options:
    """Which arms, how many seeds from which on, and of what kind the runs are (`run`, whose arm and seed do not count).

    `only`: estimator or runs; both if empty, runs alone if `quick`. `designs`: how many have been tried, for the level
    of the intervals. `runs_at_once` are processes.
    """

    run: Run = field(default_factory=Run)
    arms: tuple[str, ...] = ()
    seeds: int = 2
    only: str = ""
    quick: bool = False
    size: Size = estimator.FULL
    designs: int = 1
    runs_at_once: int = 2

    @property
    def parts(self) -> tuple[str, ...]:
        """What is done."""
        if self.only and self.only not in PARTS:
            raise RccaError(f"--only {self.only}: there are {', '.join(PARTS)}")
        return (self.only,) if self.only else ("runs",) if self.quick else PARTS

    def names(self) -> list[str]:
        """The arms; RccaError for one that this tier has not."""
        wanted = self.arms or (QUICK_ARMS if self.quick else ())
        return arms.chosen(wanted, self.run.tier)

    def runs(self) -> list[Run]:
        """The runs, seed after seed, so that what is there early can be compared."""
        first = self.run.seed
        return [
            replace(self.run, arm=name, seed=seed) for seed in range(first, first + self.seeds) for name in self.names()
        ]


def write(options: Options, output: str = "-", report: str = "") -> None:
    """One record an arm on `output`, tables on standard error, all figures in the file `report`."""
    reports.need_json(report, output)
    options.names()
    found: Record = {"arms": [], "agreement": None, "comparisons": [], "runs": [], "tasks": None, "estimator": None}
    filter.write_all(filter.Plan("bench", "", output=output), run(options, found))
    tables.show(found)
    reports.save_json(report, found)


def run(options: Options, found: Record) -> Iterator[Record]:
    """The records; `found` gets the figures when they are there."""
    if "estimator" in options.parts:
        found["estimator"] = estimator.run(options.names(), options.run, options.size, options.runs_at_once)
        yield from ({"kind": "estimator"} | one for one in found["estimator"]["arms"])
    if "runs" in options.parts:
        wanted = options.runs()
        found["tasks"] = apart.checked(options.run, sorted({one.seed for one in wanted}))
        make(wanted, options.runs_at_once)
        found |= summary.report([summary.read(one.path) for one in wanted], options.designs)
        yield from ({"kind": "runs"} | one for one in found["arms"])


def make(wanted: Sequence[Run], at_once: int) -> None:
    """The files of these runs, several at once, each in a process of its own."""
    if at_once == 1:
        for one in wanted:
            told(work(one))
        return
    with several(at_once) as mapped:
        for name in console.progress(mapped(work, wanted), "runs", lambda: len(wanted)):
            told(name)


def work(options: Run) -> str:
    """Make one run's file; its name."""
    with lab.opened(options, [options.arm]) as ours:
        running.run(options, ours)
    return options.path


def told(path: str) -> None:
    """Say what a run came to."""
    one = summary.read(path)
    first, last = one.curve("passed")[0][1], one.last("passed")
    console.note(f"{path}: pass {first:.3f} → {last:.3f}, area {one.area():.3f}, works {one.last('functional'):.3f}")
