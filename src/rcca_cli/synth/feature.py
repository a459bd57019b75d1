"""What a feature family is made of: requirements, templates with slots, and for each slot what can go wrong in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli.records import Failure, Importance, Kind

PARAMETER = re.compile(r"\$([a-z][a-z0-9_]*)")


@dataclass(frozen=True)
class Bug:
    """Text that stands in a slot instead of the right one; empty where the code was left out."""

    text: str
    failure: Failure


@dataclass(frozen=True)
class Slot:
    """A place `«name»` of a template. `right` is the text that makes `item` hold; each bug makes it fail."""

    name: str
    item: str
    right: str
    bugs: tuple[Bug, ...] = ()


OMITTED = Bug("", "absent")


def absent(text: str) -> Bug:
    """A bug that leaves code out; `text` is what is left around it."""
    return Bug(text, "absent")


def silent(text: str) -> Bug:
    """A bug that does the wrong thing, or nothing, without complaint."""
    return Bug(text, "silent")


def dead(text: str) -> Bug:
    """A bug that leaves a control without effect."""
    return Bug(text, "dead")


def raises(text: str) -> Bug:
    """A bug that throws when the control is used."""
    return Bug(text, "exception")


def visual(text: str) -> Bug:
    """A bug that only the eye notices."""
    return Bug(text, "visual")


def slot(name: str, item: str, right: str, *bugs: Bug) -> Slot:
    """The slot, with its bugs one after the other."""
    return Slot(name, item, right, bugs)


@dataclass(frozen=True)
class Item:
    """One requirement. `says` are sentences that ask for it, one of which goes into the request.

    Every label and number that `check` relies on must be in each of them. `parents` are items of the
    same family without which this one cannot be seen to hold.
    """

    id: str
    kind: Kind
    importance: Importance
    says: tuple[str, ...]
    check: dict[str, Any]
    parents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feature:
    """One drawn instance of a family: part of a request and the part of a page that meets it.

    `html`, `css` and `js` are templates of whole lines; `$name` stands for a value of `params` or of
    one of the two schemes in `names` (identifiers the request does not fix).
    """

    family: str
    title: str
    group: str  # class of MiniAppBench
    level: str  # Easy, Mid or Hard
    params: Mapping[str, str]
    names: tuple[Mapping[str, str], Mapping[str, str]]
    items: tuple[Item, ...]
    html: str
    js: str
    slots: tuple[Slot, ...]
    css: str = ""

    def values(self, style: int) -> dict[str, str]:
        """What stands for each `$name` under identifier scheme `style`."""
        return {**self.params, **self.names[style]}


def fill(value: Any, values: Mapping[str, str]) -> Any:
    """`value` with each known `$name` in its strings replaced; `${x}` and `$9` are left alone.

    >>> fill({"text": "Goal: $goal, cost $5"}, {"goal": "30"})
    {'text': 'Goal: 30, cost $5'}
    """
    if isinstance(value, str):
        return PARAMETER.sub(lambda match: values.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {key: fill(item, values) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [fill(item, values) for item in value]
    return value
