"""Which solutions are judged to prove the generator right, and what each verdict must be."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli import seeds
from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES
from rcca_cli.synth.stage import solution

EMPTY = """\
```html
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>$title</title></head>
<body><h1>$title</h1></body>
</html>
```"""


@dataclass(frozen=True)
class Known:
    """A record to judge, and the answer: `broken` is the item its one bug breaks; kind reference | bug | empty."""

    record: dict[str, Any]
    kind: str
    place: str  # what to call it in a message
    broken: str | None


def apps(seed: int, count: int, families: tuple[str, ...] = ()) -> Iterator[app.App]:
    """`count` apps that take the families in turn: first each alone, then with changing partners.

    As many apps as there are families hold every family and every bug.
    """
    names = sorted(families or FAMILIES)
    for index in range(count):
        rng = seeds.generator("verify", seed, index)
        turn, place = divmod(index, len(names))
        first = FAMILIES[names[place]].make(rng)
        second = FAMILIES[names[(place + turn) % len(names)]].make(rng)
        fits = turn and first.family != second.family and len(first.items) + len(second.items) <= app.MOST_ITEMS
        yield app.compose((first, second) if fits else (first,), rng, place=(seed, index))


def solutions(made: app.App, config: str) -> Iterator[Known]:
    """The reference of `made`, each of its bugs alone, and a page with nothing but its title."""
    task = made.task() | {"config": config}
    faults = made.faults()
    reference = solution(made, task, 0, made.render())
    yield Known(reference, "reference", f"{made.id} {task['source']} reference", None)
    for number, fault in enumerate(faults, 1):
        record = solution(made, task, number, made.render([fault]))
        place = f"{made.id} {fault.rubric}: {fault.slot} bug {fault.index} ({fault.failure})"
        yield Known(record, "bug", place, fault.rubric)
    empty = app.Rendered(EMPTY.replace("$title", made.title), [])
    record = solution(made, task, len(faults) + 1, empty)
    record["rollout"]["model"] = "synth:empty"
    yield Known(record, "empty", f"{made.id} {task['source']} empty page", None)


def problem(known: Known, judged: dict[str, Any]) -> str | None:
    """What is wrong with the verdicts on a known solution, in words; None if all is right."""
    passed = {verdict["rubric"]: verdict["passed"] for verdict in judged["judge"]["verdicts"]}
    unknown = [name for name, value in passed.items() if value is None]
    if unknown:
        return f"not known: {', '.join(unknown)}"
    if known.kind == "empty":
        kept = [name for name, value in passed.items() if value]
        return f"passes {', '.join(kept)}" if kept else None
    if judged["judge"]["level"] != "functional":
        return f"stopped at the level {judged['judge']['level']}"
    failed = {name for name, value in passed.items() if not value}
    allowed = {known.broken} | descendants(judged["task"]["rubric"], known.broken) if known.broken else set()
    if failed - allowed:
        return f"fails {', '.join(sorted(failed - allowed))}"
    return f"passes {known.broken}" if known.broken and known.broken not in failed else None


def descendants(rubric: list[dict[str, Any]], item: str) -> set[str]:
    """The items that rest on `item`, directly or not.

    >>> rubric = [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}, {"id": "c", "parents": ["b"]}]
    >>> sorted(descendants(rubric, "a"))
    ['b', 'c']
    """
    found: set[str] = set()
    fresh = {item}
    while fresh:
        fresh = {other["id"] for other in rubric if fresh & set(other["parents"])} - found
        found |= fresh
    return found
