"""One page in a context of its own, with the line to it and what watches over it, to be used by one app at a time."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rcca_cli.browser import processes
from rcca_cli.browser.chromium import Chromium
from rcca_cli.browser.guard import Guard, forget
from rcca_cli.browser.hand import Hand
from rcca_cli.browser.trouble import BrowserLost, ProtocolError
from rcca_cli.browser.wire import Handler, Session

if TYPE_CHECKING:
    from rcca_cli.browser.machine import Settings

START = 30.0  # seconds for what is ours to do
CLOSE = 5.0
USES, LIGHT = 20, 250_000_000  # apps that a tab serves, and bytes that its process may hold between two of them
ALLOWED = ["clipboardReadWrite", "clipboardSanitizedWrite"]
MEDIA = [
    {"name": "prefers-color-scheme", "value": "light"},
    {"name": "prefers-reduced-motion", "value": "reduce"},
]


class Tab:
    """The page. BrowserLost if the browser does not do as it is told."""

    session: Session  # open before the page's first script
    hand: Hand

    def __init__(self, browser: Chromium, frames: bool) -> None:
        self.browser = browser
        self.frames = frames  # whether the page is drawn; if not, a third of the cost of a load is saved
        self.guard = Guard()
        self.frame = ""  # of the page, which is called as the page itself
        self.uses = 0
        self._context = ""
        self._script: str | None = None

    async def open(self, settings: "Settings", opening: asyncio.Lock) -> None:
        """A blank page in a fresh context. `opening` keeps others from starting processes meanwhile."""
        self.browser.open += 1
        with ours():
            async with opening:  # so that the new process is this page's
                before = self.browser.renderers()
                await asyncio.wait_for(self._attach(settings), START)
                self.guard.pids = self.browser.renderers() - before
            await asyncio.wait_for(self._prepare(settings), START)

    async def _attach(self, settings: "Settings") -> None:
        """A new context, the page in it, and the line to that."""
        wire = self.browser.wire
        self._context = (await wire.send("Target.createBrowserContext"))["browserContextId"]
        own = {"browserContextId": self._context}
        forget(wire.send("Browser.grantPermissions", own | {"permissions": ALLOWED}))
        forget(wire.send("Browser.setDownloadBehavior", own | {"behavior": "deny"}))
        page = {"url": "about:blank", "width": settings.width, "height": settings.height} | own
        if not self.frames:
            page["enableBeginFrameControl"] = True  # and none is ever asked for
        self.frame = (await wire.send("Target.createTarget", page))["targetId"]
        self.session = await self.another_session()
        self.hand = Hand(self.session)
        await self.session.send("Page.enable")  # answered by the page's own process, which therefore runs by now

    async def another_session(self) -> Session:
        """A line to the page beside those there are; what it switches on ends with it."""
        attached = await self.browser.wire.send("Target.attachToTarget", {"targetId": self.frame, "flatten": True})
        return Session(self.browser.wire, attached["sessionId"])

    async def _prepare(self, settings: "Settings") -> None:
        session, width, height = self.session, settings.width, settings.height
        session.on("Inspector.targetCrashed", self.guard.crash)
        size = {"width": width, "height": height, "screenWidth": width, "screenHeight": height}
        wanted: tuple[tuple[str, dict[str, Any]], ...] = (
            ("Inspector.enable", {}),
            ("Emulation.setDeviceMetricsOverride", size | {"deviceScaleFactor": 1, "mobile": False}),
            ("Emulation.setLocaleOverride", {"locale": "en-US"}),
            ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
            ("Emulation.setEmulatedMedia", {"features": MEDIA}),
            ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        )
        await asyncio.gather(*(session.send(*one) for one in wanted))

    async def run_first(self, script: str) -> None:
        """Run this before the first script of every document from now on, instead of what was to run so far."""
        self.uses += 1
        if self._script is not None:
            old = {"identifier": self._script}
            forget(self.session.send("Page.removeScriptToEvaluateOnNewDocument", old))
        added = await self.session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self._script = added["identifier"]

    def on_tab(self, handler: Handler) -> None:
        """Call `handler` with each page that this one opens."""
        self.browser.on_tab(self._context, lambda target: target["targetId"] == self.frame or handler(target))

    @property
    def is_fit(self) -> bool:
        """Whether it can serve another app, as far as the tab itself can tell."""
        heavy = sum(map(processes.resident_bytes, self.guard.pids)) > LIGHT
        return not (self.hand.is_holding or self.guard.is_crashed or self.browser.is_lost or self.uses >= USES or heavy)

    async def close(self) -> bool:
        """Drop the context with its page; False if that did not work, so that only killing the browser is left."""
        self.browser.open -= 1
        if not self._context:
            return True
        self.browser.on_tab(self._context, None)
        wire = self.browser.wire
        try:
            context = {"browserContextId": self._context}
            await asyncio.wait_for(wire.send("Target.disposeBrowserContext", context), CLOSE)
        except TimeoutError:
            return False
        except ProtocolError:
            pass  # the browser is gone, and the context with it
        if hasattr(self, "session"):
            self.session.forget()
        return True


@contextlib.contextmanager
def ours() -> Iterator[None]:
    """What fails in here is our doing."""
    try:
        yield
    except (TimeoutError, ProtocolError) as error:
        raise BrowserLost(str(error).splitlines()[0] if str(error) else "the browser does not answer") from None
