"""The embedded tasks as records. A file holds MiniAppBench's six fields and, beside them, our rubric."""

import json
from importlib import resources
from typing import Any

from rcca_cli import seeds
from rcca_cli.records import SCHEMA

# Ours; it asks for the form of the answer that MiniAppBench also asks for (one complete, self-contained page).
CONTRACT = (
    "Answer with one complete HTML document in a single ```html block. Put the CSS and the JavaScript into the "
    "document, and load nothing from the network."
)


def tasks() -> list[dict[str, Any]]:
    """A record for each task, in the order of their `index`."""
    folder = resources.files(__package__).joinpath("tasks")
    found = [
        (path.name.removesuffix(".json"), json.loads(path.read_text(encoding="utf-8"))) for path in folder.iterdir()
    ]
    return [record(name, task) for name, task in sorted(found, key=lambda pair: pair[1]["index"])]


def record(name: str, task: dict[str, Any]) -> dict[str, Any]:
    """The record of the task in `tasks/NAME.json`; its id says where it comes from, `config` which version it is."""
    return {
        "schema": SCHEMA,
        "id": f"miniapp:{name}",
        "group": f"miniapp:{name}",
        "task": {
            "prompt": [{"role": "user", "content": f"{task['query']}\n\n{CONTRACT}"}],
            "class": task["class"],
            "subclass": task["subclass"],
            "level": task["level"],
            "index": task["index"],
            "source": f"miniapp:{name}",
            "rubric": [item | {"check": json.dumps(item["check"], ensure_ascii=False)} for item in task["rubric"]],
            "config": seeds.digest(task),
        },
    }
