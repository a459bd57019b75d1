"""Requests to one or several servers of the same model, and the only layer that tries them again."""

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rcca_cli import console
from rcca_cli.chat.reply import Answer
from rcca_cli.chat.server import Declined, Server, Trouble
from rcca_cli.errors import ItemsFailed, RccaError

ATTEMPTS = 5
SILENT = 3  # requests in a row without an answer, after which the next ones are tried once until one is answered


class Unanswered(ItemsFailed):
    """No server gave a usable answer to this request, after every attempt."""


class Refused(RccaError):
    """The server will not take this request as it is; another one it may."""


class Client:
    """Servers of one model; `None` is the one of the environment. Threads may share it.

    `timeout` is for one attempt, in seconds; each server has at most `jobs` requests at once. Whichever is free is
    asked, so that a fast one has more of the work and a dead one none.
    """

    def __init__(
        self,
        base_urls: str | Sequence[str] | None,
        model: str,
        timeout: float = 600.0,
        attempts: int = ATTEMPTS,
        jobs: int | None = None,
    ) -> None:
        several: list[str | None] = [base_urls] if isinstance(base_urls, str) else list(base_urls or ())
        self.servers = [Server(url, model, timeout, jobs) for url in several or [None]]
        self.model = model
        self.attempts = attempts
        self._answered = False  # whether any request was, ever
        self._silence = 0  # requests that were not answered since the last one that was
        self._changed = threading.Condition()

    @property
    def url(self) -> str:
        """The servers' addresses."""
        return " ".join(server.url for server in self.servers)

    def need_server(self) -> None:
        """RccaError if no server can be reached. Said at once, where each request would be tried for a while first."""
        reasons = [server.unreachable() for server in self.servers]
        if all(reasons):
            raise RccaError(f"{self.url}: {reasons[0]} (no server of {self.model} can be reached; is the URL right?)")

    def complete(
        self, messages: Sequence[Mapping[str, Any]], fallbacks: Sequence[Mapping[str, Any]] = (), **body: Any
    ) -> Answer:
        """The answer to a conversation. `fallbacks` are bodies for servers that do not take this one, in order.

        Unanswered if none gives any after every attempt; Refused if it will not take this one; RccaError if it would
        take none.
        """
        patient = self._silence < SILENT
        attempts = self.attempts if patient else 1
        failed: set[Server] = set()
        begun = {server: server.failures for server in self.servers}
        for attempt in range(attempts):
            server, hopeless = self._taken(failed, patient, begun)
            try:
                found = self._asked(server, messages, [body, *fallbacks])
            except Trouble as trouble:
                pause = self._given_back(server, trouble if trouble.again else None)
                if not trouble.again or hopeless or attempt + 1 == attempts:
                    self._silence += 1
                    raise Unanswered(f"{server.url}: {trouble}") from None
                if pause is not None:
                    console.note(f"{server.url}: {trouble} (asked again in {pause:.0f} s)")
                failed.add(server)
            except BaseException:
                self._given_back(server, None)
                raise
            else:
                self._given_back(server, None, answered=True)
                self._answered, self._silence = True, 0
                return found
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _asked(self, server: Server, messages: Sequence[Mapping[str, Any]], bodies: Sequence[Any]) -> Answer:
        """The answer to the first of the bodies that the server takes; it is asked so from then on."""
        first = min(server.fallback, len(bodies) - 1)
        for number, body in enumerate(bodies[first:], first):
            try:
                found = server.ask(messages, body)
            except Declined as error:
                if number + 1 == len(bodies):
                    raise Refused(str(error)) from None
            else:
                server.fallback = number
                return replace(found, fallback=number)
        raise AssertionError("unreachable: the last body is answered or refused")

    def _taken(self, failed: Collection[Server], waits: bool, begun: Mapping[Server, int]) -> tuple[Server, bool]:
        """The server to ask now: one with room, rested, and least busy. Without `waits` one that rests will do.

        One that failed this request has it again only if no other server is known to answer. Also whether it is asked
        for the last time: none has ever answered, and each has failed as often, since the request begun with so many
        failures, as one request is tried. So those who wait for a dead server give up together, not one by one.
        """
        with self._changed:
            while True:
                grown = (one.failures - begun[one] for one in self.servers)
                hopeless = waits and not self._answered and all(more >= self.attempts for more in grown)
                waits = waits and not hopeless
                others = [server for server in self.servers if server not in failed]
                able = others if any(not server.failures for server in others) else self.servers
                free = [server for server in able if server.has_room]
                now = time.monotonic()
                rested = [server for server in free if server.ready_at <= now or not waits]
                if rested:
                    found = min(rested, key=lambda server: (server in failed, server.failures, server.busy))
                    found.busy += 1
                    return found, hopeless
                self._changed.wait(min((server.ready_at - now for server in free), default=None))

    def _given_back(self, server: Server, trouble: Trouble | None, answered: bool = False) -> float | None:
        """What the server had is done. How long it rests now, if that should be told."""
        pause = None
        with self._changed:
            server.busy -= 1
            if trouble is not None:
                pause = server.rest(trouble.pause)
            if answered:
                server.failures, server.ready_at = 0, 0.0
            self._changed.notify_all()
        return pause
