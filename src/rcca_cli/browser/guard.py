"""Waiting for a page no longer than it deserves: by its own processor time, not by the clock on the wall."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from rcca_cli.browser import processes
from rcca_cli.browser.trouble import AppCrashed, AppHung, BrowserLost, ProtocolError

T = TypeVar("T")
# One text for a hang and a crash: which of them it comes to may depend on the machine.
STUCK = "the page stopped answering (an endless loop, or too much memory)"
WALL = 60.0  # seconds without an answer from a page that is not busy, before we give up: our fault, not the page's
STEP = 0.5
CLOSED = ("has been closed", "Session with given id not found", "No target with given id")


class Guard:
    """Watches over one page. `interrupt` stops its running script."""

    interrupt: Callable[[], Awaitable[None]]

    def __init__(self) -> None:
        self._began = 0.0
        self.pids: set[int] = set()  # the page's processes; empty where they are not known
        self.patience = 1.0  # a factor on how long the page may be busy
        self.restless: str | None = None  # what the page does without end
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def begin(self, interrupt: Callable[[], Awaitable[None]]) -> None:
        """Another app is on the page."""
        self.interrupt, self.patience, self.restless = interrupt, 1.0, None
        self._began = self.cpu()

    @property
    def is_crashed(self) -> bool:
        """Whether the page's process is gone."""
        return self.crashed.done()

    def crash(self, *_: object) -> None:
        """Note that the page's process is gone."""
        if not self.crashed.done():
            self.crashed.set_result(None)

    def cpu(self) -> float:
        """Processor seconds used by the page's processes so far."""
        return sum(map(processes.cpu_seconds, self.pids))

    def spent(self) -> float:
        """Those that the app on the page has used."""
        return self.cpu() - self._began

    async def wait(self, work: Awaitable[T], seconds: float) -> T:
        """The result of `work`.

        AppCrashed, or AppHung after `seconds` of the page's processor time; BrowserLost if it is idle and silent for
        a minute, or gone. The protocol's other errors pass through.
        """
        task: asyncio.Future[Any] = asyncio.ensure_future(work)
        try:
            await self._watch(task, seconds * self.patience)
            if self.crashed.done():
                raise AppCrashed(STUCK)
            return await task
        except ProtocolError as error:
            raise self._meaning(error) from None
        finally:
            forget(task)

    async def _watch(self, task: asyncio.Future[Any], seconds: float) -> None:
        """Return when the task or the page's process has ended; raise if neither is to be waited for any longer."""
        start, waited, step = 0.0, 0.0, min(STEP, seconds / 2)
        while True:
            await asyncio.wait({task, self.crashed}, timeout=step, return_when=asyncio.FIRST_COMPLETED)
            if task.done() or self.crashed.done():
                return
            if not waited:
                start = self.cpu()  # asked only now, because most work is done by now
            waited += step
            if self.restless:
                await self.interrupt()
                raise AppHung(restless(self.restless))
            if self.cpu() - start >= seconds or (not self.pids and waited >= 3 * seconds):
                await self.interrupt()
                raise AppHung(STUCK)
            if waited >= WALL:
                raise BrowserLost(f"no answer for {WALL:.0f} s, though the page was not busy (is the machine?)")

    def _meaning(self, error: ProtocolError) -> Exception:
        if self.crashed.done() or "crashed" in error.message.lower():
            return AppCrashed(STUCK)
        if any(word in error.message for word in CLOSED):
            return BrowserLost("the browser was closed")
        return error


def restless(what: str) -> str:
    """The words for a page that does something without end."""
    return f"the page never comes to rest ({what})"


def forget(work: Any) -> None:
    """Let it end by itself; nobody waits for it and its error is nobody's."""
    future = asyncio.ensure_future(work)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())


async def quietly(work: Awaitable[Any], seconds: float = 2.0) -> None:
    """Give it a moment, whatever comes of it."""
    with contextlib.suppress(ProtocolError, TimeoutError):
        await asyncio.wait_for(work, seconds)
