"""The check language told to somebody who is to use it, in words and as JSON Schema: made from its tables."""

from collections.abc import Callable, Mapping
from typing import Any

from rcca_cli.checks import fields
from rcca_cli.checks.fields import REQUIRED, Entry, Field

TARGETS = """\
A target names an element the way a user would: an object with exactly one of role (with name beside it), label, \
text, placeholder, testid, css, as {"role": "button", "name": "Add"} or {"label": "Task"}; or a list of such \
alternatives, of which the first that matches something visible counts. Beside it may stand nth (from 0, -1 is the \
last), within (a target in which to look) and exact (true: the words are the whole name). Words are whole and their \
case does not matter."""
_TYPES: dict[Callable[[Any], Any], dict[str, Any]] = {
    fields.target: {"type": ["object", "array"]},
    fields.strings: {"type": "array", "items": {"type": "string"}},
    fields.number: {"type": "number"},
    fields.pixels: {"type": "number"},
    fields.milliseconds: {"type": "number"},
    fields.integer: {"type": "integer"},
    fields.boolean: {"type": "boolean"},
    fields.reading: {"type": ["string", "number"]},
}


def words(entry: Entry) -> str:
    """One word of the language on one line: what it takes and what it does.

    >>> from rcca_cli.checks import STEPS
    >>> words(STEPS["hover"])
    'hover: target (target). Move the mouse over the target.'
    """
    taken = ", ".join(_field(entry, field) for field in entry.fields) or "nothing"
    if entry.one_of:
        taken += f"; exactly one of {', '.join(entry.one_of)}"
    return f"{entry.name}: {taken}. {what(entry)}"


def what(entry: Entry) -> str:
    """What the word does, as its own docstring says."""
    return " ".join((entry.run.__doc__ or "").split())


def _field(entry: Entry, field: Field) -> str:
    optional = "" if field.default is REQUIRED or field.name in entry.one_of else "?"
    return f"{field.name}{optional} ({(field.kind.__doc__ or '').strip()})"


def language(steps: Mapping[str, Entry], expectations: Mapping[str, Entry]) -> str:
    """The whole language: the form of a check, its targets, and every word of both tables."""
    return "\n".join(
        [
            'A check is {"cases": […], "steps": […]}. cases: at least two objects with the same names and different '
            "values (where nothing can vary: [{}, {}]); each case is played on a fresh page, and all must pass. steps: "
            'objects with either "do" or "expect" and the arguments of that word, played in order until one fails; at '
            "least one expects. {name} in a string is the case's value.",
            TARGETS,
            "",
            'With "do":',
            *(f"- {words(entry)}" for entry in steps.values()),
            "",
            'With "expect":',
            *(f"- {words(entry)}" for entry in expectations.values()),
        ]
    )


def schema(entry: Entry) -> dict[str, Any]:
    """The JSON Schema of the word's arguments, as tools of a chat model are described."""
    return {
        "type": "object",
        "properties": {
            field.name: _TYPES.get(field.kind, {"type": "string"}) | {"description": (field.kind.__doc__ or "").strip()}
            for field in entry.fields
        },
        "required": [field.name for field in entry.fields if field.default is REQUIRED],
    }
