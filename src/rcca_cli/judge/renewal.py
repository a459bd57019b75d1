"""Records judged by rubrics that were mended since: each gets its task's new rubric, and loses what it changes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from rcca_cli import console, jsonl, records
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

Rubric = list[dict[str, Any]]


def read(path: str) -> dict[str, Rubric]:
    """The rubrics of the tasks in a file, by group. RecordError for a line that is no task."""
    tasks = [records.need(line, "task") for line in jsonl.read([path])]
    return {task["group"]: task["task"]["rubric"] for task in tasks}


def renewed(lines: Iterable[Line], rubrics: dict[str, Rubric]) -> Iterator[Line]:
    """The records, those of a group in `rubrics` with its rubric; the others, counted aloud, as they are.

    RccaError, after the last, if no record is of any of these groups.
    """
    total = others = 0
    for line in lines:
        total += 1
        rubric = rubrics.get(line.record.get("group", ""))
        others += rubric is None
        yield line if rubric is None else replace(line, record=_with(line, rubric))
    if total and others == total:
        raise RccaError("--tasks: no record has the group of a task in it")
    if others:
        console.note(f"--tasks: {others} of {total} records have the group of no task in it and keep their rubric")


def _with(line: Line, rubric: Rubric) -> dict[str, Any]:
    """The record with this rubric. Of its verdicts those stay whose item is as it was; `--rejudge` judges the rest."""
    record = records.need(line, "task", *(["judge"] if line.record.get("judge") is not None else []))
    before = {item["id"]: item for item in record["task"]["rubric"]}
    new = record | {"task": record["task"] | {"rubric": rubric}}
    if record.get("judge") is None:
        return new
    rows = {row["rubric"]: row for row in record["judge"]["verdicts"]}
    names = [item["id"] for item in rubric if item == before.get(item["id"]) and item["id"] in rows]
    return new | {"judge": record["judge"] | {"verdicts": [rows[name] for name in names]}}
