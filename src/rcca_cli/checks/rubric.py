"""A rubric as a whole: names that must exist, parents that must come first, checks that must parse."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rcca_cli.checks.language import CheckError, parse
from rcca_cli.rewards.circles import parents_first

GATE = "gate"  # what the spans of a failed gate are called in `align.spans`, beside those of items

Item = Mapping[str, Any]


def problems(rubric: Sequence[Item]) -> Iterator[str]:
    """What is wrong with the items of a rubric, as `NUMBER.key: what`."""
    names: set[str] = set()
    every = {item["id"] for item in rubric}
    for number, item in enumerate(rubric):
        if item["id"] in names:
            yield f"{number}.id: {item['id']!r} is there twice"
        if item["id"] == GATE:
            yield f"{number}.id: {GATE!r} is what the gates are called (choose another)"
        names.add(item["id"])
        for parent in item["parents"]:
            if parent not in every or parent == item["id"]:
                yield f"{number}.parents: {parent!r} is no other item"
        if item["check"] is not None:
            try:
                parse(item["check"])
            except CheckError as error:
                yield f"{number}.check: {error}"
    yield from _circles(rubric)


def _circles(rubric: Sequence[Item]) -> Iterator[str]:
    """Items that are each other's parents, directly or through others: none of them could come first."""
    number = {item["id"]: place for place, item in enumerate(rubric)}
    for circle in parents_first({item["id"]: [*item["parents"]] for item in rubric}):
        if len(circle) > 1:
            names = sorted(circle, key=number.__getitem__)
            yield f"{number[names[0]]}.parents: {', '.join(map(repr, names))} are parents of each other, in a circle"
