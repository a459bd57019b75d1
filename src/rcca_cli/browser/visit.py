"""One app on a tab: load it, and talk to it from a world that it cannot reach."""

import asyncio
import contextlib
import json
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from rcca_cli.browser import cdn, scripts
from rcca_cli.browser.guard import forget, quietly, restless
from rcca_cli.browser.hand import NOWHERE
from rcca_cli.browser.serve import HOME, LOADS, ORIGIN, Server
from rcca_cli.browser.tab import START, Tab, ours
from rcca_cli.browser.trouble import AppHung, AppTrouble, BrowserLost, ProtocolError

if TYPE_CHECKING:
    from rcca_cli.browser.machine import Machine

T = TypeVar("T")
WORLD = "rcca"
SETTLE = 50  # virtual milliseconds after each action
DIALOGS = 30  # a page may open in one load
TABS = 20  # as well
HELD, AGAIN = 5.0, 0.2  # seconds by the clock that an idle page's load event is waited for, at first and later
# A page whose source has one of these gets answers in real time, so that resting must wait for real frames.
SLOW = re.compile(
    r"indexedDB|caches\.|\.subtle|FileReader|fetch\(|XMLHttpRequest|toBlob|createImageBitmap|clipboard|Worker\(|import\("
    r"|decodeAudio|MessageChannel|postMessage|whenDefined|arrayBuffer\(|(?:Intersection|Resize)Observer|BroadcastChannel"
    r"|transitionend|animationend|onfinish|\.finished|\.onload|popstate|hashchange|smooth|[\"']scroll|onscroll"
    r"|history\s*(?:\?\.|\.|\[)\s*[\"']?(?:back|forward|go)\b"
    r"|new Image|http-equiv"
)
# What comes with the drawing of a page only.
DRAWN = re.compile(
    r"autofocus|startViewTransition|VideoFrame|<video|captureStream|content-visibility|[\"']resize|onresize"
)
CANVAS = re.compile(r"canvas", re.I)
HOVERS = re.compile(r":hover|mouse|pointer(?!-events)", re.I)
# What a later load in the same context could find. It is all cleared; a page that names it, or touches it without
# naming it (clock.js), gets a new context as well.
REMEMBERS = re.compile(
    r"[sS]torage|iframe|indexedDB|caches|cookie|(?:push|replace)State|:visited|window\s*\.\s*name|Worker|BroadcastChannel|\beval\("
    r"|Function\("
)
# What runs when a page is left: in the time of the app after it, if that had the same tab.
LEAVES = re.compile(r"pagehide|unload|visibilitychange|freeze|pageswap")
WINDOW = re.compile(r"window\s*\.\s*(?:addEventListener|on)|(?<![\w.$])addEventListener\s*\(|<body[^>]*\son", re.I)
KEYS = re.compile(r"key(?:down|up|press)", re.I)
# What tells how long a key or a button is held. Others get both halves at once, which costs less.
KEY_UP, BUTTON_UP = re.compile(r"keyup", re.I), re.compile(r"(?:mouse|pointer|touch)(?:up|end)", re.I)
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
    """The app on a tab. Every method raises AppHung or AppCrashed for what the app did, BrowserLost for what we did."""

    tab: Tab

    def __init__(self, machine: "Machine", html: str, seed: int, files: Mapping[str, str] | None = None) -> None:
        self.machine = machine
        self.settings = machine.settings
        self.html = html
        self.files = files or {}
        self.seed = seed
        source = "\n".join([html, *self.files.values()])
        self.names_cdn = cdn.named(source)

        def may(pattern: re.Pattern[str]) -> bool:
            """Whether the source says so; libraries, whose source is not seen here, may do anything."""
            return self.names_cdn or pattern.search(source) is not None

        self.slow, self.remembers, self.lingers = may(SLOW), may(REMEMBERS), may(LEAVES)
        self.needs_frames, self.draws = self.slow or may(DRAWN), may(CANVAS)
        self.hears_key_up, self.hears_button_up = may(KEY_UP), may(BUTTON_UP)
        self.hovers, self.hears_keys, self.has_window_listeners = may(HOVERS), may(KEYS), may(WINDOW)
        self.thrown: list[Thrown] = []
        self.answer: tuple[bool, str | None] = (True, None)  # to dialogs
        self.rest = 0.0  # virtual time still to pass before the next look
        self.dialogs = self.tabs = self.loads = 0
        self.held = False  # whether a load never ended
        self.still = False  # whether no timer ran in the time that passed last, and none is set
        self.opening = 0  # databases that the page waits for
        self.spoiled = False  # whether the tab is of no use to another app
        self.inherited = False  # whether the document on the tab is still that of the app before
        self._of_before = False  # whether it was when it was interrupted
        self._arrived = asyncio.Event()
        self._world: int | None = None

    async def begin(self, tab: Tab) -> None:
        """Take the tab over."""
        self.tab, self.session, self.guard, self.hand = tab, tab.session, tab.guard, tab.hand
        self.guard.begin(self._interrupt)
        self.hand.ask, self.hand.at_once = self.evaluate, not self.slow
        mirror = self.settings.mirror
        self.server = Server(self.html, self.guard, self.names_cdn, mirror, self.files.get)
        self.session.on("Page.javascriptDialogOpening", self._on_dialog)
        self.session.on("Page.loadEventFired", self._on_load)
        tab.on_tab(self._on_tab)
        with ours():
            clock = scripts.clock(self.machine.secret, self.seed, self.draws)
            offline = self.machine.isolation == "netns"
            serving = self.server.start(self.session, tab.frame, offline)
            await self._unless_lost(asyncio.gather(tab.run_first(clock), serving))
        self.inherited = tab.uses > 1
        self.session.on("Page.frameNavigated", self._on_document)

    @property
    def missing(self) -> set[cdn.Missing]:
        """What the page asked of CDNs in vain, over all its loads."""
        return self.server.missing

    @property
    def is_clean(self) -> bool:
        """Whether another app on the same tab could find nothing of this one."""
        lasting = self.lingers or self.slow or self.remembers or bool(self.files)  # which a cache may keep
        return not (lasting or self.spoiled or self.held or self.tabs)

    async def _unless_lost(self, work: "asyncio.Future[Any]") -> None:
        """Do our own work on the tab, whose process may have ended while it waited for an app."""
        crashed = self.guard.crashed
        forget(work)  # should we be told to end meanwhile
        await asyncio.wait({work, crashed}, timeout=START, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise BrowserLost("the tab was lost while it waited" if crashed.done() else "the browser does not answer")
        await work

    async def _interrupt(self) -> None:
        self.spoiled = True
        self._of_before = self.inherited  # once it is interrupted, what hung ends, and our own document comes
        await quietly(self.session.send("Runtime.terminateExecution"))

    def _on_document(self, event: dict[str, Any]) -> None:
        self.inherited &= event["frame"]["id"] != self.tab.frame

    def _on_load(self, *_: object) -> None:
        self.loads += 1
        self._arrived.set()
        self._world = None

    def _on_tab(self, target: dict[str, Any]) -> None:
        """Close what a link opened; each costs the browser a tenth of a second and more."""
        self.tabs += 1
        if self.tabs > TABS:
            self.guard.restless = "windows"
            forget(self._interrupt())  # not only at the guard's next look: by then it has opened a hundred more
        forget(self.session.wire.send("Target.closeTarget", {"targetId": target["targetId"]}))

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
        # What is not drawn notices no mouse that rests, nor answers to a mere move. What is drawn would find it there.
        if self.hand.pointed and self.hovers and self.tab.frames:
            await self.bounded(self.hand.move(*NOWHERE))
        self.answer = (True, None)
        home = {"url": HOME, "referrer": scripts.FRESH, "referrerPolicy": "unsafeUrl"}
        await self._navigate("Page.navigate", home)

    async def again(self) -> None:
        """The app loaded anew, as by the reload button; what it stored stays."""
        await self._navigate("Page.reload", {})

    async def _navigate(self, method: str, where: dict[str, Any]) -> None:
        self.thrown = []
        self.dialogs = self.tabs = 0
        self.guard.restless, self.still = None, False
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
        except AppTrouble as trouble:
            if not (self.inherited or self._of_before):
                raise
            self.machine.distrust()
            raise BrowserLost(f"the app before on this tab did not leave it: {trouble}") from None

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
            self.spoiled |= answer["rest"]["moved"]
            self.opening = answer["rest"]["opening"]
            self.still = not (answer["rest"]["ran"] or answer["rest"]["waiting"])
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
            where = {"frameId": self.tab.frame, "worldName": WORLD}
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
