"""One request to an OpenAI-compatible server, and the only layer that tries it again.

Layers of retries multiply, so openai's own is off. The key comes from the environment alone.
"""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from rcca_cli.errors import ItemsFailed, RccaError

ATTEMPTS = 5
LONGEST_WAIT = 60.0  # seconds, whatever the server asks for
SILENT = 3  # requests in a row without an answer, after which the next ones are tried once until one is answered


class Unanswered(ItemsFailed):
    """The server gave no usable answer to this request, after every attempt."""


class Refused(RccaError):
    """The server will not take this request as it is; another one it may."""


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
    or empty if the server did not say. `calls` are the tools that the model wants called.
    """

    text: str
    finish_reason: str | None
    calls: tuple[ToolCall, ...] = ()
    prompt_ids: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)


class Client:
    """A server and one of its models. `timeout` is for one attempt, in seconds.

    With `tells_tokens` false it is not asked for token ids and log probabilities.
    """

    def __init__(
        self,
        base_url: str | None,
        model: str,
        timeout: float = 600.0,
        attempts: int = ATTEMPTS,
        tells_tokens: bool = True,
    ) -> None:
        try:
            import openai
        except ImportError:
            cure = "pip install 'rcca[serve]', or in a clone of it pip install -e '.[serve]'"
            raise RccaError(f"asking a server needs the openai package ({cure})") from None
        self.openai = openai
        url = base_url or os.environ.get("OPENAI_BASE_URL")
        key = os.environ.get("OPENAI_API_KEY")
        if not (url or key):
            raise RccaError("no server to ask (give --base-url URL, or set OPENAI_BASE_URL or OPENAI_API_KEY)")
        # A server of one's own usually asks for no key, but the client insists on one.
        self.client = openai.OpenAI(base_url=url, api_key=key or "none", max_retries=0, timeout=timeout)
        self.model = model
        self.attempts = attempts
        self.tells_tokens = tells_tokens  # until it refuses to be asked
        self._silence = 0  # requests that were not answered since the last one that was

    @property
    def url(self) -> str:
        """The server's address, without a name or password that may stand in it."""
        return address(str(self.client.base_url))

    def complete(self, messages: Sequence[Mapping[str, Any]], **sampling: Any) -> Answer:
        """The answer to a conversation.

        Unanswered if the server gives none after every attempt; Refused if it will not take this one; RccaError if
        it would take none.
        """
        try:
            found = self._patiently(messages, sampling, self.attempts if self._silence < SILENT else 1)
        except Unanswered:
            self._silence += 1
            raise
        self._silence = 0
        return found

    def _patiently(self, messages: Sequence[Mapping[str, Any]], sampling: Mapping[str, Any], attempts: int) -> Answer:
        """The answer, asked for at most so often."""
        for attempt in range(attempts):
            last = attempt + 1 == attempts
            try:
                return answer(self._ask(messages, sampling))
            except self.openai.BadRequestError as error:
                if not self.tells_tokens or last:
                    raise Refused(f"the server refuses the request: {reason(error)}") from None
                self.tells_tokens = False  # many servers know no return_token_ids, some no logprobs
            except (
                self.openai.AuthenticationError,
                self.openai.PermissionDeniedError,
                self.openai.NotFoundError,
            ) as error:
                raise RccaError(f"the server refuses the request: {reason(error)} (OPENAI_API_KEY, --model)") from None
            except self.openai.APIStatusError as error:
                if last or not (error.status_code in (408, 409, 429) or error.status_code >= 500):
                    raise Unanswered(reason(error)) from None
                time.sleep(pause(error.response.headers.get("retry-after"), attempt))
            except self.openai.APIConnectionError as error:
                if last:
                    raise Unanswered(reason(error)) from None
                time.sleep(pause(None, attempt))
            except (self.openai.APIError, ValueError) as error:
                raise Unanswered(f"no chat completion: {reason(error)}") from None
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _ask(self, messages: Sequence[Mapping[str, Any]], sampling: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = dict(sampling)
        if self.tells_tokens:
            body |= {"logprobs": True, "return_token_ids": True}
        # `extra_body` takes every name, also those of vLLM that the client does not know.
        reply = self.client.chat.completions.create(model=self.model, messages=list(messages), extra_body=body)  # type: ignore[arg-type]
        if not hasattr(reply, "model_dump"):  # the client passes on what is not JSON as a string
            raise ValueError(f"the reply begins {str(reply)[:80]!r}")
        return reply.model_dump()


def answer(reply: Mapping[str, Any]) -> Answer:
    """What is in a reply's first choice. ValueError if it is no such reply."""
    choices = reply.get("choices")
    message = choices[0].get("message") if isinstance(choices, list) and choices else None
    if not isinstance(message, Mapping):
        raise ValueError("the reply holds no choices")
    choice = choices[0]  # type: ignore[index]
    text = message.get("content") or ""
    calls = tuple(_call(one) for one in message.get("tool_calls") or ())
    tokens = choice.get("token_ids") or []
    told = (choice.get("logprobs") or {}).get("content") or []
    if not tokens or len(told) != len(tokens):
        return Answer(text, choice.get("finish_reason"), calls)
    pieces = [bytes(entry["bytes"]) if entry.get("bytes") is not None else None for entry in told]
    return Answer(
        text=text,
        finish_reason=choice.get("finish_reason"),
        calls=calls,
        prompt_ids=list(reply.get("prompt_token_ids") or choice.get("prompt_token_ids") or []),
        tokens=list(tokens),
        logprobs=[float(entry["logprob"]) for entry in told],
        pieces=[] if None in pieces else pieces,  # type: ignore[arg-type]
    )


def _call(told: Any) -> ToolCall:
    """A tool call of a reply. ValueError if it is none."""
    function = told.get("function") if isinstance(told, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise ValueError("the reply holds a tool call without a function")
    return ToolCall(str(told.get("id") or ""), function["name"], str(function.get("arguments") or ""))


def address(url: str) -> str:
    """A server's address with nothing secret in it: no user, no password, no query.

    >>> address("https://ann:secret@host.test:8000/v1?key=1")
    'https://host.test:8000/v1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def pause(retry_after: str | None, attempt: int) -> float:
    """Seconds before the next attempt: what the server asks for, else 1, 2, 4 …

    >>> pause("3", 0), pause(None, 2), pause("Wed, 21 Oct 2026 07:28:00 GMT", 1)
    (3.0, 4.0, 2.0)
    """
    try:
        return min(LONGEST_WAIT, max(0.0, float(retry_after or "")))
    except ValueError:
        return min(LONGEST_WAIT, 2.0**attempt)


def reason(error: Exception) -> str:
    """An error in one line."""
    return " ".join(str(error).split())[:300] or type(error).__name__
