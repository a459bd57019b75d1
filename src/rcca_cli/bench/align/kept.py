"""Which mutants count: those of which an item fails in three runs of three, each with other data and another chance."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli.bench.align import judging
from rcca_cli.bench.align.apps import App
from rcca_cli.bench.align.mutants import Mutant
from rcca_cli.judge import stage as judge
from rcca_cli.rewards import rubric
from rcca_cli.store import Store

Record = dict[str, Any]
RUNS = 3


@dataclass(frozen=True)
class Kept:
    """A judged mutant and the items that its fault broke (not those whose parent it broke)."""

    mutant: Mutant
    record: Record
    items: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Whether one item alone is broken."""
        return len(self.items) == 1


@dataclass(frozen=True)
class Harvest:
    """What came of the mutants: `counts` of drawn, survived, stopped at a gate, unknown, flaky, single, multi."""

    kept: list[Kept]
    counts: Counter[str]


def sound(apps: Sequence[App], seed: int, jobs: int, store: Store) -> tuple[list[App], list[str]]:
    """The apps that pass all their checks, and the names of the others."""
    options = judge.Options(seed=seed, jobs=jobs, replay_passes=0.0)
    found = judging.run([app.record for app in apps], options, store, "references")
    good = [ran(record) and not failing(record) for record in found]
    rest = [app.name for app, passed in zip(apps, good, strict=True) if not passed]
    return [app for app, passed in zip(apps, good, strict=True) if passed], rest


def harvest(mutants: Sequence[Mutant], seed: int, jobs: int, store: Store) -> Harvest:
    """The mutants that count. The second and the third run only ask for what failed in the first."""
    counts: Counter[str] = Counter(drawn=len(mutants))
    options = judge.Options(seed=seed, jobs=jobs)
    found = judging.run([mutant.record for mutant in mutants], options, store, "mutants")
    going = []
    for mutant, record in zip(mutants, found, strict=True):
        state = _state(record)
        counts[state] += 1
        if state == "failed":
            going.append(Kept(mutant, record, failing(record)))
    for turn in range(1, RUNS):
        going = _again(going, judge.Options(seed=seed + turn, jobs=jobs, replay_passes=0.0), store, counts, turn)
    counts.pop("failed", None)
    counts.update("single" if one.single else "multi" for one in going)
    return Harvest(going, counts)


def _again(going: Sequence[Kept], options: judge.Options, store: Store, counts: Counter[str], turn: int) -> list[Kept]:
    found = judging.run([asked(one.mutant.record, one.items) for one in going], options, store, f"run {turn + 1}")
    left = []
    for one, record in zip(going, found, strict=True):
        stable = tuple(item for item in one.items if item in failing(record))
        if stable:
            left.append(Kept(one.mutant, one.record, stable))
        else:
            counts["flaky"] += 1
    return left


def asked(record: Record, names: Collection[str]) -> Record:
    """The record with some of its items alone, free of their parents."""
    task = record["task"]
    items = [item | {"parents": []} for item in task["rubric"] if item["id"] in names]
    return record | {"task": task | {"rubric": items}}


def ran(record: Record) -> bool:
    """Whether the answer got through every gate."""
    return bool(record["judge"]["level"] == "functional")


def _state(record: Record) -> str:
    if any(verdict["passed"] is None for verdict in record["judge"]["verdicts"]):
        return "unknown"
    if not ran(record):
        return "gate"
    return "failed" if failing(record) else "survived"


def failing(record: Record) -> tuple[str, ...]:
    """The items that fail and whose parents do not."""
    known = rubric.creditable(record["task"]["rubric"], record["judge"]["verdicts"])
    return tuple(name for name, passed in known.items() if passed is False)
