"""Replies kept in a folder by the digest of the whole request: who asks the same again is told the same, unasked."""

import contextlib
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli import console
from rcca_cli.chat.client import Client
from rcca_cli.chat.reply import Answer, ToolCall
from rcca_cli.store import Store


class Remembering:
    """A client whose replies are kept in `folder`, if there is one. Threads may share it.

    `asked` counts the requests that went to the server (each once, however often it was tried), `remembered` those
    that did not have to; `read` and `written` are the tokens of the former, as the server counts them.
    """

    def __init__(self, client: Client, folder: str | None = None) -> None:
        self.client = client
        self.store = Store(folder)
        self._met = False  # whether there is a server
        self.asked = self.remembered = 0
        self.read = self.written = 0
        self._lock = threading.Lock()

    def introduce(self, role: str) -> None:
        """Say who is asked, as `role`. RccaError if there is no server, unless kept replies may do without one."""
        console.note(f"{role} {self.client.model} at {self.client.url}")
        if self.store.is_empty():
            self._meet()

    def _meet(self) -> None:
        with self._lock:
            if not self._met:
                self.client.need_server()
                self._met = True

    def complete(self, messages: Sequence[Mapping[str, Any]], turn: int = 0, **body: Any) -> Answer:
        """The answer to a conversation; `turn` tells apart requests that are the same and want answers of their own.

        Raises what the client raises, and RccaError if no server can be reached the first time; a refusal is not kept.
        """
        request = self._request(messages, turn, body)
        known = _answer(self.store.read(request))
        with self._lock:
            self.remembered += known is not None
            self.asked += known is None
        if known is not None:
            return known
        self._meet()
        answer = _whole(self.client.complete(messages, **body))
        with self._lock:
            self.read += answer.used[0] if answer.used else 0
            self.written += answer.used[1] if answer.used else 0
        self.store.write(request, _told(answer))
        return answer

    def knows(self, messages: Sequence[Mapping[str, Any]], turn: int = 0, **body: Any) -> bool:
        """Whether `complete` would ask nobody."""
        return _answer(self.store.read(self._request(messages, turn, body))) is not None

    def _request(self, messages: Sequence[Mapping[str, Any]], turn: int, body: Mapping[str, Any]) -> dict[str, Any]:
        return {"url": self.client.url, "model": self.client.model, "messages": messages, "turn": turn, **body}


def _whole(answer: Answer) -> Answer:
    """The answer without halves of characters, which JSON can hold and no request can."""
    calls = tuple(ToolCall(*(_mended(part) for part in (one.id, one.name, one.arguments))) for one in answer.calls)
    return Answer(_mended(answer.text), answer.finish_reason, calls, used=answer.used)


def _mended(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _told(answer: Answer) -> dict[str, Any]:
    """The reply as it is kept."""
    calls = [vars(one) for one in answer.calls]
    return {"text": answer.text, "finish_reason": answer.finish_reason, "calls": calls, "used": answer.used}


def _answer(told: Any) -> Answer | None:
    """The reply that is kept; None if it is none."""
    with contextlib.suppress(KeyError, TypeError):
        calls = tuple(ToolCall(**call) for call in told["calls"])
        used = told.get("used")
        return Answer(told["text"], told["finish_reason"], calls, used=tuple(used) if used else None, remembered=True)
    return None
