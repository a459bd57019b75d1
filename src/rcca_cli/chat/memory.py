"""Replies kept in a folder by the digest of the whole request: who asks the same again is told the same, unasked."""

import contextlib
import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from rcca_cli import seeds
from rcca_cli.chat.client import Answer, Client, ToolCall
from rcca_cli.errors import RccaError


class Remembering:
    """A client whose replies are kept in `folder`, if there is one. Threads may share it.

    `asked` counts the requests that went to the server (each once, however often it was tried), `remembered` those
    that did not have to.
    """

    def __init__(self, client: Client, folder: str | None = None) -> None:
        self.client = client
        self.folder = Path(folder) if folder else None
        self.asked = self.remembered = 0
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Mapping[str, Any]], turn: int = 0, **body: Any) -> Answer:
        """The answer to a conversation; `turn` tells apart requests that are the same and want answers of their own.

        Raises what the client raises; a refusal is not kept.
        """
        request = {"url": self.client.url, "model": self.client.model, "messages": messages, "turn": turn} | body
        place = self._place(seeds.digest(request, 16))
        known = _read(place) if place else None
        with self._lock:
            self.remembered += known is not None
            self.asked += known is None
        if known is not None:
            return known
        answer = _whole(self.client.complete(messages, **body))
        if place:
            _write(place, answer)
        return answer

    def _place(self, digest: str) -> Path | None:
        return self.folder / digest[:2] / f"{digest[2:]}.json" if self.folder else None


def _whole(answer: Answer) -> Answer:
    """The answer without halves of characters, which JSON can hold and no request can."""
    calls = tuple(ToolCall(*(_mended(part) for part in (one.id, one.name, one.arguments))) for one in answer.calls)
    return Answer(_mended(answer.text), answer.finish_reason, calls)


def _mended(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _read(place: Path) -> Answer | None:
    """The reply in a file; None if there is none that can be read, as after a crash."""
    with contextlib.suppress(OSError, orjson.JSONDecodeError, KeyError, TypeError):
        told = orjson.loads(place.read_bytes())
        return Answer(told["text"], told["finish_reason"], tuple(ToolCall(**call) for call in told["calls"]))
    return None


def _write(place: Path, answer: Answer) -> None:
    """The reply as a file, whole or not at all. RccaError if the folder cannot be written."""
    told = {"text": answer.text, "finish_reason": answer.finish_reason, "calls": [vars(one) for one in answer.calls]}
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=place.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(orjson.dumps(told))
        os.replace(name, place)
    except OSError as error:
        raise RccaError(f"{place}: {error.strerror} (--cache takes a folder to write in)") from None
