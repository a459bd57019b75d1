"""Records that `rcca judge` has judged already, each put beside its task: only to be counted."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rcca_cli import records
from rcca_cli.bench.miniapp import answers
from rcca_cli.jsonl import Line

Task = dict[str, Any]


def joined(lines: Iterable[Line], tasks: Sequence[Task], chosen: Sequence[Task]) -> Iterator[Line]:
    """The records of the `chosen` tasks, in their order, with the task as it is here; those of one task are numbered.

    RecordError for a record of none of `tasks`, one without a judgement, or one that was judged by other items.
    """
    for line, task in answers.beside(lines, tasks, chosen, "of"):
        yield Line(task | judgement(line, task), line.file, line.number)


def judgement(line: Line, task: Task) -> dict[str, Any]:
    """What is kept of a record: the answer and how it was judged, or why there is none."""
    given = line.record
    if given.get("rollout", "missing") is None and given.get("judge") is None:
        return {"rollout": None, "judge": None, "error": str(given.get("error") or "there is no answer")}
    records.need(line, "rollout", "judge")
    names = [verdict["rubric"] for verdict in given["judge"]["verdicts"]]
    if names != [item["id"] for item in task["task"]["rubric"]]:
        raise line.error("judge.verdicts: not of the items of its task here (--tasks FILE: the tasks it was judged by)")
    return {"rollout": given["rollout"], "judge": given["judge"]}


def kind(record: dict[str, Any]) -> str:
    """Who judged, as far as the record tells: checks, or checks and where there are none a model."""
    return "both" if ((record.get("judge") or {}).get("environment") or {}).get("model") else "checks"
