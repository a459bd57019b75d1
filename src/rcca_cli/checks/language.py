"""From the text of a check to concrete steps, one list a case. Errors name the place."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from rcca_cli.checks import draws, targets
from rcca_cli.checks.actions import STEPS
from rcca_cli.checks.expectations import EXPECTATIONS
from rcca_cli.checks.fields import Entry, FieldError
from rcca_cli.checks.reckoning import reckon
from rcca_cli.errors import RccaError

_SLOT = re.compile(r"\{(?=[^{}]*[A-Za-z_])([\w .+*/()-]+)\}")
KEYS = ("cases", "draw", "steps")


class CheckError(RccaError):
    """A check that does not follow the language; the message says where and what."""


@dataclass(frozen=True)
class Step:
    """One step with the case's values put in: the entry that runs it, and its arguments."""

    entry: Entry
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One way to play the check: its values and its steps."""

    values: Mapping[str, Any]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Source:
    """What a check with draws was read from: the cases' own values, what is drawn beside them, the steps."""

    cases: Sequence[Mapping[str, Any]]
    draws: Mapping[str, draws.Draw]
    steps: Sequence[Any]


@dataclass(frozen=True)
class Check:
    """A check whose cases must all pass, each on a fresh page.

    With a `source` the cases hold sample data, and `drawn` gives those that are played.
    """

    cases: tuple[Case, ...]
    source: Source | None = None


def parse(text: str) -> Check:
    """The check that `text` (JSON) holds; CheckError otherwise."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise CheckError(f"check: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise CheckError("check: expected an object with cases and steps")
    for key in value:
        if key not in KEYS:
            raise CheckError(f"check.{key}: no such key (a check has {', '.join(KEYS)})")
    made, steps = _draws(value.get("draw", {})), value.get("steps")
    cases = _fitting(value.get("cases", [{}, {}] if made else None), made)
    if not isinstance(steps, list) or not steps:
        raise CheckError("check.steps: expected a list of steps")
    if not any(isinstance(step, dict) and "expect" in step for step in steps):
        raise CheckError("check.steps: expects nothing (add a step with expect)")
    if not made:
        return Check(tuple(_case(index, values, steps) for index, values in enumerate(cases)))
    probes = {name: one.probes() for name, one in made.items()}
    for index, values in enumerate(cases):  # what is drawn later must fit the steps as well
        for turn in range(max(map(len, probes.values()))):
            _case(index, {**values, **{name: one[turn % len(one)] for name, one in probes.items()}}, steps)
    return drawn(Check((), Source(cases, made, steps)), 0)


def drawn(check: Check, seed: int, request: str = "") -> Check:
    """The check with its data drawn anew: the same for the same seed, names and `request`.

    `request` is what the app's author was told: no text that stands in it is drawn where any text would do.
    """
    if check.source is None:
        return check
    own, made, steps = check.source.cases, check.source.draws, check.source.steps
    try:
        rows = draws.values(made, len(own), seed, request)
    except FieldError as error:
        raise CheckError(f"check.draw: {error}") from None
    cases = (_case(index, {**values, **row}, steps) for index, (values, row) in enumerate(zip(own, rows, strict=True)))
    return Check(tuple(cases), check.source)


def _draws(given: Any) -> dict[str, draws.Draw]:
    if not isinstance(given, dict):
        raise CheckError("check.draw: expected an object of names and what is drawn")
    made = {}
    for name, one in given.items():
        if not name.isidentifier():
            raise CheckError(f"check.draw: expected a name (letters, digits, _), not {name!r}")
        try:
            made[name] = draws.draw(one)
        except FieldError as error:
            raise CheckError(f"check.draw.{name}: {error}") from None
    return made


def _fitting(cases: Any, drawn_names: Collection[str]) -> list[dict[str, Any]]:
    if not isinstance(cases, list) or len(cases) < 2:
        raise CheckError("check.cases: expected at least two objects (different data, so that no answer can be fixed)")
    for index, values in enumerate(cases):
        if not isinstance(values, dict):
            raise CheckError(f"check.cases[{index}]: expected an object of names and values")
        if values.keys() != cases[0].keys():
            raise CheckError(f"check.cases[{index}]: has other names than the first case")
        for name, one in values.items():
            if name in drawn_names:
                raise CheckError(f"check.draw.{name}: the cases have a value of that name")
            if not isinstance(one, str | int | float | bool):
                raise CheckError(f"check.cases[{index}].{name}: expected a string, a number or a boolean")
    if cases[0] and not drawn_names and any(values == cases[0] for values in cases[1:]):
        raise CheckError("check.cases: two cases are the same")
    return cases


def _case(index: int, values: Mapping[str, Any], steps: Sequence[Any]) -> Case:
    known: set[str] = set()  # names that a read has remembered so far
    made = []
    for number, step in enumerate(steps):
        place = f"check.steps[{number}]"
        try:
            made.append(_step(step, values, known))
        except (FieldError, targets.TargetError) as error:
            hint = f" (case {index})" if index else ""
            raise CheckError(f"{place}: {error}{hint}") from None
    return Case(values, tuple(made))


def _step(step: Any, values: Mapping[str, Any], known: set[str]) -> Step:
    if not isinstance(step, dict) or ("do" in step) == ("expect" in step):
        raise FieldError('expected an object with either "do" or "expect"')
    word = "do" if "do" in step else "expect"
    table = STEPS if word == "do" else EXPECTATIONS
    name = step[word]
    if not isinstance(name, str) or name not in table:
        raise FieldError(f"{word}: no {name!r} (there are {', '.join(table)})")
    entry = table[name]
    given = {key: filled(value, values) for key, value in step.items() if key != word}
    arguments = entry.arguments(given)
    if name == "read" and word == "do":
        known.add(arguments["as"])
    for key in entry.readings:
        if isinstance(arguments[key], str) and arguments[key] not in known:
            raise FieldError(f"{key}: nothing was read as {arguments[key]!r} before")
    return Step(entry, arguments)


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """`value` with the case's values put in for `{name}`; a string that is only `{name}` becomes the value itself.

    Between the braces may stand a sum, `{name * 2 + 1}`.
    """
    if isinstance(value, list):
        return [filled(one, values) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, values) for key, one in value.items()}
    if not isinstance(value, str):
        return value
    whole = _SLOT.fullmatch(value)
    if whole:
        return _value(whole[1], values)
    return _SLOT.sub(lambda match: _shown(_value(match[1], values)), value)


def _value(words: str, values: Mapping[str, Any]) -> Any:
    """The value of a name, or of a sum of several."""
    return values[words] if words in values else reckon(words, values)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
