"""What a chat completion says: text, reasoning, tool calls, and its tokens as far as the server tells them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool as the model wrote it: `arguments` should be JSON, and need not be."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Answer:
    """What the server said, and its tokens as far as it told them.

    `tokens` and `logprobs` have the same length, or are both empty; `pieces` are the bytes of each token,
    or empty if the server did not say. `calls` are the tools that the model wants called. `reasoning` is what the
    server took out of the text for the model's thoughts; the tokens are of both. `fallback` is the number of the
    request's bodies that was answered. `used` are the tokens of the request and of the reply, as the server counts
    them; None if it does not say. `remembered`: nobody was asked this time.
    """

    text: str
    finish_reason: str | None
    calls: tuple[ToolCall, ...] = ()
    prompt_ids: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)
    reasoning: str = ""
    fallback: int = 0
    used: tuple[int, int] | None = None
    remembered: bool = False


def answer(reply: Mapping[str, Any]) -> Answer:
    """What is in a reply's first choice. ValueError if it is no such reply."""
    choices = reply.get("choices")
    message = choices[0].get("message") if isinstance(choices, list) and choices else None
    if not isinstance(message, Mapping):
        raise ValueError("the reply holds no choices")
    choice = choices[0]  # type: ignore[index]
    text = message.get("content") or ""
    calls = tuple(_call(one) for one in message.get("tool_calls") or ())
    reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
    tokens = choice.get("token_ids") or []
    told = (choice.get("logprobs") or {}).get("content") or []
    used = _used(reply.get("usage"))
    if not tokens or len(told) != len(tokens):
        return Answer(text, choice.get("finish_reason"), calls, reasoning=reasoning, used=used)
    pieces = [bytes(entry["bytes"]) if entry.get("bytes") is not None else None for entry in told]
    return Answer(
        text=text,
        finish_reason=choice.get("finish_reason"),
        calls=calls,
        prompt_ids=list(reply.get("prompt_token_ids") or choice.get("prompt_token_ids") or []),
        tokens=list(tokens),
        logprobs=[float(entry["logprob"]) for entry in told],
        pieces=[] if None in pieces else pieces,  # type: ignore[arg-type]
        reasoning=reasoning,
        used=used,
    )


def _used(told: Any) -> tuple[int, int] | None:
    """The tokens of the request and of the reply."""
    if not isinstance(told, Mapping):
        return None
    counts = (told.get("prompt_tokens"), told.get("completion_tokens"))
    return counts if all(isinstance(count, int) for count in counts) else None  # type: ignore[return-value]


def _call(told: Any) -> ToolCall:
    """A tool call of a reply. ValueError if it is none."""
    function = told.get("function") if isinstance(told, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise ValueError("the reply holds a tool call without a function")
    return ToolCall(str(told.get("id") or ""), function["name"], str(function.get("arguments") or ""))
