"""Finished answers from JSONL, each put beside the benchmark's task that it answers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli import records
from rcca_cli.jsonl import Line
from rcca_cli.rollout import replay


def read(lines: Iterable[Line], tasks: list[dict[str, Any]]) -> Iterator[Line]:
    """A record for each answer, in their order; the answers of one task are numbered as they come.

    A line is a record of `rcca rollout` (an answer that could not be had stays null, with the reason), or
    `{"id" | "task" | "index": …, "text" | "answer": …}`, where the task is named (`projectile`, `miniapp:projectile`)
    or numbered. RecordError for any other.
    """
    by_name = names(tasks)
    seen: Counter[str] = Counter()
    for line in lines:
        task = by_name.get(name(line.record))
        if task is None:
            raise line.error(f"not an answer to a task of this benchmark: {name(line.record)!r}")
        sample = seen[task["group"]]
        seen[task["group"]] += 1
        record = task | {"id": f"{task['group']}/{sample}", "rollout": rollout(line)}
        if record["rollout"] is None:
            record["error"] = str(line.record.get("error") or "there is no answer")
        yield Line(record, line.file, line.number)


def names(tasks: list[dict[str, Any]]) -> dict[str | int, dict[str, Any]]:
    """Every way to name a task: its id, its id without the benchmark's prefix, its number."""
    found: dict[str | int, dict[str, Any]] = {}
    for task in tasks:
        full = task["group"]
        found |= {
            full: task,
            full.partition(":")[2]: task,
            task["task"]["index"]: task,
            str(task["task"]["index"]): task,
        }
    return found


def name(record: dict[str, Any]) -> str | int:
    """Which task the line says that it answers; "" if it does not say."""
    for key in ("group", "task", "index", "id"):
        value = record.get(key)
        if isinstance(value, str):
            return value.partition("/")[0]
        if isinstance(value, int):
            return value
    return ""


def rollout(line: Line) -> dict[str, Any] | None:
    """The value of `rollout`: as it is in a record, or of an answer known as text only."""
    given = replay.answer(line)
    if given is None or "rollout" in line.record:
        return given and records.text_only("") | given
    known = {key: given[key] for key in ("finish_reason", "model") if isinstance(given.get(key), str)}
    return records.text_only(given["text"], known.get("finish_reason"), known.get("model"))
