"""Which tasks are asked: the embedded suite or those of a file, and of these the ones that were chosen."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import records
from rcca_cli.bench import rows
from rcca_cli.bench.miniapp import load, theirs
from rcca_cli.checks import rubric as rubrics
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

Task = dict[str, Any]


@dataclass(frozen=True)
class Choice:
    """`numbers` are inclusive ranges of the tasks' index, `limit` is the most that are taken, in their order."""

    numbers: tuple[tuple[int, int], ...] = ()
    classes: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    limit: int | None = None

    @classmethod
    def of(cls, index: str, classes: Sequence[str], levels: Sequence[str], limit: int | None) -> "Choice":
        """From the words of a command line; RccaError for numbers that are none."""
        known = tuple(theirs.level(name) for name in levels)
        return cls(tuple(ranges(index)), tuple(name.lower() for name in classes), known, limit)

    def of_tasks(self, tasks: Sequence[Task]) -> list[Task]:
        """The chosen ones; RccaError if there are none."""
        found = [task for task in tasks if self._takes(task["task"])][: self.limit]
        if not found:
            raise RccaError(f"none of the {len(tasks)} tasks is chosen (--index, --class, --level)")
        return found

    def _takes(self, task: Task) -> bool:
        return (
            (not self.numbers or any(first <= task["index"] <= last for first, last in self.numbers))
            and (not self.classes or task["class"].lower() in self.classes)
            and (not self.levels or task["level"] in self.levels)
        )


def ranges(text: str) -> Iterator[tuple[int, int]]:
    """The numbers in "3,5-9".

    >>> list(ranges("3, 5-9")), list(ranges(""))
    ([(3, 3), (5, 9)], [])
    """
    for part in filter(None, text.replace(" ", "").split(",")):
        found = re.fullmatch(r"(\d{1,15})(?:-(\d{1,15}))?", part, re.A)
        if not found:
            raise RccaError(f"--index {text[:80]}: expected numbers and ranges, as in 3,5-9")
        yield int(found[1]), int(found[2] or found[1])


def read(path: str | None) -> list[Task]:
    """The tasks of a file, in its order; of the embedded suite without one. RecordError, with the place, for bad ones.

    A row is MiniAppBench's, or a record of ours (`--write-tasks`, `rcca synth --compile`).
    """
    if path is None:
        return load.tasks()
    found: dict[str, Task] = {}
    numbers: set[int] = set()
    for number, line in enumerate(rows.read(path), 1):
        task = _ours(line, number) if "task" in line.record else theirs.record(line, number)
        records.need(Line(task, line.file, line.number), "task")
        for problem in rubrics.problems(task["task"]["rubric"]):
            raise line.error(f"task.rubric.{problem}")
        if task["group"] in found or task["task"]["index"] in numbers:
            raise line.error(f"the task {task['group']} (index {task['task']['index']}) is there twice")
        numbers.add(task["task"]["index"])
        found[task["group"]] = task
    if not found:
        raise RccaError(f"{path}: no tasks in it")
    return list(found.values())


def _ours(line: Line, number: int) -> Task:
    """A record with all that is counted by; what a benchmark's task has and another lacks is not known."""
    given = line.record
    named = given | {"group": given.get("group", given.get("id")), "schema": given.get("schema", records.SCHEMA)}
    record = records.need(Line(named, line.file, line.number), "task")
    task = record["task"]
    facts = {
        "class": task.get("class") or theirs.UNKNOWN,
        "subclass": task.get("subclass") or theirs.UNKNOWN,
        "level": theirs.level(task.get("level")),
        "index": number if (told := theirs.whole_number(task.get("index"))) is None else told,
    }
    return {key: record[key] for key in ("schema", "id", "group")} | {"task": task | facts}


def unchecked(tasks: Collection[Task]) -> tuple[int, int]:
    """How many items of these tasks have no check, and how many items there are."""
    items = [item for task in tasks for item in task["task"]["rubric"]]
    return sum(item["check"] is None for item in items), len(items)
