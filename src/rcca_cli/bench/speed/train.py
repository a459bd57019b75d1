"""Times our update against TRL's on the same rows and the same model, each in a process of its own.

Forward and backward, without the optimizer, on one thread, in processor seconds: they survive a busy machine. TRL
may choose its best micro-batch of 1, 2 and 8 rows; its memory is that of its leanest, 1. Its process first checks
that both have the same loss and gradient. TRL computes the entropy always, ours has no need of it.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence

import orjson

from rcca_cli import console
from rcca_cli.bench.speed import stage
from rcca_cli.bench.speed.stage import Options, Record
from rcca_cli.errors import RccaError

OURS, LEANEST = "ours", "trl:1"
RIVALS = (LEANEST, "trl:2", "trl:8")
AGAINST = ("equal", "skewed", "sparse")
SMALL, LARGE = "growth 8", "growth 64"


def write(options: Options, output: str = "-", report: str = "") -> None:
    """Our update and TRL's, a record a process."""
    stage.told(lambda: (measured(*turn) for turn in plan(options.quick)), summary, show, output, report)


def plan(quick: bool) -> Iterator[tuple[str, str, int]]:
    """(case, side, timed turns after the first) of every process. Quick: one turn, TRL one row and two at a time."""
    for case in AGAINST:
        yield case, OURS, 1 if quick else 5
        for side in RIVALS[:2] if quick else RIVALS:
            yield case, side, 1 if quick else 2
    for case in (SMALL, LARGE):
        yield case, OURS, 0


def measured(case: str, side: str, turns: int) -> Record:
    """One side of one case in a process of its own. RccaError if it fails: TRL is missing, or disagrees."""
    words = [sys.executable, "-m", "rcca_cli.train.timing", case, side, str(turns)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RccaError(f"speed train, {case}, {side}: {said[-1] if said else done.returncode} (needs `rcca[trl]`)")
    return orjson.loads(done.stdout.splitlines()[-1])


def summary(found: Sequence[Record]) -> Record:
    """For each case ours over TRL's: real tokens a processor second at its best, extra peak at its leanest."""
    by_case: dict[str, dict[str, Record]] = {}
    for one in found:
        by_case.setdefault(one["case"], {})[one["side"]] = one
    cases: dict[str, Record] = {}
    for case in AGAINST:
        ours, *rivals = by_case[case].values()
        best = min(rivals, key=lambda one: one["median_cpu"])
        cases[case] = {
            "ratio": best["median_cpu"] / ours["median_cpu"],
            "memory_ratio": ours["peak_mb"] / by_case[case][LEANEST]["peak_mb"],
            "best": best["side"],
            "tokens_a_second": ours["tokens"] / ours["median_cpu"],
            "tokens_a_second_trl": best["tokens"] / best["median_cpu"],
            "gradient_difference": max(one["gradient_difference"] for one in rivals),
        }
    small, large = (by_case[case][OURS]["peak_mb"] for case in (SMALL, LARGE))
    cases["growth"] = {"peak_mb_of_8": small, "peak_mb_of_64": large, "growth": large / small - 1}
    return {key: cases["skewed"][key] for key in ("ratio", "memory_ratio")} | {"cases": cases, "turns": list(found)}


def show(figures: Record) -> None:
    """The table, and growth in one line."""
    rows = []
    for case in AGAINST:
        one = figures["cases"][case]
        numbers = [f"{one[key]:.0f}" for key in ("tokens_a_second", "tokens_a_second_trl")]
        rows.append([case, *numbers, one["best"], f"{one['ratio']:.2f}", f"{one['memory_ratio']:.2f}"])
    columns = ["case", "tokens a CPU s", "TRL", "its best", "times", "extra peak over TRL's"]
    console.table(columns, rows, "8 answers, Qwen3-shaped, 17 million parameters; medians")
    growth = figures["cases"]["growth"]
    console.note(f"extra peak from 8 to 64 answers: {growth['growth']:+.1%}")
