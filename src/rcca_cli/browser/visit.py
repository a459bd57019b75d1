"""One page of one app in a context of its own: load, act, look, each bounded by the page's processor time."""

import asyncio
import base64
import contextlib
import json
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar

from playwright.async_api import BrowserContext, CDPSession, Dialog, Error, Page

from rcca_cli.browser import processes
from rcca_cli.browser.trouble import AppCrashed, AppHung, AppTrouble, BrowserLost

if TYPE_CHECKING:
    from rcca_cli.browser.machine import Machine

T = TypeVar("T")
ORIGIN = "https://app.test"
HOME = ORIGIN + "/"
HEADERS = [{"name": "content-type", "value": "text/html; charset=utf-8"}]
FRESH = "https://fresh.test/"  # the referrer of a load that starts with empty storage
START = 1_767_603_600_000  # 2026-01-05T09:00:00Z
WORLD = "rcca"
SETTLE = 50  # virtual milliseconds after each action
LOADS = 12  # documents one load may ask for, before it is a reload loop
REQUESTS = 300  # answered one by one
DOCUMENTS = {"urlPattern": "*", "resourceType": "Document"}
DIALOGS = 30
WALL = 60.0  # seconds without an answer from a page that is not busy, before we give up: our fault, not the page's
# A page whose source has one of these gets answers in real time, so that resting must wait for real frames.
SLOW = re.compile(
    r"indexedDB|caches\.|\.subtle|FileReader|fetch\(|XMLHttpRequest|toBlob|createImageBitmap|clipboard|Worker\(|import\("
    r"|decodeAudio|MessageChannel|postMessage|whenDefined|arrayBuffer\(|(?:Intersection|Resize)Observer|BroadcastChannel"
    r"|transitionend|animationend|onfinish|\.finished|\.onload|history\.|hashchange|smooth|[\"']scroll|onscroll"
    r"|new Image|http-equiv"
)
KEYS = re.compile(r"key(?:down|up|press)", re.I)
GONE = (
    "Cannot find context",
    "context was destroyed",
    "Cannot find default",
    "Inspected target navigated",
    "uniqueContextId",
)


STUCK = "the page stopped answering (an endless loop, or too much memory)"


@dataclass(frozen=True)
class Thrown:
    """An error the page did not catch. Line and column as the browser counts them: from 1, columns in UTF-16 units."""

    kind: str  # error or rejection
    message: str
    line: int
    column: int
    stack: str | None


