"""Runs as they are compared: what each task came to, and what must be the same for that to mean anything."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rcca_cli import jsonl, seeds
from rcca_cli.bench.miniapp.figures import listed
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

Json = dict[str, Any]
# What an app can be counted by, the first that all runs have being the one they are ranked by.
METRICS = ("passed", "score", "every", "rubric", "reward", "intention", "static", "dynamic")
MATTERS = ("kind", "threshold", "model", "browser", "viewport", "isolation", "rcca", "config", "compat")  # of a judge


@dataclass(frozen=True)
class Run:
    """One file: `values[metric][task]` are its samples' values that are known, `versions` what each task was.

    A task has several versions if the file was put together of several runs.
    """

    name: str
    path: str
    values: Mapping[str, Mapping[str, Sequence[float]]]
    answers: int
    tasks: frozenset[str]
    versions: Mapping[str, frozenset[str]]
    judges: tuple[Json, ...]
    has_apps: bool = True  # its records hold what `--pictures` needs

    def means(self, metric: str) -> dict[str, float]:
        """What each task came to."""
        return {task: sum(found) / len(found) for task, found in self.values.get(metric, {}).items()}


def read(paths: Sequence[str]) -> list[Run]:
    """The runs, named by their files. RecordError for a line that no benchmark has counted."""
    return [run(path, name) for path, name in zip(paths, names(paths), strict=True)]


def names(paths: Sequence[str]) -> list[str]:
    """What to call the files: by their last part, or by as many more as tell them apart.

    >>> names(["a/big.jsonl", "a/small.jsonl"]), names(["a/out.jsonl", "b/out.jsonl"]), names(["a.jsonl", "a.json"])
    (['big', 'small'], ['a/out', 'b/out'], ['a.jsonl', 'a.json'])
    """
    whole = [Path(path).parts for path in paths]
    for parts in ([(*one[:-1], Path(one[-1]).stem) for one in whole if one], whole):
        for length in range(1, max(map(len, parts), default=0) + 1):
            found = ["/".join(one[-length:]) for one in parts]
            if len(set(found)) == len(paths):
                return found
    twice = next(path for path, one in zip(paths, whole, strict=True) if whole.count(one) > 1)
    raise RccaError(f"{twice}: given twice")


def run(path: str, name: str) -> Run:
    """One file of judged and counted records; only the counts are held."""
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    versions: dict[str, frozenset[str]] = defaultdict(frozenset)
    judges: list[Json] = []
    answers, has_apps = 0, True
    for line in jsonl.read([path]):
        task, version, counts = counted(line)
        answers, has_apps = answers + 1, has_apps and "group" in line.record
        versions[task] |= {version}
        for metric in METRICS:
            if isinstance(counts.get(metric), bool | int | float):
                values[metric][task].append(float(counts[metric]))
        judge = counts.get("judge")
        if judge and judge not in judges:
            judges.append(judge)
    if not answers:
        raise RccaError(f"{path}: no records")
    return Run(name, path, values, answers, frozenset(versions), versions, tuple(judges), has_apps)


def counted(line: Line) -> tuple[str, str, Json]:
    """The task of a record, which version of it, and what the benchmark counted."""
    record = line.record
    if isinstance(counts := record.get("bench"), dict) and "group" in record:
        task = record.get("task") or {}
        return str(record["group"]), version(task), counts
    if isinstance(counts := record.get("artifacts"), dict) and "index" in record:
        told = [record.get(name) for name in ("question", "checklist")]
        judge = {name: counts.get(name) for name in MATTERS} | {"model": counts.get("judge"), "config": None}
        return f"artifacts:{record['index']}", seeds.digest(told), counts | {"judge": judge}
    raise line.error("bench: missing (compare the outputs of `rcca bench miniapp` or `rcca bench artifacts`)")


def version(task: Json) -> str:
    """The digest of what was asked, and of what it is judged by.

    A judge model's record has no checks in it; where the task has a digest of its own, that knows them.
    """
    rubric = [item | {"check": None} if task.get("config") else item for item in task.get("rubric") or ()]
    return seeds.digest([task.get("config"), task.get("prompt"), rubric])


def metrics(runs: Sequence[Run]) -> list[str]:
    """Those that every run has."""
    return [metric for metric in METRICS if all(one.values.get(metric) for one in runs)]


def check(runs: Sequence[Run], force: bool) -> list[str]:
    """What makes the runs differ beside the models. RccaError with it unless `force`, or if they share no task."""
    if not frozenset.intersection(*(one.tasks for one in runs)):
        raise RccaError("the runs have no task in common")
    found = [*judged_otherwise(runs), *other_tasks(runs)]
    if found and not force:
        raise RccaError(f"{found[0]}: not comparable (--force compares all the same)")
    return found


def judged_otherwise(runs: Sequence[Run]) -> Iterator[str]:
    """In what the judges of the runs differ."""
    judges = [(one.name, judge) for one in runs for judge in one.judges]
    for part in MATTERS:
        # Null where the judge had no need of it: an answer without a page was opened in no browser.
        told = {str(judge[part]): name for name, judge in reversed(judges) if judge.get(part) is not None}
        if len(told) > 1:
            yield f"judged otherwise, {part}: " + ", ".join(f"{name} {value}" for value, name in reversed(told.items()))


def other_tasks(runs: Sequence[Run]) -> Iterator[str]:
    """Tasks of one name that are not the same."""
    for first, other in combinations(runs, 2):
        both = sorted(first.tasks & other.tasks)
        changed = [task for task in both if len(first.versions[task] | other.versions[task]) > 1]
        if changed:
            yield f"{listed(changed)} not the same in {first.name} and {other.name}"
