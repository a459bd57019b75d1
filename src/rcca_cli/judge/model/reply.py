"""What a model's reply asks for: exactly one call of a tool, or else the reason why it cannot be read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli.chat import Answer, strict

THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.S)  # a model's own reasoning, where the server leaves it in
ECHO = 2000  # characters of an unreadable reply that the model is shown again


class Unreadable(ValueError):
    """A reply that is not exactly one call; the message says why and repeats nothing of it: the model is told it."""


@dataclass(frozen=True)
class Call:
    """One call of a tool. `id` is the server's name for it, empty if the model wrote it as text."""

    tool: str
    arguments: Mapping[str, Any]
    id: str = ""


def read(answer: Answer) -> Call:
    """The one call in a reply; Unreadable if there is none, more than one, or only part of one."""
    if answer.finish_reason == "length":
        raise Unreadable("it was cut off at the token limit")
    if len(answer.calls) > 1:
        raise Unreadable(f"it calls {len(answer.calls)} tools at once")
    if answer.calls:
        told = answer.calls[0]
        return Call(told.name, read_object(told.arguments or "{}", "the arguments"), told.id)
    value = read_object(THOUGHT.sub("", answer.text, count=1), "the reply")
    if value.keys() != {"tool", "arguments"} or not isinstance(value["tool"], str):
        raise Unreadable("it is no object with the keys tool and arguments")
    if not isinstance(value["arguments"], dict):
        raise Unreadable("arguments is no object")
    return Call(value["tool"], value["arguments"])


def read_object(text: str, what: str) -> dict[str, Any]:
    """The JSON object that all of `text` is. No fence, no words around it, no second one, no key twice.

    >>> read_object('{"a": 1}', "the reply")
    {'a': 1}
    """
    text = text.strip()
    if not text:
        raise Unreadable(f"{what}: empty")
    if not text.startswith("{"):
        raise Unreadable(f"{what}: does not begin with a JSON object")
    try:
        value, end = strict.read_object(text, 0)
    except strict.Doubtful as error:
        raise Unreadable(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{what}: not JSON: {error}") from None
    if text[end:].strip():
        more = "a second object" if text[end:].lstrip().startswith("{") else "something else"
        raise Unreadable(f"{what}: {more} behind the JSON object")
    return value
