"""What there is to do: the tasks, and the answers to judge or the tasks to answer; and what is done of it already."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli import jsonl, resume
from rcca_cli.bench.miniapp import answers, own, sampling, tasks
from rcca_cli.bench.miniapp.figures import EMBEDDED
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

Record = dict[str, Any]
OWN = "embedded:"  # what names answers of the suite's own


@dataclass(frozen=True)
class Asked:
    """The tasks: `every` there is, and those that were `chosen`."""

    every: list[Record]
    chosen: list[Record]


def wanted(options: Options) -> Asked:
    """The tasks that are to be answered; RccaError if the judge could judge none of them."""
    every = tasks.read(options.tasks)
    chosen = options.choice.of_tasks(every)
    if (options.answers or "").startswith(OWN):
        if options.tasks is not None:
            raise RccaError(f"--answers {options.answers}: they answer the embedded suite (leave --tasks out)")
        named = set(own.chosen((options.answers or "").removeprefix(OWN)))
        chosen = [task for task in chosen if task["group"] in named]
    open_, items = tasks.unchecked(chosen)
    if options.judge == "checks" and open_ == items:
        cure = "--judge model with --judge-model NAME, or write checks once: rcca synth --compile, docs/bench.md"
        raise RccaError(f"--judge checks: none of the {items} items has a check ({cure})")
    return Asked(every, chosen)


def unit(options: Options) -> resume.Unit:
    """What is done as a whole: an answer of a file, a window of answers of a model."""
    if options.answers is not None:
        return resume.Unit()
    return resume.Unit("group", options.samples, sampling.rollout_options(options).window)


def total(asked: Asked, options: Options) -> int | None:
    """How many answers there are to judge; None if nobody knows: what comes through a pipe can be read once."""
    if options.answers is None:
        return len(asked.chosen) * options.samples
    if options.answers.startswith(OWN) or os.path.isfile(options.answers) or os.path.isdir(options.answers):
        return sum(1 for _ in finished(asked, options))
    return None


def given(asked: Asked, options: Options) -> Iterator[Line]:
    """What there is to do, a line a unit: answers to judge, or tasks to answer."""
    if options.answers is not None:
        return finished(asked, options)
    return (Line(task, options.tasks or EMBEDDED, number) for number, task in enumerate(asked.chosen, 1))


def finished(asked: Asked, options: Options) -> Iterator[Line]:
    """The answers of a file or folder, or of the suite's own, to the chosen tasks."""
    place = options.answers or ""
    if place.startswith(OWN):
        groups = {task["group"] for task in asked.chosen}
        made = (one for one in own.answers(place.removeprefix(OWN)) if one["group"] in groups)
        return (Line(record, place, number) for number, record in enumerate(made, 1))
    return answers.joined(answers.read(place), asked.every, asked.chosen)


def earlier(place: str, left: Iterator[Line], options: Options) -> Iterator[Record]:
    """The records that an earlier call left in a file; takes of what is `left` to do what they are of.

    RecordError for one that is of another task or answer than is given now.
    """
    size = unit(options).size or 1
    asked: Line | None = None
    for number, line in enumerate(jsonl.read([place])):
        asked = next(left, None) if number % size == 0 else asked
        if asked is None or identity(asked.record, options) != identity(line.record, options):
            raise line.error("of another task or answer than there is now (give the same ones, or remove the file)")
        yield line.record


def identity(record: Record, options: Options) -> tuple[Any, ...]:
    """What must be the same of a record that is counted again: its task, and an answer that was given."""
    task = (record["group"], record["task"].get("config"))
    if options.answers is None:
        return task
    rollout = record["rollout"]
    return (*task, record["id"], None if rollout is None else record.get("original") or rollout["text"])
