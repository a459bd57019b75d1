"""Our way to look at a page: time that stands still and is stepped, pictures of equal moments, actions with labels.

Everything is measured on the page's own clock, so that the same answer always gives the same evidence.
"""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli.bench.artifacts import facts, files, probes, strip
from rcca_cli.bench.artifacts.evidence import Album, Evidence, Failure, Picture
from rcca_cli.bench.artifacts.pages import Page
from rcca_cli.browser import (
    AppCrashed,
    AppHung,
    AppTrouble,
    BrowserLost,
    Machine,
    Screen,
    Still,
    Visit,
    snapshot,
    still,
)

MOMENTS = (100.0, 1100.0, 2100.0)  # of the page's own time, in milliseconds
SCREENS = 4  # of a page's height that are shown
SETTLE = 50.0  # virtual milliseconds that pass with each key
LOST = 3  # times that the browser may be lost over one page
WORDS = 2000  # characters of what the page says


@dataclass(frozen=True)
class Viewer:
    """Looks at pages by one machine's browser; `tokens` is what one picture may cost a vision model."""

    machine: Machine
    album: Album
    tokens: int = 1600
    probing: bool = True

    def evidence(self, page: Page, seed: int) -> Evidence:
        """What there is to see of a page, whatever it does; `failure` is browser_lost if our side failed."""
        if page.html is None:
            failure: Failure = "unsupported_stack" if page.status == "unsupported_stack" else "no_code"
            return Evidence(page.status, failure, page.why)
        reason = ""
        for _ in range(LOST):
            try:
                return self.machine.run(lambda: Look(self, page, seed).taken())
            except BrowserLost as lost:
                reason = str(lost)
        return Evidence(page.status, "browser_lost", reason)


class Look:
    """One look at one page; `taken` is all there is to call."""

    def __init__(self, viewer: Viewer, page: Page, seed: int) -> None:
        assert page.html is not None
        self.viewer, self.page, self.seed, self.html = viewer, page, seed, page.html
        self.pixels = viewer.tokens * 784.0
        self.frames: list[Picture] = []
        self.shots = 0
        self.facts: dict[str, Any] = facts.static(page) | {"browser": viewer.machine.version}

    async def taken(self) -> Evidence:
        """The evidence. BrowserLost if it was."""
        failure, why = None, self.page.why
        seen: probes.Used | None = None
        try:
            async with self._visit() as visit:
                await self._watched(visit)
                if self.viewer.probing and not self.facts["blank"]:
                    seen = await probes.used(visit, bool(self.facts["canvases"]))
                    self.facts["ended"] = str(seen.ended) if seen.ended else None
            if self.viewer.probing and visit.hears_keys:
                self.facts["keys"] = await self._keys()
        except AppTrouble as trouble:
            failure, why = _failure(trouble), str(trouble)
        if failure is None and self.facts.get("blank"):
            failure, why = "blank", "nothing is drawn on the page"
        found = Evidence(self.page.status, failure, why, tuple(self.frames), self.shots, facts=self.facts)
        return await self._with_acts(found, seen) if seen else found

    @contextlib.asynccontextmanager
    async def _visit(self) -> AsyncIterator[Visit]:
        """A visit to the page, on a tab that no other page has after it: the mouse's place would be in its pictures."""
        async with self.viewer.machine.visit(self.html, self.seed, files=files.Site(self.page.files)) as visit:
            visit.spoiled = True
            yield visit

    async def _watched(self, visit: Visit) -> None:
        """Load the page and take its pictures at their moments; what it says and throws becomes a fact."""
        await visit.load()
        screen, now = Screen(visit), 0.0
        for at in MOMENTS:
            visit.rest = 0.0
            await screen.wait(at - now)
            now = at
            if at == MOMENTS[0]:
                self.facts["blank"] = bool((await visit.turn(blank=True))["blank"])
            await self._picture(visit, at)
        told = await snapshot(visit, probes.ELEMENTS)
        says = " ".join(f"{node['name']} {node['text']}" for node in told["nodes"])
        self.facts |= {
            "title": told["title"],
            "says": " ".join(says.split())[:WORDS],
            "elements": len(told["nodes"]) + told["left"],
            "errors": [one.message[:200] for one in visit.thrown[: facts.MANY]],
            "error_count": len(visit.thrown),
            "not_here": sorted({missing.wanted.name for missing in visit.missing})[: facts.MANY],
            "moves": len(self.frames) > 1,
        }

    async def _picture(self, visit: Visit, at: float) -> None:
        taken = await still(visit, SCREENS * visit.settings.height, self.pixels)
        self.shots += 1
        self.facts |= {"height": taken.height, "shown": min(taken.height, SCREENS * visit.settings.height)}
        picture = self._kept(taken, f"the page at t = {at / 1000:.1f} s", at)
        if all(picture.sha256 != one.sha256 for one in self.frames):
            self.frames.append(picture)

    def _kept(self, taken: Still, caption: str, at: float | None) -> Picture:
        return Picture(self.viewer.album.keep(taken.png), taken.width, taken.shown, caption, at)

    async def _keys(self) -> str:
        """What a script of keys does: the same page twice, once with it and once with as much time without."""
        try:
            with_keys, without = [await self._after(pressing) for pressing in (True, False)]
        except AppTrouble:
            return "stuck"
        return "changed" if with_keys != without else "nothing"

    async def _after(self, pressing: bool) -> probes.Moment:
        async with self._visit() as visit:
            await visit.load()
            screen = Screen(visit)
            await screen.wait(MOMENTS[0])
            told = await snapshot(visit, probes.ELEMENTS)
            starts = [one for one in probes.controls(told["nodes"], False) if probes.STARTS.search(one.words)]
            if starts and starts[0].verb == "click":
                await screen.click(starts[0].target, 1)
            for key, held in probes.KEYS.items():
                if pressing:
                    await screen.press(key, None, held)
                else:
                    await screen.wait(held + SETTLE)
                await screen.wait(200.0)
            return await probes.moment(visit)

    async def _with_acts(self, found: Evidence, seen: probes.Used) -> Evidence:
        counts = {kind: sum(act.outcome == kind for act in seen.acts) for kind in ("changed", "nothing", "undone")}
        facts = found.facts | {"controls": seen.controls, "used": len(seen.acts)} | counts
        if not seen.shots:
            return replace(found, acts=seen.acts, facts=facts)
        sheet = self._kept(
            await strip.composed(self.viewer.machine, seen.shots, self.pixels),
            f"{len(seen.shots)} small pictures, each taken after the action that its caption names",
            None,
        )
        return replace(found, acts=seen.acts, facts=facts, strip=sheet)


def _failure(trouble: AppTrouble) -> Failure:
    if isinstance(trouble, AppCrashed):
        return "crash"
    return "hang" if isinstance(trouble, AppHung) else "broken"
