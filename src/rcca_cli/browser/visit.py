"""One page of one app in a context of its own: load it, and talk to it from a world that it cannot reach."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from rcca_cli.browser import scripts
from rcca_cli.browser.guard import Guard, forget, quietly, restless
from rcca_cli.browser.hand import NOWHERE, Hand
from rcca_cli.browser.serve import HOME, LOADS, ORIGIN, Server
from rcca_cli.browser.trouble import AppHung, AppTrouble, BrowserLost, ProtocolError
from rcca_cli.browser.wire import Session

if TYPE_CHECKING:
    from rcca_cli.browser.chromium import Chromium
    from rcca_cli.browser.machine import Machine

T = TypeVar("T")
WORLD = "rcca"
SETTLE = 50  # virtual milliseconds after each action
DIALOGS = 30  # a page may open in one load
TABS = 20  # as well
HELD, AGAIN = 5.0, 0.2  # seconds by the clock that an idle page's load event is waited for, at first and later
START = 30.0  # seconds for what is ours to do
# A page whose source has one of these gets answers in real time, so that resting must wait for real frames.
SLOW = re.compile(
    r"indexedDB|caches\.|\.subtle|FileReader|fetch\(|XMLHttpRequest|toBlob|createImageBitmap|clipboard|Worker\(|import\("
    r"|decodeAudio|MessageChannel|postMessage|whenDefined|arrayBuffer\(|(?:Intersection|Resize)Observer|BroadcastChannel"
    r"|transitionend|animationend|onfinish|\.finished|\.onload|history\.|hashchange|smooth|[\"']scroll|onscroll"
    r"|new Image|http-equiv"
)
HOVERS = re.compile(r":hover|mouse|pointer(?!-events)", re.I)
# What a later load in the same context could find. It is all cleared; a page that names it, or touches it without
# naming it (clock.js), gets a new context as well.
REMEMBERS = re.compile(
    r"[sS]torage|iframe|indexedDB|caches|cookie|history|:visited|window\s*\.\s*name|Worker|BroadcastChannel|\beval\("
    r"|Function\("
)
WINDOW = re.compile(r"window\s*\.\s*(?:addEventListener|on)|(?<![\w.$])addEventListener\s*\(|<body[^>]*\son", re.I)
KEYS = re.compile(r"key(?:down|up|press)", re.I)
ALLOWED = ["clipboardReadWrite", "clipboardSanitizedWrite"]
MEDIA = [
    {"name": "prefers-color-scheme", "value": "light"},
    {"name": "prefers-reduced-motion", "value": "reduce"},
]
GONE = ("Cannot find context", "context was destroyed", "Cannot find default", "Inspected target navigated")


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

    browser: "Chromium"
    session: Session  # open before the page's first script
    hand: Hand

    def __init__(self, machine: "Machine", html: str, seed: int) -> None:
        self.machine = machine
        self.settings = machine.settings
        self.seed = seed
        self.slow = SLOW.search(html) is not None
        self.has_window_listeners = WINDOW.search(html) is not None
        self.hovers = HOVERS.search(html) is not None
        self.hears_keys = KEYS.search(html) is not None
        self.remembers = REMEMBERS.search(html) is not None
        self.guard = Guard(self._interrupt)
        self.server = Server(html, self.guard)
        self.thrown: list[Thrown] = []
        self.answer: tuple[bool, str | None] = (True, None)  # to dialogs
        self.pointed = False  # whether the mouse is somewhere on the page
        self.rest = 0.0  # virtual time still to pass before the next look
        self.dialogs = self.tabs = self.loads = 0
        self._context = ""
        self.held = False  # whether a load never ended
        self._arrived = asyncio.Event()
        self._world: int | None = None
        self._frame = ""

    # Coming and going ------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """A blank page in a fresh context."""
        with _ours():
            self.browser = await self.machine.browser()
            self.browser.visits += 1
            self.browser.open += 1
            async with self.machine.opening:  # so that the new process is this page's
                before = self.browser.renderers()
                await asyncio.wait_for(self._attach(), START)
                self.guard.pids = self.browser.renderers() - before
            await asyncio.wait_for(self._prepare(), START)

    async def _attach(self) -> None:
        """A new context, the page in it, and the line to that."""
        wire, size = self.browser.wire, {"width": self.settings.width, "height": self.settings.height}
        self._context = (await wire.send("Target.createBrowserContext"))["browserContextId"]
        own = {"browserContextId": self._context}
        forget(wire.send("Browser.grantPermissions", own | {"permissions": ALLOWED}))
        forget(wire.send("Browser.setDownloadBehavior", own | {"behavior": "deny"}))
        page = {"url": "about:blank"} | own | size
        # A page's frame is called as the page itself.
        self._frame = (await wire.send("Target.createTarget", page))["targetId"]
        self.browser.on_tab(self._context, self._on_tab)
        attached = await wire.send("Target.attachToTarget", {"targetId": self._frame, "flatten": True})
        self.session = Session(wire, attached["sessionId"])
        self.hand = Hand(self)

    async def _prepare(self) -> None:
        session = self.session
        session.on("Inspector.targetCrashed", self.guard.crash)
        session.on("Page.javascriptDialogOpening", self._on_dialog)
        session.on("Page.loadEventFired", self._on_load)
        clock = scripts.clock(self.machine.secret, self.seed)
        size = {"width": self.settings.width, "height": self.settings.height}
        wanted = (
            ("Page.enable", {}),
            ("Inspector.enable", {}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": clock}),
            ("Emulation.setDeviceMetricsOverride", size | {"deviceScaleFactor": 1, "mobile": False} | _screen(size)),
            ("Emulation.setLocaleOverride", {"locale": "en-US"}),
            ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
            ("Emulation.setEmulatedMedia", {"features": MEDIA}),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        )
        offline = self.machine.isolation == "netns"
        await asyncio.gather(*(session.send(*one) for one in wanted), self.server.start(session, self._frame, offline))

    async def close(self) -> bool:
        """Drop the context with its page; False if that did not work, so that only killing the browser is left."""
        if not hasattr(self, "browser"):
            return True
        self.browser.open -= 1
        if not self._context:
            return True
        self.browser.on_tab(self._context, None)
        wire = self.browser.wire
        try:
            await asyncio.wait_for(wire.send("Target.disposeBrowserContext", {"browserContextId": self._context}), 5)
        except TimeoutError:
            return False
        except ProtocolError:
            pass  # the browser is gone, and the context with it
        if hasattr(self, "session"):
            wire.forget(self.session.name)
        return True

    async def _interrupt(self) -> None:
        await quietly(self.session.send("Runtime.terminateExecution"))

    def _on_load(self, *_: object) -> None:
        self.loads += 1
        self._arrived.set()
        self._world = None

    def _on_tab(self, target: dict[str, Any]) -> None:
        """Close what a link opened; each costs the browser a tenth of a second and more."""
        if target["targetId"] == self._frame:
            return
        self.tabs += 1
        if self.tabs > TABS:
            self.guard.restless = "windows"
            forget(self._interrupt())  # not only at the guard's next look: by then it has opened a hundred more
        forget(self.browser.wire.send("Target.closeTarget", {"targetId": target["targetId"]}))

    def _on_dialog(self, event: dict[str, Any]) -> None:
        self.dialogs += 1
        if self.dialogs > DIALOGS:
            self.guard.restless = "dialogs"
        accept, text = (True, None) if event["type"] == "beforeunload" else self.answer
        words = event.get("defaultPrompt", "") if text is None else text
        answer = {"accept": accept} | ({"promptText": words} if accept and event["type"] == "prompt" else {})
        forget(self.session.send("Page.handleJavaScriptDialog", answer))

    # Loading ---------------------------------------------------------------------------------------------------------

    async def bounded(self, work: Awaitable[T], seconds: float | None = None) -> T:
        """The result of `work`, unless the page crashes or is busy for `seconds` (by default those of an action)."""
        return await self.guard.wait(work, seconds or self.settings.action_seconds)

    async def load(self) -> None:
        """The app from its start: nothing stored, time at its beginning."""
        if self.loads and self.remembers:  # and the next page's clock.js clears the rest
            await self.bounded(self.session.send("Page.navigate", {"url": "about:blank"}))
            everything = {"origin": ORIGIN, "storageTypes": "all"}
            await self.bounded(self.session.send("Storage.clearDataForOrigin", everything))
        if self.pointed and self.hovers:  # or the new page would find the mouse where the last one left it
            await self.bounded(self.hand.move(*NOWHERE))
        self.answer, self.pointed = (True, None), False
        home = {"url": HOME, "referrer": scripts.FRESH, "referrerPolicy": "unsafeUrl"}
        await self._navigate("Page.navigate", home)

    async def again(self) -> None:
        """The app loaded anew, as by the reload button; what it stored stays."""
        await self._navigate("Page.reload", {})

    async def _navigate(self, method: str, where: dict[str, Any]) -> None:
        self.thrown = []
        self.dialogs = self.tabs = 0
        self.guard.restless = None
        self.server.begin()
        self.rest = SETTLE
        self._world = None
        self._arrived.clear()
        try:
            # What goes on to another document while it loads has an error here; the server counts those.
            await self.bounded(self.session.send(method, where), self.settings.load_seconds)
            await self.bounded(self._all_there(), self.settings.load_seconds)
        except ProtocolError as error:
            raise BrowserLost(error.message) from None

    async def _all_there(self) -> None:
        """Wait for the load event. An idle page that holds it back (a frame left open) is taken as it is."""
        try:
            await asyncio.wait_for(self._arrived.wait(), AGAIN if self.held else HELD)
        except TimeoutError:
            self.held = True
            self._on_load()

    # Talking to the page ---------------------------------------------------------------------------------------------

    async def turn(self, **request: Any) -> dict[str, Any]:
        """Let the outstanding virtual time pass, then do what `request` says (eyes/resting.js), all in one trip."""
        if self.rest:
            request["rest"] = self.rest
            self.rest = 0.0
        if self.slow:
            request["patient"] = True
        for _ in range(LOADS):
            served, refused, loads = self.server.served, self.server.refused, self.loads
            answer = await self._asked(request)
            if self.guard.restless:
                raise AppHung(restless(self.guard.restless))
            if answer is not None and not answer["leaving"]:
                return answer
            request["rest"] = SETTLE
            await self._arrival(served, refused, loads)
        raise AppHung(restless("reloads"))

    async def _asked(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """The page's answer; None if it went away while it was asked."""
        try:
            answer = await self.evaluate(f"rcca.turn({json.dumps(request)})")
        except ProtocolError as error:
            if not any(word in error.message for word in GONE):
                raise BrowserLost(error.message.splitlines()[0]) from None
            self._world = None
            return None
        if answer["rest"]:
            self.thrown += [Thrown(**one) for one in answer["rest"]["errors"]]
            self.remembers |= answer["rest"]["kept"]
        return dict(answer)

    async def _arrival(self, served: int, refused: int, loads: int) -> None:
        """Wait until the document that the page went for has loaded, or going there was refused."""
        waited = 0.0
        while self.loads == loads and self.server.refused == refused:
            await self.bounded(asyncio.sleep(0.01), self.settings.load_seconds)
            waited += 0.01
            if waited > 3 and self.server.served == served:
                break  # it asked for none: a download, a script's address
        if self.loads == loads:
            with contextlib.suppress(ProtocolError):
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
            expression = scripts.eyes(self.machine.secret) + expression
        arguments = {"expression": expression, "contextId": world, "awaitPromise": True, "returnByValue": True}
        reply = await self.bounded(self.session.send("Runtime.evaluate", arguments))
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            words = details.get("exception", {}).get("description") or details["text"]
            if "Maximum call stack" in words:  # ours goes no deeper than the page does
                raise AppTrouble("the page is nested too deeply to be read")
            raise BrowserLost(f"our script failed: {words.splitlines()[0]}")
        self._world = world
        return reply["result"].get("value")


@contextlib.contextmanager
def _ours() -> Iterator[None]:
    """What fails in here is our doing."""
    try:
        yield
    except (TimeoutError, ProtocolError) as error:
        raise BrowserLost(str(error).splitlines()[0] if str(error) else "the browser does not answer") from None


def _screen(size: dict[str, int]) -> dict[str, int]:
    return {"screenWidth": size["width"], "screenHeight": size["height"]}
