"""What a chat completion says: text, reasoning, tool calls, and its tokens as far as the server tells them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from rcca_cli.chat.tokens import is_count
from rcca_cli.records import explained

LARGEST = 1e6  # of a log-probability, either way: what a record can hold
_strict = with_config(ConfigDict(strict=True))


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool as the model wrote it: `arguments` should be JSON, and need not be."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Answer:
    """What the server said, and its tokens as far as it told them.

    `tokens` and `logprobs` have the same length, or are both empty (a log-probability that is no number is None);
    `pieces` are the bytes of each token, or empty if the server did not say. `calls` are the tools that the model
    wants called. `reasoning` is what the server took out of the text for the model's thoughts; the tokens are of both.
    `model` is what the server calls itself. `fallback` is the number of the request's bodies that was answered.
    `used` are the tokens of the request and of the reply, as the server counts them; None if it does not say.
    `remembered`: nobody was asked this time.
    """

    text: str
    finish_reason: str | None
    calls: tuple[ToolCall, ...] = ()
    prompt_ids: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float | None] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    reasoning: str = ""
    model: str | None = None
    fallback: int = 0
    used: tuple[int, int] | None = None
    remembered: bool = False


# The shapes of what is read of a reply; servers write much else beside it.
@_strict
class _Message(TypedDict, total=False):
    content: str | None
    reasoning_content: Any
    reasoning: Any
    tool_calls: list[Any] | None


@_strict
class _Choice(TypedDict):
    message: _Message


@_strict
class _Reply(TypedDict):
    choices: Annotated[list[_Choice], Field(min_length=1)]


_Ids = list[Annotated[int, Field(ge=0, lt=2**31)]]


@_strict
class _Entry(TypedDict, total=False):
    logprob: float | None
    bytes: list[Annotated[int, Field(ge=0, le=255)]] | None


@_strict
class _Told(TypedDict):
    """The tokens: `entries` has one for each of `ids`."""

    ids: _Ids
    entries: list[_Entry]
    prompt: _Ids


REPLY, TOLD = TypeAdapter(_Reply), TypeAdapter(_Told)


def parsed(content: bytes) -> Mapping[str, Any]:
    """The JSON object in a reply's body, in which Python's NaN and half a character may stand. ValueError otherwise."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"the reply begins {content[:80].decode(errors='replace')!r}")
    return value


def answer(reply: Mapping[str, Any]) -> Answer:
    """What is in a reply's first choice. ValueError, in one line, if it is no such reply.

    Tokens that are not told in their right shape are not believed: then it is the text alone.
    """
    try:
        REPLY.validate_python(reply)
    except ValidationError as error:
        raise ValueError(explained(error.errors(include_url=False, include_context=False)[0])) from None
    choice = reply["choices"][0]
    message = choice["message"]
    reason, model = choice.get("finish_reason"), reply.get("model")
    thoughts = [message.get(name) for name in ("reasoning_content", "reasoning")]
    said = Answer(
        text=message.get("content") or "",
        finish_reason=reason if isinstance(reason, str) else None,
        calls=tuple(_call(one) for one in message.get("tool_calls") or ()),
        reasoning=next((one for one in thoughts if one and isinstance(one, str)), ""),
        model=model if isinstance(model, str) else None,
        used=_used(reply.get("usage")),
    )
    return replace(said, **_tokens(reply, choice))


def _tokens(reply: Mapping[str, Any], choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that are about its tokens; none if the server does not tell them, or not rightly."""
    logprobs = choice.get("logprobs")
    entries = logprobs.get("content") if isinstance(logprobs, dict) else None
    given = {
        "ids": choice.get("token_ids") or [],
        "entries": entries or [],
        "prompt": reply.get("prompt_token_ids") or choice.get("prompt_token_ids") or [],
    }
    try:
        told = TOLD.validate_python(given)
    except ValidationError:
        return {}
    if not told["ids"] or len(told["entries"]) != len(told["ids"]):
        return {}
    pieces = [None if entry.get("bytes") is None else bytes(entry["bytes"] or ()) for entry in told["entries"]]
    return {
        "prompt_ids": told["prompt"],
        "tokens": told["ids"],
        "logprobs": [_number(entry.get("logprob")) for entry in told["entries"]],
        "pieces": [] if None in pieces else pieces,
    }


def _number(logprob: float | None) -> float | None:
    """The log-probability; None if it is none that can be reckoned with."""
    known = logprob is not None and math.isfinite(logprob) and abs(logprob) <= LARGEST
    return float(logprob) if known and logprob is not None else None


def _used(told: Any) -> tuple[int, int] | None:
    """The tokens of the request and of the reply."""
    if not isinstance(told, Mapping):
        return None
    counts = (told.get("prompt_tokens"), told.get("completion_tokens"))
    return counts if all(map(is_count, counts)) else None  # type: ignore[return-value]


def _call(told: Any) -> ToolCall:
    """A tool call of a reply. ValueError if it is none."""
    function = told.get("function") if isinstance(told, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise ValueError("the reply holds a tool call without a function")
    return ToolCall(str(told.get("id") or ""), function["name"], str(function.get("arguments") or ""))
