"""Two abbreviations in the suite's own checks, spelt out before anybody reads them: targets and moves by name.

`"button: Add"` is the target of this role and name, `"field: Bill"` the box with this label or placeholder, any other
string one of the task's `targets`. A string among the steps is the list of that name in the task's `moves`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rcca_cli.checks.targets import ROLES, WAYS

AIMS = frozenset(["target", "to", "within"])


def spelt_out(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The task's rubric, each check a string in the plain check language; one that is none, or a string, is as it was.

    ValueError for a name that means nothing.
    """
    return [_spelt_out(task, item) if isinstance(item["check"], dict) else item for item in task["rubric"]]


def _spelt_out(task: Mapping[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    return item | {"check": json.dumps(check(task, item["check"]), ensure_ascii=False)}


def check(task: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    """One check without abbreviations."""
    named = task.get("targets", {})
    return {**written, "steps": [_aimed(step, named) for step in _steps(written["steps"], task.get("moves", {}))]}


def target(written: str, named: Mapping[str, Any]) -> Any:
    """What a string in the place of a target stands for.

    >>> target("button: Add", {}), target("field: Bill", {})
    ({'role': 'button', 'name': 'Add'}, [{'label': 'Bill'}, {'placeholder': 'Bill'}])
    """
    if written in named:
        return _aimed(named[written], named)
    way, colon, name = written.partition(": ")
    if colon and way == "field":
        return [{"label": name}, {"placeholder": name}]
    if colon and way in ROLES:
        return {"role": way, "name": name}
    if colon and way in WAYS:
        return {way: name}
    raise ValueError(f"no target {written!r} (there are: {', '.join(named) or 'none'})")


def _steps(written: list[Any], moves: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for step in written:
        if isinstance(step, str) and step not in moves:
            raise ValueError(f"no moves {step!r} (there are: {', '.join(moves) or 'none'})")
        yield from _steps(moves[step], moves) if isinstance(step, str) else [step]


def _aimed(value: Any, named: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_aimed(one, named) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: target(one, named) if key in AIMS and isinstance(one, str) else _aimed(one, named)
        for key, one in value.items()
    }
