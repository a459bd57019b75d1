"""What an answer to a task of the generator is worth, read off its text: no browser, about a millisecond.

The page is read by the grammar of its own templates (grammar.py): which of its known texts stands in each place. What
that comes to before the judge was measured, not guessed: known.json holds, for each item, a decision over the places
that matter to it (`python recipes/oracle.py` makes it with the real judge). What was not seen often enough is not
decided, and the judge is asked (verdicts.py).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from rcca_cli.bench.credit import grammar
from rcca_cli.bench.credit.grammar import RIGHT, Page, Stands
from rcca_cli.judge import artifact, gates, verdicts
from rcca_cli.synth import app
from rcca_cli.synth.feature import Feature

# {"place", "is": states, "yes": node, "no": node}, or a leaf: what comes of it, null where that is not sure.
Node = Mapping[str, Any]
RUNTIME = "runtime"  # the gate, beside the items in known.json
SHARED = "page/"  # how the places begin that all features rest on


@dataclass(frozen=True)
class Found:
    """What stands in one place of the page. Places are code points of the answer, half-open."""

    slot: str  # "family/slot"
    item: str  # the rubric item that the place is of, "tip-shows"
    right: bool
    failure: str | None  # of what is wrong: exception, dead, silent, visual or absent
    start: int
    end: int  # equal to start, where the code would be, if it was left out


@dataclass(frozen=True)
class Outcome:
    """What the judge says of one item: `severity` and `failure` are as in `judge.verdicts`."""

    passed: bool
    severity: float = 1.0
    failure: str | None = None


@dataclass(frozen=True)
class Reading:
    """An answer as the judge would judge it.

    `level` is the first gate not passed, or functional. `outcomes` has every item of the rubric with the judge's own
    verdict on it, whatever its parents; on a page that never ran none passed. `found` is every place of the task's
    features, right and wrong; empty on a page that breaks the grammar. `causes` has for each item the places that
    decided it: all its own if it passed, its own wrong ones if it failed, or else those of other items that spoil it.
    `gate` is where a page that fails a gate leaves the grammar; `row` is that gate as it stands in `judge.gates`.
    """

    level: str
    outcomes: Mapping[str, Outcome]
    found: tuple[Found, ...]
    causes: Mapping[str, tuple[Found, ...]]
    gate: tuple[int, int] | None = None
    row: Mapping[str, Any] | None = None

    @property
    def passed(self) -> dict[str, bool | None]:
        """The verdict on each item, by its id."""
        return {name: outcome.passed for name, outcome in self.outcomes.items()}


def read(made: app.App, text: str, known: Mapping[str, Any] | None = None) -> Reading | None:
    """What the judge would say of `text`, an answer to the task `made`; None if only the judge can tell.

    `known` is what known.json holds, unless that is to be looked up.
    """
    page, left = grammar.of(made).read(text)
    if page is None:
        return broken(made, text, left)
    return whole(made, page, knowledge() if known is None else known)


def broken(made: app.App, text: str, left: tuple[int, int]) -> Reading | None:
    """A page that is none of the grammar's: decided if it fails a gate that needs no browser."""
    document = artifact.find(text)
    row = gates.format_gate(document)
    if row["passed"] and document.artifact is not None:
        start, end = document.artifact["start"], document.artifact["end"]
        row = gates.source_gate(text[start:end], start)
    if row["passed"]:
        return None
    items = [f"{feature.family}-{item.id}" for feature in made.features for item in feature.items]
    return Reading(row["level"], dict.fromkeys(items, Outcome(False)), (), dict.fromkeys(items, ()), left, row)


def whole(made: app.App, page: Page, knowledge: Mapping[str, Any]) -> Reading | None:
    """A page of which each place is known."""
    outcomes: dict[str, Outcome] = {}
    causes: dict[str, list[Stands]] = {}
    for feature in made.features:
        states = near(page, feature.family)
        known = knowledge.get(feature.family, {"seen": {}})
        if any(one.state not in known["seen"].get(name, ()) for name, one in states.items()):
            return None
        for item in (RUNTIME, *(item.id for item in feature.items)):
            name = f"{feature.family}-{item}"
            outcome, asked = decide(known["items"][item], states)
            if outcome is None:
                return None
            own = [one for one in states.values() if one.item == name]
            wrong = [one for one in own if one.state != RIGHT]
            causes[name] = own if outcome.passed else wrong or spoiling(known["items"][item], states, asked)
            outcomes[name] = named(outcome, causes[name], feature)
    return reading(made, page, outcomes, causes)


def near(page: Page, family: str) -> dict[str, Stands]:
    """What stands in the places of a family, and in those that all features rest on, by the place's bare name."""
    return {name.partition("/")[2]: one for name, one in page.items() if name.startswith((f"{family}/", SHARED))}


def reading(made: app.App, page: Page, outcomes: dict[str, Outcome], causes: Mapping[str, Sequence[Stands]]) -> Reading:
    """What was found of the items, and of the gate among them, in one."""
    loads = [f"{feature.family}-{RUNTIME}" for feature in made.features]
    stopped = [causes[name][0] for name in loads if not outcomes.pop(name).passed]
    places = {name: tuple(found(one, name) for one in causes[name]) for name in outcomes}
    everything = tuple(found(one, one.item) for one in page.values() if one.item)
    if not stopped:
        return Reading("functional", outcomes, everything, places)
    start, end = stopped[0].start, stopped[0].end
    row = verdicts.gate("runtime", False, diagnosis="an error while the page loads", start=start, end=end)
    return Reading("runtime", outcomes, everything, places, (start, end), row)


def decide(node: Node | None, states: Mapping[str, Stands]) -> tuple[Outcome | None, list[Stands]]:
    """What the decision comes to, and the places it was asked about on the way."""
    asked = []
    while node is not None and "place" in node:
        here = states[node["place"]]
        asked.append(here)
        node = node["yes"] if here.state in node["is"] else node["no"]
    return None if node is None else Outcome(**node), asked


def spoiling(node: Node | None, states: Mapping[str, Stands], asked: Sequence[Stands]) -> list[Stands]:
    """The wrong places that were asked about; if one of them alone, made right, would do, only such."""
    wrong = list(dict.fromkeys(one for one in asked if one.state != RIGHT))
    names = {one: name for name, one in states.items()}
    mended = [(one, decide(node, {**states, names[one]: replace(one, state=RIGHT)})[0]) for one in wrong]
    return [one for one, outcome in mended if outcome is not None and outcome.passed] or wrong


def named(outcome: Outcome, causes: Sequence[Stands], feature: Feature) -> Outcome:
    """The outcome with its kind of failure: whether any code ran, known.json does not say, but the cause does."""
    wires = {f"{feature.family}/{slot.name}" for slot in feature.slots if "dead" in [bug.failure for bug in slot.bugs]}
    mute = any(one.failure == "dead" or (one.failure == "absent" and one.place in wires) for one in causes)
    return replace(outcome, failure="dead") if mute and outcome.failure in ("silent", "visual") else outcome


def found(one: Stands, item: str) -> Found:
    """A place as part of a reading, held responsible for `item`."""
    return Found(one.place, item, one.state == RIGHT, one.failure, one.start, one.end)


@cache
def knowledge() -> dict[str, Any]:
    """For each family the states that were measured of each place, and the decision for each item."""
    file = resources.files("rcca_cli") / "bench/credit/known.json"
    value: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return value
