"""Proof of a check: it passes on every app that is known to meet the requirement and fails on every other one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import records
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.judge.court import Court
from rcca_cli.verify.plan import EMPTY, descendants


@dataclass(frozen=True)
class Example:
    """An answer to the task, and for each item whether it is known to be met (True) or not (False)."""

    text: str
    labels: Mapping[str, bool]
    name: str  # in messages


def labels(record: Mapping[str, Any], items: Sequence[str]) -> dict[str, bool]:
    """What a record says of its own app: by its `truth`, else by the verdicts that it has.

    >>> rubric = [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}, {"id": "c", "parents": []}]
    >>> labels({"task": {"rubric": rubric}, "truth": [{"rubric": "a"}]}, ["a", "b", "c"])
    {'a': False, 'c': True}
    """
    truth = record.get("truth")
    if truth is not None:
        broken = {fault["rubric"] for fault in truth}
        unclear = {one for name in broken for one in descendants(record["task"]["rubric"], name)} - broken
        return {name: name not in broken for name in items if name not in unclear}
    verdicts = (record.get("judge") or {}).get("verdicts") or ()
    return {one["rubric"]: one["passed"] for one in verdicts if one["rubric"] in items and one["passed"] is not None}


def empty(items: Sequence[str]) -> Example:
    """A page with nothing but a title, which meets nothing."""
    return Example(EMPTY.replace("$title", "App"), dict.fromkeys(items, False), "the empty page")


def proved(
    court: Court, task: Mapping[str, Any], written: Mapping[str, str], examples: Sequence[Example]
) -> dict[str, str | None]:
    """For each item with a check: None if the examples prove it, else why not."""
    problems: dict[str, str | None] = dict.fromkeys(written)
    meets: dict[str, int] = dict.fromkeys(written, 0)
    for example in examples:
        wanted = [name for name in written if name in example.labels and problems[name] is None]
        for name, verdict in judged(court, task, {one: written[one] for one in wanted}, example).items():
            meets[name] += example.labels[name]
            problems[name] = _problem(verdict, example.labels[name], example.name)
    return {
        name: problem or (None if meets[name] else "no app is known that meets the requirement")
        for name, problem in problems.items()
    }


def _problem(verdict: Mapping[str, Any], met: bool, name: str) -> str | None:
    if verdict["passed"] is None:
        return f"its verdict on {name} is not known: {verdict['error']}"
    if verdict["passed"] is met:
        return None
    return (
        f"it fails {name}, which meets the requirement: {verdict['diagnosis']}"
        if met
        else (f"it passes {name}, which does not meet the requirement")
    )


def judged(
    court: Court, task: Mapping[str, Any], written: Mapping[str, str | None], example: Example
) -> dict[str, dict[str, Any]]:
    """The verdict on each of the items by these checks; one that is null is left to the court's model."""
    rubric = [
        item | {"check": written[item["id"]], "parents": []} for item in task["task"]["rubric"] if item["id"] in written
    ]
    name = str(task["id"])
    record = {"schema": records.SCHEMA, "id": f"{name}/proof", "group": name, "task": task["task"] | {"rubric": rubric}}
    record["rollout"] = records.text_only(example.text, "stop")
    found = judge.judged(Line(record, example.name, 1), court)["judge"]["verdicts"] if rubric else []
    return {verdict["rubric"]: verdict for verdict in found}