class Visit:
    """The page. Every method raises AppHung or AppCrashed for what the app did, BrowserLost for what we did."""

    def __init__(self, machine: "Machine", html: str, seed: int) -> None:
        self.machine = machine
        self.settings = machine.settings
        self.html = html
        self.seed = seed
        self._body = base64.b64encode(html.encode("utf-8", "replace")).decode()
        self.slow = SLOW.search(html) is not None
        self.hears_keys = KEYS.search(html) is not None
        self.stores = "indexedDB" in html or "caches" in html
        self.pids: set[int] = set()
        self.thrown: list[Thrown] = []
        self.answer: tuple[bool, str | None] = (True, None)
        self.patience = 1.0  # a factor on how long the page may be busy
        self.pointed = False  # whether the mouse is somewhere on the page
        self.rest = 0.0  # virtual time still to pass before the next look
        self.dialogs = self.requests = self.documents = self.loads = 0
        self.flooded: str | None = None
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._session: CDPSession | None = None
        self._world: int | None = None
        self._frame = ""
        self._crashed: asyncio.Future[None] | None = None

    @property
    def page(self) -> Page:
        """Playwright's page."""
        assert self._page is not None
        return self._page

    @property
    def session(self) -> CDPSession:
        """The DevTools session that was open before the page's first script."""
        assert self._session is not None
        return self._session

    # Coming and going ------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """A blank page in a fresh context."""
        browser = await self.machine.browser()
        self._crashed = asyncio.get_running_loop().create_future()
        assert self.machine.opening is not None
        with _ours():
            async with self.machine.opening:  # so that the new process is this page's
                before = self.machine.renderers()
                self._context = await asyncio.wait_for(self._new_context(browser), 30)
                self._page = await asyncio.wait_for(self._context.new_page(), 30)
                self.pids = self.machine.renderers() - before
            self._page.on("crash", lambda _: self._on_crash())
            self._page.on("dialog", self._on_dialog)
            self._page.on("load", lambda _: self._on_load())
            self._context.on("page", self._on_popup)
            self._session = await asyncio.wait_for(self._context.new_cdp_session(self._page), 30)
            self._session.on("Fetch.requestPaused", self._serve)
            await asyncio.wait_for(self._prepare(), 30)

    async def _new_context(self, browser: Any) -> BrowserContext:
        size = {"width": self.settings.width, "height": self.settings.height}
        return await browser.new_context(
            viewport=size,
            screen=size,
            locale="en-US",
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
            service_workers="block",
            accept_downloads=False,
            permissions=["clipboard-read", "clipboard-write"],
        )

    async def _prepare(self) -> None:
        assert self._context is not None
        values = {"SECRET": self.machine.secret, "START": str(START), "FRESH": FRESH}
        await asyncio.gather(
            self._context.add_init_script(script("clock.js", SEED=str(self.seed & 0x7FFFFFFF), **values)),
            self.session.send("Fetch.enable", {"patterns": self._intercepted()}),
        )
        tree = await self.session.send("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]

    def _intercepted(self) -> list[dict[str, str]]:
        """What we answer: the app, and whatever would replace it. Without a network, the rest fails by itself."""
        if self.machine.isolation == "netns":
            return [{"urlPattern": HOME + "*"}, DOCUMENTS]
        return [{"urlPattern": "*"}]

    async def close(self) -> bool:
        """Drop the context with its page; False if that did not work, so that only killing the browser is left."""
        if self._context is None:
            return True
        try:
            await asyncio.wait_for(self._context.close(), 5)
        except TimeoutError:
            return False
        except Error:
            pass  # the browser is gone, and the context with it
        return True

    # What the page does by itself ------------------------------------------------------------------------------------

    def _on_crash(self) -> None:
        if self._crashed is not None and not self._crashed.done():
            self._crashed.set_result(None)

    def _on_load(self) -> None:
        self.loads += 1
        self._world = None

    def _on_popup(self, page: Page) -> None:
        forget(page.close())

    async def _on_dialog(self, dialog: Dialog) -> None:
        self.dialogs += 1
        accept, text = self.answer
        with contextlib.suppress(Error):
            if self.dialogs > DIALOGS:
                self.flooded = "dialogs"
            if dialog.type == "beforeunload":
                await dialog.accept()
            elif accept:
                await dialog.accept(text if text is not None else dialog.default_value)
            else:
                await dialog.dismiss()

    async def _serve(self, event: dict[str, Any]) -> None:
        """The app at its origin; nothing else exists."""
        url = event["request"]["url"].partition("#")[0].partition("?")[0]
        is_document = event["resourceType"] == "Document"
        self.requests += 1
        self.documents += is_document and url == HOME
        if self.documents > LOADS:
            self.flooded = "reloads"
        if self.requests == REQUESTS:  # from here on the network, which is not there, answers
            forget(self.session.send("Fetch.enable", {"patterns": [DOCUMENTS]}))
        answer = {"requestId": event["requestId"]}
        with contextlib.suppress(Error):
            if url == HOME and not self.flooded:
                page = {"responseCode": 200, "responseHeaders": HEADERS, "body": self._body}
                await self.session.send("Fetch.fulfillRequest", answer | page)
            else:  # "Aborted" keeps the document that wanted to leave
                why = "Aborted" if is_document else "BlockedByClient"
                await self.session.send("Fetch.failRequest", answer | {"errorReason": why})

    # Bounded talk ----------------------------------------------------------------------------------------------------

    def cpu(self) -> float:
        """Processor seconds used by the page's process so far."""
        return sum(map(processes.cpu_seconds, self.pids))

    async def bounded(self, work: Awaitable[T], seconds: float | None = None) -> T:
        """The result of `work`, unless the page crashes or keeps its processor busy for `seconds`."""
        seconds = (seconds or self.settings.action_seconds) * self.patience
        assert self._crashed is not None
        task: asyncio.Future[Any] = asyncio.ensure_future(work)
        start, waited, step = 0.0, 0.0, min(0.5, seconds / 2)
        try:
            while not task.done():
                await asyncio.wait({task, self._crashed}, timeout=step, return_when=asyncio.FIRST_COMPLETED)
                if task.done() or self._crashed.done():
                    break
                if not waited:
                    start = self.cpu()  # asked only now, because most work is done by now
                waited += step
                if self.flooded:
                    await self.interrupt()
                    raise AppHung(f"the page never comes to rest ({self.flooded})")
                if self.cpu() - start >= seconds or (not self.pids and waited >= 3 * seconds):
                    await self.interrupt()
                    raise AppHung(STUCK)
                if waited >= WALL:
                    raise BrowserLost(f"no answer for {WALL:.0f} s, though the page was not busy (is the machine?)")
            if self._crashed.done():
                raise AppCrashed(STUCK)
            return await task
        except Error as error:
            raise self._trouble(error) from None
        finally:
            forget(task)

    def _trouble(self, error: Error) -> Exception:
        assert self._crashed is not None
        if self._crashed.done() or "crashed" in error.message.lower():
            return AppCrashed(STUCK)
        if any(word in error.message for word in ("has been closed", "Connection closed", "Browser closed")):
            return BrowserLost("the browser was closed")
        return error

    async def interrupt(self) -> None:
        """Stop the page's running script, so that closing the page is quick."""
        with contextlib.suppress(Error, asyncio.TimeoutError):
            await asyncio.wait_for(self.session.send("Runtime.terminateExecution"), 2)

    # Loading ---------------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """The app from its start: nothing stored, time at its beginning."""
        if self.loads and self.stores:
            await self.bounded(self.page.goto("about:blank"))
            await self.bounded(
                self.session.send("Storage.clearDataForOrigin", {"origin": ORIGIN, "storageTypes": "all"})
            )
        if self.pointed:  # or the new page would find the mouse where the last one left it
            await self.bounded(self.page.mouse.move(-10, -10))
        self.answer, self.pointed = (True, None), False
        self._begin()
        await self._navigate(self.page.goto(HOME, referer=FRESH, timeout=0))

    async def again(self) -> None:
        """The app loaded anew, as by the reload button; what it stored stays."""
        self._begin()
        await self._navigate(self.page.reload(timeout=0))

    def _begin(self) -> None:
        self.thrown = []
        self.dialogs = self.requests = self.documents = 0
        self.flooded = None
        self.rest = SETTLE
        self._world = None

    async def _navigate(self, going: Awaitable[Any]) -> None:
        try:
            await self.bounded(going, self.settings.load_seconds)
        except Error as error:
            if "ERR_ABORTED" not in error.message and "interrupted" not in error.message:
                raise BrowserLost(error.message.splitlines()[0]) from None
            # It navigated again while loading; the route counts that.

    # Talking to the page ---------------------------------------------------------------------------------------------

    async def turn(self, **request: Any) -> dict[str, Any]:
        """Let the outstanding virtual time pass, then do what `request` says (eyes.js), all in one trip."""
        if self.rest:
            request["rest"] = self.rest
            self.rest = 0.0
        if self.slow:
            request["patient"] = True
        for _ in range(LOADS):
            try:
                answer = await self.evaluate(f"rcca.turn({json.dumps(request)})")
            except Error as error:
                if not any(word in error.message for word in GONE):
                    raise BrowserLost(error.message.splitlines()[0]) from None
                self._world = None  # it navigated under our eyes
                request["rest"] = SETTLE
                await self._arrival()
                continue
            self._note(answer)
            if self.flooded:
                raise AppHung(f"the page never comes to rest ({self.flooded})")
            if not answer["leaving"]:
                return answer
            request["rest"] = SETTLE
            await self._arrival()
        raise AppHung("the page never comes to rest (reloads)")

    def _note(self, answer: dict[str, Any]) -> None:
        if answer["rest"]:
            self.thrown += [Thrown(**one) for one in answer["rest"]["errors"]]

    async def _arrival(self) -> None:
        """Wait for the document that the page went for, or for the page to have stayed."""
        before, asked = self.loads, self.documents
        for _ in range(100):
            await self.bounded(asyncio.sleep(0.02))
            if self.loads > before:
                return
            if self.documents == asked and _ > 10:
                break  # it wanted to go elsewhere, which is refused
        with contextlib.suppress(Error):
            await self.evaluate("rcca.stay()")

    async def world(self) -> int:
        """The execution context of our own world in the page that is loaded now, with our eyes in it."""
        if self._world is None:
            await self.evaluate("0")
        assert self._world is not None
        return self._world

    async def evaluate(self, expression: str) -> Any:
        """The value of an expression in our own world."""
        world = self._world
        if world is None:
            where = {"frameId": self._frame, "worldName": WORLD}
            made = await self.bounded(self.session.send("Page.createIsolatedWorld", where))
            world = int(made["executionContextId"])
            expression = script("eyes.js", SECRET=self.machine.secret) + expression
        reply = await self.bounded(
            self.session.send(
                "Runtime.evaluate",
                {
                    "expression": expression,
                    "contextId": world,
                    "awaitPromise": True,
                    "returnByValue": True,
                },
            )
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            words = details.get("exception", {}).get("description") or details["text"]
            raise BrowserLost(f"our script failed: {words.splitlines()[0]}")
        self._world = world
        return reply["result"].get("value")


@cache
def script(name: str, **values: str) -> str:
    """The text of one of our scripts with its values put in."""
    return Template(resources.files(__package__).joinpath(name).read_text(encoding="utf-8")).safe_substitute(values)


@contextlib.contextmanager
def _ours() -> Any:
    """What fails in here is our doing."""
    try:
        yield
    except (TimeoutError, Error) as error:
        raise BrowserLost(str(error).splitlines()[0] if str(error) else "the browser does not answer") from None


def forget(task: Any) -> None:
    """Let a task end by itself; nobody waits for it and its error is nobody's."""
    future = asyncio.ensure_future(task)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())


__all__ = ["AppTrouble", "Thrown", "Visit"]
