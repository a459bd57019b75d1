"""One browser, kept warm, driven by an event loop in a thread of its own; started anew when it had to be killed."""

import asyncio
import contextlib
import os
import secrets
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Browser, Error, Playwright, async_playwright

from rcca_cli.browser import find, processes
from rcca_cli.browser.visit import Visit
from rcca_cli.errors import RccaError

T = TypeVar("T")
MISSING = "no browser: install one (apt-get install chromium-headless-shell, or playwright install chromium)"


@dataclass(frozen=True)
class Settings:
    """How the browser is run. Seconds are of the page's own processor time; by the wall it may take a minute."""

    executable: str | None = None
    isolate: bool = True
    width: int = 1280
    height: int = 720
    action_seconds: float = 2.0
    load_seconds: float = 3.0
    page_bytes: int = 1_500_000_000


class Machine:
    """A browser to visit pages with. Use as a context manager; `run` takes a coroutine function from any thread."""

    opening: asyncio.Lock  # held while a visit opens, so that its new process is known to be its own
    _starting: asyncio.Lock

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.secret = secrets.token_hex(8)  # names of events; never in the output
        self.isolation = "none"
        self.version = ""
        self.loop = asyncio.new_event_loop()
        self.visits: set[Visit] = set()
        self.pid: int | None = None
        self._parents: list[int] = []
        self._thread = threading.Thread(target=self.loop.run_forever, name="browser", daemon=True)
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="rcca-")
        self._closing = threading.Lock()
        self._closed = False
        self._running: set[Future[Any]] = set()
        self._watchdog: asyncio.Task[None] | None = None

    def __enter__(self) -> "Machine":
        self._thread.start()
        try:
            self.run(self._start)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work()`, run on the browser's loop; the calling thread waits. CancelledError after `close`."""
        with self._closing:
            if self._closed:
                raise CancelledError
            future = asyncio.run_coroutine_threadsafe(work(), self.loop)
            self._running.add(future)
        try:
            return future.result()
        finally:
            self._running.discard(future)

    def close(self) -> None:
        """End the browser; nothing of it is left. Whoever waits for `run` in another thread gets CancelledError."""
        with self._closing:
            self._closed = True
        for future in list(self._running):
            future.cancel()
        if self._thread.is_alive():
            with contextlib.suppress(Exception):  # the end must not fail
                asyncio.run_coroutine_threadsafe(self._stop(), self.loop).result(timeout=15)
            if self.pid is not None:
                processes.kill_group(self.pid)
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(timeout=5)
        if not self.loop.is_running():
            self.loop.close()
        self._folder.cleanup()

    async def _start(self) -> None:
        self.opening = asyncio.Lock()
        self._starting = asyncio.Lock()
        self._playwright = await async_playwright().start()
        await self._launch()
        self._watchdog = asyncio.create_task(self._watch_memory())

    async def _launch(self) -> None:
        assert self._playwright is not None
        program = find.executable(self.settings.executable)
        jail = find.jail() if self.settings.isolate else None
        if program is None:
            program = self._playwright.chromium.executable_path
            if not Path(program).exists():
                raise RccaError(MISSING)
        start = find.wrapper(Path(self._folder.name), jail, program) if jail else program
        mark = f"--rcca-browser={secrets.token_hex(8)}"
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=start,
                args=[*find.SWITCHES, mark],
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            why = error.message.splitlines()[0]
            raise RccaError(f"{program}: did not start as a browser (is it a Chromium?): {why}") from None
        self.version = self._browser.version
        self.pid = self._find(mark)
        below = list(processes.descendants(self.pid)) if self.pid is not None else []
        self._parents = [pid for pid in below if "--type=zygote" in processes.command(pid)]
        jailed = self.pid is not None and find.in_other_network(self.pid)
        self.isolation = "netns" if jailed else "flags"

    def _find(self, mark: str) -> int | None:
        """The process id of the browser whose command line has this mark."""
        for pid in processes.descendants(os.getpid()):
            words = processes.command(pid)
            if mark in words and "--type=" not in words:
                return pid
        return None

    async def _stop(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
        if self._browser is not None:
            with contextlib.suppress(Error, asyncio.TimeoutError):
                await asyncio.wait_for(self._browser.close(), 5)
        if self._playwright is not None:
            with contextlib.suppress(Error, asyncio.TimeoutError):
                await asyncio.wait_for(self._playwright.stop(), 5)

    async def browser(self) -> Browser:
        """The browser, started anew if it is gone."""
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self._launch()
            assert self._browser is not None
            return self._browser

    async def kill(self) -> None:
        """End the browser with all its pages; the next visit starts another. Its neighbours see BrowserLost."""
        if self.pid is not None:
            processes.kill_group(self.pid)
        if self._browser is not None:
            with contextlib.suppress(Error, asyncio.TimeoutError):
                await asyncio.wait_for(self._browser.close(), 5)
        self._browser = None

    def renderers(self) -> set[int]:
        """The processes that run pages: the zygotes' children, as far as there are zygotes."""
        return {pid for parent in self._parents for pid in processes.children(parent)}

    @contextlib.asynccontextmanager
    async def visit(self, html: str, seed: int) -> AsyncIterator[Visit]:
        """A page for `html` in a fresh context, not loaded yet; `seed` is the page's chance."""
        visit = Visit(self, html, seed)
        self.visits.add(visit)
        try:
            await visit.open()
            yield visit
        finally:
            self.visits.discard(visit)
            if not await visit.close():
                await self.kill()

    async def _watch_memory(self) -> None:
        """Kill the process of a page that takes too much; the page sees a crash."""
        while True:
            await asyncio.sleep(0.25)
            for visit in list(self.visits):
                for pid in visit.guard.pids:
                    if processes.resident_bytes(pid) > self.settings.page_bytes:
                        processes.kill(pid)
