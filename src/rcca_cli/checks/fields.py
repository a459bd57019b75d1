"""The arguments of a step: which there are, of what kind, and what is wrong with those given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import regex

from rcca_cli.checks import keys, targets


class FieldError(ValueError):
    """What is wrong with an argument, without its place."""


REQUIRED = object()  # the default of a field that must be given


@dataclass(frozen=True)
class Field:
    """One argument: its name, the kind of its value (a function that returns it or raises), its default."""

    name: str
    kind: Callable[[Any], Any]
    default: Any = REQUIRED


@dataclass(frozen=True)
class Entry:
    """One word of the language: an action (with `said`, the words for having done it), or a step that only looks.

    An action's `run(page, **arguments)` is a coroutine that returns a Touch or None; a looking step's
    `run(seen, arguments, memory)` returns None or what is wrong, and `query` is its question to the page.
    `one_of`: exactly one of these fields is given. `readings`: fields that may name a remembered reading. `frames`: it
    does something only to a page that is drawn.
    """

    name: str
    run: Callable[..., Any]
    fields: tuple[Field, ...]
    said: str = ""
    query: Callable[[Mapping[str, Any]], Any] | None = None
    one_of: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    frames: bool = False

    @property
    def acts(self) -> bool:
        """Whether the step does something to the page, or else only looks."""
        return bool(self.said)

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The given arguments, checked, with defaults for the others; FieldError otherwise."""
        by_name = {field.name: field for field in self.fields}
        for key in given:
            if key not in by_name:
                raise FieldError(f"{key}: {self.name} has no such key (it has {', '.join(by_name) or 'none'})")
        out: dict[str, Any] = {}
        for field in self.fields:
            if field.name not in given:
                if field.default is REQUIRED:
                    raise FieldError(f"{self.name}: missing {field.name!r}")
                out[field.name] = field.default
                continue
            try:
                out[field.name] = field.kind(given[field.name])
            except ValueError as error:
                raise FieldError(f"{field.name}: {error}") from None
        if self.one_of and sum(key in given for key in self.one_of) != 1:
            raise FieldError(f"{self.name}: needs exactly one of {', '.join(self.one_of)}")
        return out


def target(value: Any) -> list[dict[str, Any]]:
    """target"""
    return targets.normal(value)


def string(value: Any) -> str:
    """string"""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise FieldError(f"expected a string, not {value!r}")
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def words(value: Any) -> str:
    """words"""
    if not string(value).strip():
        raise FieldError("expected words, not an empty string (every text contains that)")
    return string(value)


def key(value: Any) -> str:
    """key"""
    try:
        return keys.normal(string(value))
    except ValueError as error:
        raise FieldError(str(error)) from None


def strings(value: Any) -> list[str]:
    """list of strings"""
    if not isinstance(value, list) or not value:
        raise FieldError(f"expected a list of strings, not {value!r}")
    return [string(one) for one in value]


def number(value: Any) -> float:
    """number"""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(f"expected a number, not {value!r}")
    return value


def integer(value: Any) -> int:
    """whole number"""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FieldError(f"expected a whole number, not {value!r}")
    return value


def whole(value: Any) -> int:
    """whole number, also below 0"""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**53:
        raise FieldError(f"expected a whole number, not {value!r}")
    return value


def scalars(value: Any) -> list[str | float | bool]:
    """list of strings, numbers or booleans"""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(one, str | int | float) for one in value):
        raise FieldError(f"expected a list of at least two strings, numbers or booleans, not {value!r}")
    return value


def boolean(value: Any) -> bool:
    """boolean"""
    if not isinstance(value, bool):
        raise FieldError(f"expected true or false, not {value!r}")
    return value


def pattern(value: Any) -> str:
    """regular expression"""
    try:
        regex.compile(string(value))
    except regex.error as error:
        raise FieldError(f"not a regular expression: {error}") from None
    return string(value)


def reading(value: Any) -> str | float:
    """a remembered name, or a number"""
    if isinstance(value, str) and not value.isidentifier():
        try:
            return float(value)
        except ValueError:
            raise FieldError(f"expected a remembered name or a number, not {value!r}") from None
    return value if isinstance(value, str) else number(value)


def name(value: Any) -> str:
    """name"""
    if not isinstance(value, str) or not value.isidentifier():
        raise FieldError(f"expected a name (letters, digits, _), not {value!r}")
    return value


def pixels(value: Any) -> float:
    """pixels, at most 10000"""
    if not -10_000 <= number(value) <= 10_000:
        raise FieldError("expected -10000 to 10000 pixels")
    return number(value)


def milliseconds(value: Any) -> float:
    """milliseconds, at most 600000"""
    if not 0 <= number(value) <= 600_000:
        raise FieldError("expected 0 to 600000 milliseconds")
    return number(value)


def choice(*words: str) -> Callable[[Any], str]:
    """The kind of a field that takes one of these words."""

    def kind(value: Any) -> str:
        if value not in words:
            raise FieldError(f"no {value!r} (there are {', '.join(words)})")
        return str(value)

    kind.__doc__ = "one of " + ", ".join(words)
    return kind
