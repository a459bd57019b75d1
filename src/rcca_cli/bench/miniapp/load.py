"""The embedded tasks as records: a folder each in `suite/`, found by being there (docs/suite.md).

`task.json` holds MiniAppBench's six fields and our rubric beside them, `reference.html` and `second.html` two good
apps by different hands, `bugs.json` what breaks the first one.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rcca_cli import seeds
from rcca_cli.bench.miniapp import contract, shorthand
from rcca_cli.records import SCHEMA

PREFIX = "miniapp:"


@dataclass(frozen=True)
class Bug:
    """A fault of the reference: `find`, which stands there once, becomes `replace`, and `rubric` fails by `failure`."""

    rubric: str
    failure: str
    find: str
    replace: str


def tasks() -> list[dict[str, Any]]:
    """A record for each task, in the order of their `index`."""
    return [record(name, task) for name, task in _files()]


def names() -> list[str]:
    """What the tasks are called, in the same order."""
    return [name for name, _ in _files()]


def page(name: str, which: str) -> str:
    """The good app `which` (reference or second) of a task."""
    return _text(name, f"{which}.html")


def bugs(name: str) -> list[Bug]:
    """The known faults of a task's reference."""
    return [Bug(**one) for one in json.loads(_text(name, "bugs.json"))]


def record(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """The record of the task in `suite/NAME/`; its id says where it comes from, `config` which version it is."""
    return {
        "schema": SCHEMA,
        "id": PREFIX + name,
        "group": PREFIX + name,
        "task": {
            "prompt": contract.prompt(task["query"]),
            "class": task["class"],
            "subclass": task["subclass"],
            "level": task["level"],
            "index": task["index"],
            "source": PREFIX + name,
            "rubric": shorthand.spelt_out(task),
            "config": seeds.digest(task),
        },
    }


@cache
def _files() -> list[tuple[str, dict[str, Any]]]:
    found = [(folder.name, json.loads(_text(folder.name, "task.json"))) for folder in _suite().iterdir()]
    return sorted(found, key=lambda pair: pair[1]["index"])


def _text(name: str, file: str) -> str:
    return _suite().joinpath(name, file).read_text(encoding="utf-8")


def _suite() -> Any:
    return resources.files(__package__).joinpath("suite")
