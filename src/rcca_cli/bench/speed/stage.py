"""Times our judge and today's harness on the same apps, in turn, each as a process of its own."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rcca_cli import console, filter, jsonl
from rcca_cli.bench import reports
from rcca_cli.bench.redteam.watch import Meter
from rcca_cli.errors import RccaError

Record = dict[str, Any]
APPS = 48  # so that our start-up weighs little, as in use; the harness starts a browser for each app, as in use
ROUNDS = 3
HARNESS = "harness"
LEAN = "judge, evidence of failures only"
SCALES = (1, 2, 4, 8)


@dataclass(frozen=True)
class Options:
    """How long and on what it is timed. `quick`: one turn, where there are several."""

    quick: bool = False
    seed: int = 0
    jobs: int = 2


@dataclass(frozen=True)
class Timing:
    """One side's turn: seconds by the clock and of the processor, all processes counted, for so many apps."""

    side: str
    apps: int
    items: int  # rubric items that were decided
    wall: float
    cpu: float


def write(options: Options, output: str = "-", report: str = "") -> None:
    """The judge and the harness by turns."""
    told(lambda: run(options.seed, options.jobs), summary, show, output, report)


def told(
    turns: Callable[[], Iterable[Any]],
    summary: Callable[[Sequence[Any]], Record],
    show: Callable[[Record], None],
    output: str,
    report: str,
) -> None:
    """One record a turn on `output`, then what `show` says on standard error, the summary in the JSON file `report`.

    RccaError for another kind of report before any work.
    """
    reports.need_json(report, output)
    found: list[Any] = []
    filter.write_all(filter.Plan("bench", "", output=output), noted(turns(), found))
    figures = summary(found)
    show(figures)
    reports.save_json(report, figures)


def show(figures: Record) -> None:
    """The table, and the ratios in one line."""
    rows = [[side, f"{one['apps_a_minute']:.1f}", f"{one['cpu_an_app']:.2f}"] for side, one in figures["sides"].items()]
    console.table(["side", "apps a minute", "CPU s an app"], rows, f"{APPS} apps, medians of {ROUNDS} turns")
    ratio, cost = figures["ratio"], figures["cpu_ratio"]
    console.note(f"ours over the harness: {ratio:.1f} times the apps a minute, {cost:.2f} times the processor")


def noted(turns: Iterable[Any], into: list[Any]) -> Iterator[Record]:
    """A record of each turn, which is put into a list as well."""
    for turn in turns:
        into.append(turn)
        yield turn if isinstance(turn, dict) else asdict(turn)


def run(seed: int, jobs: int) -> Iterator[Timing]:
    """The turns, ours and theirs by turns, so that a busy machine is busy for both."""
    records = apps(seed)
    items = sum(len(record["task"]["rubric"]) for record in records)
    with tempfile.TemporaryDirectory(prefix="rcca-") as name:
        folder = Path(name)
        (folder / "apps.jsonl").write_bytes(b"".join(map(jsonl.encode, records)))
        pages = []
        for number, record in enumerate(records):
            pages.append(folder / f"{number}.html")
            pages[-1].write_text(page(record["rollout"]["text"]), encoding="utf-8")
        files = (str(folder / "apps.jsonl"), "-o", str(folder / "judged.jsonl"))
        judge = ["rcca_cli", "-q", "judge", *files, "--jobs"]
        for _ in range(ROUNDS):
            yield timed("judge", len(records), items, [*judge, str(jobs)])
            yield timed(LEAN, len(records), items, [*judge, str(jobs), "--replay-passes", "0"])
            yield timed(HARNESS, len(records), 0, ["rcca_cli.browser.harness", *map(str, pages)])
        for many in SCALES:
            yield timed(f"judge, {many} at once", len(records), items, [*judge, str(many)])


def apps(seed: int, count: int = APPS) -> list[Record]:
    """References of synthetic tasks, and as many answers with one bug, by turns."""
    from rcca_cli.synth import stage as synth

    chosen = []
    for group in range(count // 2):
        options = synth.Options(seed=seed, count=group + 1, solutions="all")
        reference, *bugs = synth.run(options, group)
        chosen += [reference, bugs[group % len(bugs)]]
    return chosen


def page(text: str) -> str:
    """The document in an answer."""
    from rcca_cli.judge import artifact

    found = artifact.find(text).artifact
    assert found is not None
    return text[found["start"] : found["end"]]


def timed(side: str, count: int, items: int, words: Sequence[str]) -> Timing:
    """`python -m WORDS`, timed with all the processes that it starts. RccaError if it fails."""
    with Meter() as meter:
        done = subprocess.run([sys.executable, "-m", *words], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise RccaError(f"{side}: ended with {done.returncode}")
    return Timing(side, count, items, round(meter.cost.seconds, 3), round(meter.cost.cpu, 3))


def summary(timings: Sequence[Timing]) -> Record:
    """Each side's median rate and cost, and ours over the harness's."""
    sides = {}
    for side in dict.fromkeys(one.side for one in timings):
        own = [one for one in timings if one.side == side]
        rate, cost = median(one.apps / one.wall * 60 for one in own), median(one.cpu / one.apps for one in own)
        sides[side] = {"apps_a_minute": rate, "cpu_an_app": cost}
    ours, theirs = sides["judge"], sides[HARNESS]
    return {
        "ratio": ours["apps_a_minute"] / theirs["apps_a_minute"],
        "cpu_ratio": ours["cpu_an_app"] / theirs["cpu_an_app"],
        "lean_cpu_ratio": sides[LEAN]["cpu_an_app"] / theirs["cpu_an_app"] if LEAN in sides else None,
        "sides": sides,
        "turns": [asdict(one) for one in timings],
    }
