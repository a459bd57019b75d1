"""A rubric as a whole: names that must exist, checks that must parse."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rcca_cli.checks.language import CheckError, parse


def problems(rubric: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with the items of a rubric, as `NUMBER.key: what`."""
    names: set[str] = set()
    every = {item["id"] for item in rubric}
    for number, item in enumerate(rubric):
        if item["id"] in names:
            yield f"{number}.id: {item['id']!r} is there twice"
        names.add(item["id"])
        for parent in item["parents"]:
            if parent not in every or parent == item["id"]:
                yield f"{number}.parents: {parent!r} is no other item"
        if item["check"] is not None:
            try:
                parse(item["check"])
            except CheckError as error:
                yield f"{number}.check: {error}"
