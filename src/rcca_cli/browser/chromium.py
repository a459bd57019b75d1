"""One browser process: started in the best cell that this machine allows, talked to, and ended with all its pages."""

import asyncio
import contextlib
import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rcca_cli.browser import find, processes
from rcca_cli.browser.trouble import ProtocolError
from rcca_cli.browser.wire import PIPED, Handler, Wire
from rcca_cli.errors import RccaError

PATIENCE = 30.0  # seconds until a browser must have said hello
GRACE = 5.0  # seconds to end by itself
MARK = "--rcca-browser"  # no switch of Chromium: whoever lists processes sees whose it is
MISSING = "no browser: install one (apt-get install chromium-headless-shell, or playwright install chromium)"


class Chromium:
    """A running browser. `visits` is how many pages it has had, `open` how many it has now."""

    def __init__(self, wire: Wire, pid: int, cell: find.Cell, profile: Path) -> None:
        self.wire = wire
        self.pid = pid
        self.cell = cell
        self.version = ""
        self.visits = self.open = 0
        self._profile = profile
        self._tabs: dict[str, Handler] = {}  # by context: who wants to know of pages that open by themselves

    @property
    def is_lost(self) -> bool:
        """Whether it has ended or been killed."""
        return self.wire.lost.done()

    def renderers(self) -> set[int]:
        """The processes that run pages: the zygotes' children, as far as there are zygotes (and one of these)."""
        zygotes = [one for one in processes.descendants(self.pid) if "--type=zygote" in processes.command(one)]
        return {pid for parent in zygotes for pid in processes.children(parent)}

    async def greet(self) -> None:
        """Hear its version; from now on, tell each context of the pages that open in it."""
        self.version = (await self.wire.send("Browser.getVersion"))["product"].partition("/")[2]
        self.wire.on("Target.targetCreated", self._on_target)
        pages = [{"type": "page", "exclude": False}]
        await self.wire.send("Target.setDiscoverTargets", {"discover": True, "filter": pages})

    def on_tab(self, context: str, handler: Handler | None) -> None:
        """Call `handler` with each page that opens in the context; None ends that."""
        if handler is None:
            self._tabs.pop(context, None)
        else:
            self._tabs[context] = handler

    def _on_target(self, event: dict[str, Any]) -> None:
        handler = self._tabs.get(event["targetInfo"].get("browserContextId", ""))
        if handler is not None:
            handler(event["targetInfo"])

    def kill(self) -> None:
        """End it at once, with all it started."""
        processes.kill_group(self.pid)

    async def close(self) -> None:
        """End it, by force if it takes too long."""
        with contextlib.suppress(ProtocolError, TimeoutError):
            await asyncio.wait_for(self.wire.send("Browser.close"), GRACE)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wire.ended.wait(), GRACE)
        await self.end()

    async def end(self) -> None:
        """End it by force, if it still runs; its files go too."""
        self.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wire.ended.wait(), GRACE)
        self.wire.close()
        shutil.rmtree(self._profile, ignore_errors=True)


async def start(program: str, folder: Path, isolate: bool, required: str | None = None) -> Chromium:
    """A browser in the best cell that works; its files lie in `folder`. `required`: no less isolation than this.

    RccaError if none starts, with what the browser said.
    """
    said = ""
    for cell in find.cells(isolate):
        if required == "netns" and cell.isolation != "netns":
            raise RccaError(f"--require-isolation netns: not on this machine (rcca doctor says why){_behind(said)}")
        if cell.command and shutil.which(cell.command[0]) is None:
            continue
        profile = folder / secrets.token_hex(8)
        profile.mkdir(mode=0o700)
        if cell.owner is not None:
            os.chown(profile, cell.owner, cell.owner)
        began = await _begin(program, cell, profile)
        if isinstance(began, Chromium):
            return began
        said = began or said
    raise RccaError(f"{program}: did not start as a browser (is it a Chromium?){_behind(said)}")


async def _begin(program: str, cell: find.Cell, profile: Path) -> Chromium | str:
    """The browser in this cell, or what it said when it did not start."""
    words = [*PIPED, *cell.command, program, *find.SWITCHES, MARK, f"--user-data-dir={profile}"]
    words += [] if cell.sandbox else ["--no-sandbox"]
    home = {"HOME": str(profile), "TZ": "UTC"} if cell.owner is not None else {"TZ": "UTC"}
    with (profile / "stderr").open("wb+") as stderr:
        transport, wire = await asyncio.get_running_loop().subprocess_exec(
            Wire, *words, stderr=stderr, env=os.environ | home, start_new_session=True
        )
        browser = Chromium(wire, transport.get_pid(), cell, profile)
        try:
            await asyncio.wait_for(browser.greet(), PATIENCE)
        except (ProtocolError, TimeoutError):
            await browser.end()
            stderr.seek(0)
            return _last_words(stderr.read().decode("utf-8", "replace").splitlines())
    if cell.isolation == "netns" and not find.in_other_network(browser.pid):
        await browser.end()
        return "it did not get a network of its own"
    return browser


def _behind(said: str) -> str:
    return f": {said}" if said else ""


def _last_words(lines: Sequence[str]) -> str:
    """What is worth telling of a browser's complaints: the last line that is not blank."""
    return next((line.strip()[-200:] for line in reversed(lines) if line.strip()), "")
