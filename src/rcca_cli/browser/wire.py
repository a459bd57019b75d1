"""The line to a browser: DevTools protocol messages through its standard input and output, no driver between.

A driver in another process costs as much for each message as the browser itself takes to answer it (docs/log.md).
"""

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any

import orjson

from rcca_cli.browser.trouble import ProtocolError

Handler = Callable[[dict[str, Any]], Any]
LOST = ProtocolError("the line to the browser has been closed")
MOST = 4_000_000  # kilobytes that one process may have; a page that takes too much is ended sooner, if we get to look
# The protocol's pipes are the browser's descriptors 3 and 4.
PIPED = ("sh", "-c", f'ulimit -d {MOST}; exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null', "sh")


class Wire(asyncio.SubprocessProtocol):
    """One browser's messages. Made by `asyncio`'s `loop.subprocess_exec`; all methods belong to that loop."""

    def __init__(self) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended = asyncio.Event()  # when the process has been reaped
        self._sent = 0
        self._waiting: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self._handlers: dict[tuple[str, str], Handler] = {}
        self._beside: set[asyncio.Future[Any]] = set()  # what handlers still do
        self._pieces: list[bytes] = []
        self._process: Any = None
        self._out: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ready to send."""
        self._process = transport
        self._out = transport.get_pipe_transport(0)

    def pipe_data_received(self, _: int, data: bytes) -> None:
        """Take apart what came: messages end with a zero byte."""
        *ends, rest = data.split(b"\0")
        for end in ends:
            self._pieces.append(end)
            message = b"".join(self._pieces)
            self._pieces.clear()
            self._take(message)
        if rest:
            self._pieces.append(rest)

    def pipe_connection_lost(self, *_: Any) -> None:
        """The browser ended, or was killed: nobody waits for it any longer."""
        if not self.lost.done():
            self.lost.set_result(None)
        self._fail("", LOST)

    def process_exited(self) -> None:
        """The process is gone."""
        self.pipe_connection_lost()
        self.ended.set()

    def on(self, method: str, handler: Handler, session: str = "") -> None:
        """Call `handler` with the parameters of each such event; a coroutine is run beside."""
        self._handlers[session, method] = handler

    def send(self, method: str, parameters: dict[str, Any] | None = None, session: str = "") -> "asyncio.Future[Any]":
        """The answer to come; ProtocolError if the browser refuses or is gone."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.lost.done() or self._out is None or self._out.is_closing():
            answer.set_exception(LOST)
            return answer
        self._sent += 1
        message: dict[str, Any] = {"id": self._sent, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        self._waiting[self._sent] = (session, answer)
        self._out.write(_written(message) + b"\0")
        return answer

    def forget(self, session: str) -> None:
        """The session is over: its handlers go, and who waits for an answer gets none."""
        self._handlers = {key: handler for key, handler in self._handlers.items() if key[0] != session}
        self._fail(session, ProtocolError("the page has been closed"))

    def close(self) -> None:
        """Hang up; the process, should it still run, is killed."""
        if self._process is not None:
            self._process.close()

    def _take(self, message: bytes) -> None:
        read = _read(message)
        if "id" in read:
            _, answer = self._waiting.pop(read["id"], ("", None))
            if answer is not None and not answer.done():
                if "error" in read:
                    answer.set_exception(ProtocolError(str(read["error"].get("message"))))
                else:
                    answer.set_result(read["result"])
            return
        handler = self._handlers.get((read.get("sessionId", ""), read["method"]))
        outcome = handler(read["params"]) if handler is not None else None
        if inspect.isawaitable(outcome):
            self._beside.add(task := asyncio.ensure_future(outcome))
            task.add_done_callback(self._beside.discard)

    def _fail(self, session: str, error: ProtocolError) -> None:
        """End the waiting of a session, or of all."""
        for number, (owner, answer) in list(self._waiting.items()):
            if not session or owner == session:
                del self._waiting[number]
                if not answer.done():
                    answer.set_exception(error)
                    answer.exception()  # it may be that nobody waits any longer


class Session:
    """The line to one page."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.wire = wire
        self.name = name

    def on(self, method: str, handler: Handler) -> None:
        """Call `handler` with the parameters of each such event of the page."""
        self.wire.on(method, handler, self.name)

    def send(self, method: str, parameters: dict[str, Any] | None = None) -> "asyncio.Future[Any]":
        """The answer to come; ProtocolError if the browser refuses or is gone."""
        return self.wire.send(method, parameters, self.name)

    def forget(self) -> None:
        """It is over: its handlers go, and who waits for an answer gets none."""
        self.wire.forget(self.name)

    async def detach(self) -> None:
        """End it; the page stays."""
        await self.wire.send("Target.detachFromTarget", {"sessionId": self.name})
        self.forget()


def _read(message: bytes) -> dict[str, Any]:
    """The message; a page's text may hold half a surrogate pair, at which the faster reader stops."""
    try:
        read: dict[str, Any] = orjson.loads(message)
    except orjson.JSONDecodeError:
        read = json.loads(message)
    return read


def _written(message: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(message)
    except orjson.JSONEncodeError:  # the same halves on the way back
        return json.dumps(message).encode()
