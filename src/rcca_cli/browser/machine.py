"""One browser, kept warm, driven by an event loop in a thread of its own; started anew when it had to be killed."""

import asyncio
import contextlib
import secrets
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rcca_cli.browser import chromium, find, processes
from rcca_cli.browser.chromium import Chromium
from rcca_cli.browser.guard import forget
from rcca_cli.browser.mirror import Mirror
from rcca_cli.browser.tab import Tab
from rcca_cli.browser.visit import Visit
from rcca_cli.errors import RccaError

T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """How the browser is run. Seconds are of the page's own processor time; by the wall it may take a minute."""

    executable: str | None = None
    isolate: bool = True
    required: str | None = None  # isolation, netns or flags, without which nothing is opened
    width: int = 1280
    height: int = 720
    action_seconds: float = 2.0
    load_seconds: float = 4.0
    page_bytes: int = 1_500_000_000
    mirror: Mirror | None = None  # of the libraries that CDNs have
    recycle: int = 500  # visits after which a browser makes way for a fresh one


class Machine:
    """A browser to visit pages with. Use as a context manager; `run` takes a coroutine function from any thread."""

    opening: asyncio.Lock  # held while a visit opens, so that its new process is known to be its own
    _starting: asyncio.Lock

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.secret = secrets.token_hex(8)  # names of events; never in the output
        self.isolation = "none"
        self.sandbox = False
        self.version = ""
        self.loop = asyncio.new_event_loop()
        self.visits: set[Visit] = set()
        self._idle: list[Tab] = []
        self._thread = threading.Thread(target=self.loop.run_forever, name="browser", daemon=True)
        self._browser: Chromium | None = None
        self._retired: set[Chromium] = set()  # they end with the last page they have
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

    @property
    def pid(self) -> int | None:
        """The browser's process; None if there is none now."""
        return self._browser.pid if self._browser is not None else None

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
            for browser in self._all():
                browser.kill()
            self.loop.call_soon_threadsafe(self.loop.stop)
            self._thread.join(timeout=5)
        if not self.loop.is_running():
            self.loop.close()
        with contextlib.suppress(OSError):  # a browser that was killed may write its last files
            self._folder.cleanup()

    def _all(self) -> list[Chromium]:
        return [*self._retired, *([self._browser] if self._browser is not None else [])]

    async def _start(self) -> None:
        self.opening = asyncio.Lock()
        self._starting = asyncio.Lock()
        await self.browser()
        self._watchdog = asyncio.create_task(self._watch_memory())

    async def _launch(self) -> Chromium:
        settings, folder = self.settings, Path(self._folder.name)
        program = find.executable(settings.executable) or await _playwrights_own()
        folder.chmod(0o711)  # the browser may be another user
        browser = await chromium.start(program, folder, settings.isolate, settings.required)
        self.version, self.sandbox = browser.version, browser.cell.sandbox
        self.isolation = browser.cell.isolation
        return browser

    async def _stop(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
        await asyncio.gather(*[browser.close() for browser in self._all()])
        # What still waits for a browser that is gone ends here, not when its loop is thrown away.
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=chromium.GRACE)

    async def browser(self) -> Chromium:
        """The browser, started anew if it is gone or has had its share of pages."""
        async with self._starting:
            worn = self._browser is not None and self._browser.visits >= self.settings.recycle
            if self._browser is not None and (worn or self._browser.is_lost):
                self._retired.add(self._browser)
                self._browser = None
                await self._drop_idle()
                await self._end_retired()
            if self._browser is None:
                self._browser = await self._launch()
            return self._browser

    async def _end_retired(self) -> None:
        """End the browsers that make way and have no pages any longer."""
        for browser in [one for one in self._retired if not one.open or one.is_lost]:
            self._retired.discard(browser)
            await browser.close()

    def renderers(self) -> set[int]:
        """The processes that run pages, without those of tabs that wait for another app."""
        waiting = {pid for tab in self._idle for pid in tab.guard.pids}
        return {pid for browser in self._all() for pid in browser.renderers()} - waiting

    @contextlib.asynccontextmanager
    async def visit(
        self, html: str, seed: int, frames: bool = True, files: Mapping[str, str] | None = None
    ) -> AsyncIterator[Visit]:
        """A page for `html`, not loaded yet; `seed` is the page's chance, `files` the app's others by their paths.

        `frames`: whether it must be drawn, as for the wheel, for hovering and dragging; a page whose own code waits
        for that is drawn anyway.

        It is in a fresh context, or in one of which every app before could not have kept anything.
        """
        visit = Visit(self, html, seed, files)
        tab = await self._tab(frames or visit.needs_frames, fresh=not visit.is_clean)
        self.visits.add(visit)
        try:
            await visit.begin(tab)
            yield visit
        except BaseException:
            visit.spoiled = True
            raise
        finally:
            self.visits.discard(visit)
            if visit.is_clean and tab.is_fit:
                self._idle.append(tab)
            else:
                await self._drop(tab)

    async def _tab(self, frames: bool, fresh: bool) -> Tab:
        """A tab that waits for an app, or a new one."""
        browser = await self.browser()
        browser.visits += 1
        for tab in [one for one in self._idle if one.frames == frames and not fresh]:
            self._idle.remove(tab)
            if tab.browser is browser and tab.is_fit:
                return tab
            await self._drop(tab)
        tab = Tab(browser, frames)
        try:
            await tab.open(self.settings, self.opening)
        except BaseException:
            await self._drop(tab)
            raise
        return tab

    def distrust(self) -> None:
        """Close the tabs that wait: one of them was not as an app should find it, and others may be of the same app."""
        forget(self._drop_idle())

    def _drop_idle(self) -> "asyncio.Future[list[None]]":
        """No tab waits any longer; the end of dropping them."""
        idle, self._idle = self._idle, []
        return asyncio.gather(*map(self._drop, idle))

    async def _drop(self, tab: Tab) -> None:
        if not await tab.close():
            tab.browser.kill()  # its neighbours see BrowserLost; the next visit starts another
        await self._end_retired()

    async def _watch_memory(self) -> None:
        """Kill the process of a page that takes too much; the page sees a crash."""
        while True:
            await asyncio.sleep(0.25)
            for visit in list(self.visits):
                for pid in visit.guard.pids:
                    if processes.resident_bytes(pid) > self.settings.page_bytes:
                        processes.kill(pid)


async def _playwrights_own() -> str:
    """The browser that `playwright install` brought; RccaError if there is none."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        program = playwright.chromium.executable_path
    if not Path(program).exists():
        raise RccaError(chromium.MISSING)
    return program
