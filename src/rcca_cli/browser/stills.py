"""Looks at a page for whoever compares: a picture of all of it, and its state in parts that can be told apart."""

import base64
import json
from dataclasses import dataclass
from typing import Any

from rcca_cli.browser.visit import Visit

# In our own world, where the page's changes to built-in objects are not there.
STATE = """(() => {
  const values = [], drawings = [];
  for (const e of document.querySelectorAll("input, textarea, select"))
    values.push(e.type === "checkbox" || e.type === "radio" ? e.checked : e.value);
  for (const e of document.querySelectorAll("canvas"))
    try { drawings.push(e.toDataURL()); } catch { drawings.push("tainted"); }
  const scrolled = [...document.querySelectorAll("*")].map((e) => e.scrollTop + e.scrollLeft).filter((n) => n);
  return [document.documentElement.outerHTML, values, drawings, [document.title, location.href, scrolled]];
})()"""
# The caret blinks by the clock on the wall. The attribute is as before afterwards, also where there was none. Only
# where there is a caret: its colour is inherited, and what inherits it may have a transition.
HIDE = """(() => {
  const e = document.activeElement;
  if (!e || !e.style || !(e.isContentEditable || e.localName === "input" || e.localName === "textarea")) return;
  const had = e.getAttribute("style");
  for (const [name, value] of [["transition", "none"], ["caret-color", "transparent"]])
    e.style.setProperty(name, value, "important");
  globalThis.bare = () => {
    e.setAttribute("style", had || "");  // or removing it would do nothing: it is written down late
    if (had === null) e.removeAttribute("style");
  };
})()"""
SHOW = "globalThis.bare && globalThis.bare(), globalThis.bare = null"
# What moved a moment ago lies on a layer of its own until the next frames, and its edges look a shade different there.
DRAWN = """new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  setTimeout(done, 500);
})"""
SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


@dataclass(frozen=True)
class Still:
    """A picture (PNG) of a page from its top; `height` is the page's own, in pixels, also where less is shown."""

    png: bytes
    width: int
    shown: int
    height: int
    scale: float


@dataclass(frozen=True)
class State:
    """What a page is at a moment, in parts: markup, values of fields, drawings, title with address and scrolling."""

    markup: str
    values: str
    drawings: str
    place: str


async def still(visit: Visit, highest: int, pixels: float) -> Still:
    """All of the page from its top, at most `highest` pixels of it, scaled down to at most `pixels` in all.

    Raises what a visit raises if the page is gone.
    """
    width = visit.settings.width
    _, height = await visit.evaluate(SIZE)
    shown = min(max(int(height), visit.settings.height), highest)
    scale = min(1.0, (pixels / (width * shown)) ** 0.5)
    wanted: dict[str, Any] = {
        "format": "png",
        "captureBeyondViewport": shown > visit.settings.height,
        "clip": {"x": 0, "y": 0, "width": width, "height": shown, "scale": scale},
    }
    png = await _taken(visit, wanted)
    return Still(png, round(width * scale), round(shown * scale), int(height), scale)


async def window(visit: Visit) -> bytes:
    """A picture (PNG) of what is in the window, not scaled: edges would come out by what was drawn anew before.

    Raises what a visit raises if the page is gone.
    """
    return await _taken(visit, {"format": "png"})


async def _taken(visit: Visit, wanted: dict[str, Any]) -> bytes:
    await visit.evaluate(HIDE)
    await visit.evaluate(DRAWN)
    taken = await visit.bounded(visit.session.send("Page.captureScreenshot", wanted))
    await visit.evaluate(SHOW)
    return base64.b64decode(taken["data"])


async def state(visit: Visit) -> State:
    """The page's state now. Focus and what only the mouse's place shows are no part of it."""
    return State(*(json.dumps(part) for part in await visit.evaluate(STATE)))
