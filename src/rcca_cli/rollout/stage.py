"""The stage: tasks in, groups of answers out, in the order of the input."""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli import console, records, seeds
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.rollout.backend import BACKENDS, Backend, Missing, ask, opened
from rcca_cli.rollout.options import Options

__all__ = ["BACKENDS", "Options", "open_backend", "run"]


def open_backend(options: Options, policy: Any = None) -> Backend:
    """What `run` samples from; kept open by a caller that samples again and again (`policy`: a loaded model)."""
    return opened(options, policy)


def run(lines: Iterable[Line], options: Options, backend: Backend | None = None) -> Iterator[dict[str, Any]]:
    """`group_size` records for each task, adjacent, with ids TASK/0, TASK/1 …

    A record leaves once its group is answered, and those before it. An answer that could not be had is a record whose
    `rollout` is null, with the reason in `error`; ItemsFailed, with the count, comes after the last record.
    """
    backend = backend or open_backend(options)
    config = seeds.config_digest(options)
    missing = total = 0
    for one, answers in backend.sample(ask(checked(line), options) for line in lines):
        for index, answer in enumerate(answers):
            total += 1
            if isinstance(answer, Missing):
                missing += 1
                console.note(f"rcca rollout: {one.group}/{index}: {answer.reason}")
            yield record(one.line, index, answer, config)
    if missing:
        raise ItemsFailed(f"{missing} of {total} answers could not be had (their rollout is null, with an error)")


def checked(line: Line) -> Line:
    """The line, once it is sure to hold a task; a task without a group is a group of its own."""
    task = (
        line if "group" in line.record else Line(line.record | {"group": line.record.get("id")}, line.file, line.number)
    )
    records.need(task, "task")
    if not task.record["task"]["prompt"]:
        raise line.error("task.prompt: empty")
    return task


def record(line: Line, index: int, answer: dict[str, Any] | Missing, config: str) -> dict[str, Any]:
    """The task's record with answer number `index`; what later stages said about another answer is gone."""
    kept = {key: value for key, value in line.record.items() if key not in ("judge", "align", "truth", "error")}
    own = {"id": f"{line.record['group']}/{index}", "group": line.record["group"]}
    if isinstance(answer, Missing):
        return kept | own | {"rollout": None, "error": answer.reason}
    return kept | own | {"rollout": answer | {"config": config}}
