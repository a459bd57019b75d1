"""What the verdicts on a rubric say together: which items hold once their parents are asked, and what they weigh."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli.rewards.circles import parents_first

WEIGHTS = {"essential": 1.0, "important": 0.6, "optional": 0.3}
LEVELS = ("format", "source", "runtime", "functional")
MOST_UNKNOWN = 0.25  # of the weight: with more of it not known, the whole is not known


def weights(rubric: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """What each rubric item weighs, by id."""
    return {item["id"]: WEIGHTS[item["importance"]] for item in rubric}


def holds(rubric: Sequence[Mapping[str, Any]], verdicts: Sequence[Mapping[str, Any]]) -> dict[str, bool | None]:
    """Whether each rubric item holds, by id: its own verdict, unless a parent says otherwise.

    An item whose parent fails fails too, and one whose parent is not known is not known: what it needs may be
    missing. An item without a verdict is not known; of items that name each other in a circle each needs all others.

    >>> rubric = [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}]
    >>> holds(rubric, [{"rubric": "a", "passed": False}, {"rubric": "b", "passed": True}])
    {'a': False, 'b': False}
    """
    own = {verdict["rubric"]: verdict["passed"] for verdict in verdicts}
    parents = {item["id"]: [parent for parent in item["parents"] if parent in own] for item in rubric}
    held: dict[str, bool | None] = {}
    for circle in parents_first(parents):
        needed = Counter(held[parent] for name in circle for parent in parents.get(name, ()) if parent in held)
        needed.update(own.get(name) for name in circle)
        for name in circle:
            others = needed - Counter([own.get(name)])
            held[name] = False if others[False] else None if others[None] else own.get(name)
    return {item["id"]: held[item["id"]] for item in rubric}


def creditable(rubric: Sequence[Mapping[str, Any]], verdicts: Sequence[Mapping[str, Any]]) -> dict[str, bool | None]:
    """The verdicts to give credit for, by id: None for an item that a parent decided, or that is not known."""
    held = holds(rubric, verdicts)
    own = {verdict["rubric"]: verdict["passed"] for verdict in verdicts}
    return {
        item["id"]: own.get(item["id"]) if all(held.get(parent, True) for parent in item["parents"]) else None
        for item in rubric
    }


def too_little_known(rubric: Sequence[Mapping[str, Any]], held: Mapping[str, bool | None]) -> bool:
    """Whether an essential item is not known, or more than a quarter of the weight."""
    weight = weights(rubric)
    unknown = [item for item in rubric if held[item["id"]] is None]
    if any(item["importance"] == "essential" for item in unknown):
        return True
    return not rubric or sum(weight[item["id"]] for item in unknown) > MOST_UNKNOWN * sum(weight.values())


def gate_is_unknown(gates: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the first gate not passed is one that is not known. What lies behind a failed gate does not count."""
    ordered = sorted(gates, key=lambda gate: LEVELS.index(gate["level"]))
    return next((gate["passed"] is None for gate in ordered if not gate["passed"]), False)
