"""Answers to the embedded tasks of which it is known what the judge must find: `--answers embedded:KIND[:NAME,…]`.

They are no model's work. They show that the checks pass what is good, whoever wrote it, fail what is broken, at the
place where it is broken, and give nothing to a page that only looks the part.
"""

import html
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rcca_cli import records
from rcca_cli.bench.miniapp import load
from rcca_cli.bench.miniapp.dead import dead
from rcca_cli.errors import RccaError

Record = dict[str, Any]
ANSWER = "Here it is.\n\n```html\n{}```\n"
STUB = "<!DOCTYPE html>\n<html><head><title>{0}</title></head><body><h1>{0}</h1>{1}</body></html>\n"


def answers(wanted: str) -> Iterator[Record]:
    """The answers called KIND or KIND:NAME,NAME; RccaError, before the first, for names that are not known."""
    kind = wanted.partition(":")[0]
    tasks = {task["group"]: task for task in load.tasks()}
    groups = chosen(wanted)
    return (answer for group in groups for answer in KINDS[kind](group.removeprefix(load.PREFIX), tasks[group]))


def chosen(wanted: str) -> list[str]:
    """The tasks (their `group`) that KIND or KIND:NAME,NAME answers; RccaError for names that are not known."""
    kind, _, listed = wanted.partition(":")
    if kind not in KINDS:
        raise RccaError(f"--answers embedded:{kind}: there are {', '.join(KINDS)}")
    names = listed.split(",") if listed else load.names()
    for name in names:
        if name not in load.names():
            raise RccaError(f"--answers embedded:{kind}:{name}: no such task (there are: {', '.join(load.names())})")
    return [load.PREFIX + name for name in names]


def references(name: str, task: Record) -> Iterator[Record]:
    """The reference app: everything passes."""
    yield answer(task, "reference", load.page(name, "reference"))


def seconds(name: str, task: Record) -> Iterator[Record]:
    """The second app, built otherwise: everything passes too, or a check depends on how the first was built."""
    yield answer(task, "second", load.page(name, "second"))


def bugs(name: str, task: Record) -> Iterator[Record]:
    """The reference with one fault at a known place: its item fails, and nothing else but what rests on that item.

    `truth` says where the fault is. Of code that was left out it is the empty span between its neighbours.
    """
    good, count = load.page(name, "reference"), Counter[str]()
    for bug in load.bugs(name):
        place = good.index(bug.find)
        count[bug.rubric] += 1
        broken = good.replace(bug.find, bug.replace, 1)
        start = ANSWER.index("{}") + place
        truth = {"rubric": bug.rubric, "start": start, "end": start + len(bug.replace), "failure": bug.failure}
        made = answer(task, f"{bug.rubric}-{count[bug.rubric]}", broken, [bug.rubric], resting(task, bug.rubric))
        yield made | {"truth": [truth]}


def stubs(name: str, task: Record) -> Iterator[Record]:
    """Two pages without an app, one with a title, one that repeats the request: everything fails."""
    every = [item["id"] for item in task["task"]["rubric"]]
    title = name.replace("-", " ").capitalize()
    request = f"<p>{html.escape(task['task']['prompt'][0]['content'])}</p>"
    yield answer(task, "stub-title", STUB.format(title, ""), every)
    yield answer(task, "stub-request", STUB.format(title, request), every)


def clones(name: str, task: Record) -> Iterator[Record]:
    """The reference with its looks and nothing behind them: every interaction fails; what is there from the start
    may pass."""
    rubric = task["task"]["rubric"]
    fails, may = ([item["id"] for item in rubric if item["kind"] == kind] for kind in ("interaction", "initial"))
    yield answer(task, "clone", dead(load.page(name, "reference")), fails, may)


def everything(name: str, task: Record) -> Iterator[Record]:
    """All of these."""
    for kind in (references, seconds, bugs, stubs, clones):
        yield from kind(name, task)


KINDS: dict[str, Callable[[str, Record], Iterator[Record]]] = {
    "references": references,
    "second": seconds,
    "bugs": bugs,
    "stubs": stubs,
    "clones": clones,
    "all": everything,
}


def answer(task: Record, name: str, page: str, fails: Sequence[str] = (), may_fail: Sequence[str] = ()) -> Record:
    """A record with this page as its answer; `expected` says which items fail, and which others may."""
    rollout = records.text_only(ANSWER.format(page), "stop", f"embedded:{name}")
    expected = {"fails": list(fails), "may_fail": list(may_fail)}
    return task | {"id": f"{task['group']}/{name}", "rollout": rollout, "expected": expected}


def resting(task: Record, item: str) -> list[str]:
    """The items that have this one as a parent, or as a parent's parent."""
    found = {item}
    for other in task["task"]["rubric"]:  # parents come first
        if found & set(other["parents"]):
            found.add(other["id"])
    return [other["id"] for other in task["task"]["rubric"] if other["id"] in found - {item}]
