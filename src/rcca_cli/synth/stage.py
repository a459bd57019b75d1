"""Stage `synth`: a stream of tasks, or of finished solutions with known bugs."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rcca_cli import filter, jsonl, records, resume, seeds
from rcca_cli.checks import rubric as rubrics
from rcca_cli.errors import RccaError
from rcca_cli.synth import app

Solutions = Literal["none", "references", "bugs", "all"]


@dataclass(frozen=True)
class Options:
    """What the stream is made of; `count` only says where it stops, so it does not change a record."""

    seed: int = 0
    count: int = 8
    families: tuple[str, ...] = ()
    solutions: Solutions = "none"

    def config(self) -> str:
        """The digest that records of this stream carry."""
        return seeds.digest({"seed": self.seed, "families": self.families, "solutions": self.solutions})


def run(options: Options, start: int = 0) -> Iterator[dict[str, Any]]:
    """The records of tasks `start` to `count` - 1: one each, or each solution asked for (a group a task)."""
    for index in range(start, options.count):
        made = app.make(options.seed, index, options.families)
        task = made.task() | {"config": options.config()}
        if options.solutions == "none":
            yield {"schema": records.SCHEMA, "id": made.id, "group": made.id, "task": task}
        else:
            yield from solved(made, task, options.solutions)


def solved(made: app.App, task: dict[str, Any], solutions: Solutions) -> Iterator[dict[str, Any]]:
    """Complete records of one app: number 0 is its reference, each other one has a single bug."""
    wanted = {"references": [()], "bugs": [], "all": [()]}[solutions]
    faults = [] if solutions == "references" else [(fault,) for fault in made.faults()]
    for number, broken in enumerate([*wanted, *faults], 0 if wanted else 1):
        yield solution(made, task, number, made.render(broken))


def solution(made: app.App, task: dict[str, Any], number: int, rendered: app.Rendered) -> dict[str, Any]:
    """A record whose answer was made by the generator: known as text only."""
    return {
        "schema": records.SCHEMA,
        "id": f"{made.id}/{number}",
        "group": made.id,
        "task": task,
        "rollout": records.text_only(rendered.text, "stop", "synth:bug" if rendered.truth else "synth:reference"),
        "truth": rendered.truth,
    }


def write(options: Options, files: Sequence[str], output: str, resumed: bool) -> None:
    """The whole command: tasks in `files` as they are, then the stream, into `output`."""
    alone = options.solutions == "none"
    unit = resume.Unit("group", 1 if alone else None)
    config, tasks = options.config(), options.count if alone else None
    plan = filter.Plan("task", config, output=output, resume=resumed, unit=unit, expected=lambda: tasks)
    if files:
        filter.write_all(plan, (line.record for line in seeded(jsonl.read(files))))
        return
    with filter.alone(output):
        whole = filter.finished(plan)
        if whole is not None and len(whole) != options.count:
            raise RccaError(f"{output}: finished, with {len(whole)} tasks (remove it, or write another)")
        if whole is not None:
            filter.say_finished(plan)
            return
        done = filter.unfinished(plan)
        filter.write(plan, run(options, len(done)), append=bool(done))


def seeded(lines: Iterable[jsonl.Line]) -> Iterator[jsonl.Line]:
    """Tasks written by hand as records: each gets the id of its content if it has none, and checks that are strings."""
    for line in lines:
        task = strung(line.record.get("task"))
        name = "t" + seeds.digest(task, 6)
        named = {"schema": records.SCHEMA, "id": name, "group": name} | line.record | {"task": task}
        if "task" not in line.record:
            raise line.error("missing 'task' (docs/own.md shows one)")
        record = records.need(jsonl.Line(named, line.file, line.number), "task")
        for problem in rubrics.problems(record["task"]["rubric"]):
            raise line.error(f"task.rubric.{problem}")
        yield jsonl.Line(record, line.file, line.number)


def strung(task: Any) -> Any:
    """The task with each check that is written as an object made the string that the record has for it."""
    rubric = task.get("rubric") if isinstance(task, dict) else None
    if not isinstance(rubric, list):
        return task  # which is refused with its place
    return task | {"rubric": [_strung(item) for item in rubric]}


def _strung(item: Any) -> Any:
    if not isinstance(item, dict) or not isinstance(item.get("check"), dict):
        return item
    return item | {"check": json.dumps(item["check"], ensure_ascii=False)}
