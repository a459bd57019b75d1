"""Looks at a page that are not the judge's own: an expression that a model wrote, and a picture."""

import base64
import json
from typing import Any

from rcca_cli.browser.visit import Visit

WORLD = "model"  # not the one with our eyes: what a model says is not to get hold of them
MILLISECONDS = 500  # after which the expression is ended; far below what a page may be busy for
MOST = 4000  # characters of a value
ENDED = "Execution was terminated"
# The value in words, short: of a node its markup, of anything else its JSON.
SHOWN = """((value) => {
  const is = (kind) => typeof kind === "function" && value instanceof kind;
  const text = is(Node) ? value.outerHTML ?? value.textContent : value;
  return String(typeof text === "string" ? text : JSON.stringify(text)).slice(0, %d);
})((%s\n))"""


async def peek(visit: Visit, expression: str) -> str:
    """The value of an expression of JavaScript, in words, at most MOST characters, in a world of its own.

    What would change anything is refused by the browser, what takes too long is ended: both are said in the answer.
    Raises what a visit raises if the page is gone.
    """
    tree = await visit.bounded(visit.session.send("Page.getFrameTree"))
    where = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": WORLD}
    made = await visit.bounded(visit.session.send("Page.createIsolatedWorld", where))
    arguments: dict[str, Any] = {
        "expression": SHOWN % (MOST, expression),
        "contextId": made["executionContextId"],
        "returnByValue": True,
        "throwOnSideEffect": True,
        "timeout": MILLISECONDS,
    }
    try:
        reply = await visit.bounded(visit.session.send("Runtime.evaluate", arguments))
    except Exception as error:  # of whatever kind the protocol's are; all others go on their way
        if ENDED not in str(error):
            raise
        return f"error: it did not end within {MILLISECONDS} ms"
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        words = str(details.get("exception", {}).get("description") or details["text"])
        return f"error: {words.splitlines()[0][:200]}"
    return str(reply["result"].get("value"))


async def shot(visit: Visit, quality: int | None = None, scale: float = 1.0) -> bytes:
    """A picture of what is in the window: PNG, or WebP of a `quality` in percent; `scale` is its share of the size.

    Raises what a visit raises if the page is gone.
    """
    wanted: dict[str, Any] = {"format": "png"} if quality is None else {"format": "webp", "quality": quality}
    if scale != 1.0:
        size = {"width": visit.settings.width, "height": visit.settings.height}
        wanted["clip"] = {"x": 0, "y": 0, **size, "scale": scale}
    taken = await visit.bounded(visit.session.send("Page.captureScreenshot", wanted))
    return base64.b64decode(taken["data"])


async def snapshot(visit: Visit, most: int) -> dict[str, Any]:
    """What a user meets on the page, `most` elements of it (eyes/snapshot.js), once it has come to rest."""
    await visit.turn()
    return dict(await visit.evaluate(f"rcca.snapshot({json.dumps(most)})"))
