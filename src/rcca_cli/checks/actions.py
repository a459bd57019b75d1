"""What a step can do (`STEPS`). To add an action: one function, one entry, one method of `Page`."""

from collections.abc import Mapping, MutableMapping
from typing import Any

from rcca_cli.checks import fields as kinds
from rcca_cli.checks import judging, words
from rcca_cli.checks.fields import Entry, Field
from rcca_cli.checks.page import Page, Query, Seen, Target, Touch
from rcca_cli.checks.targets import phrase


async def click(page: Page, target: Target, count: int) -> Touch:
    """Click the target with the mouse; `count` 2 is a double click."""
    return await page.click(target, count)


async def type_text(page: Page, target: Target, text: str, submit: bool) -> Touch:
    """Clear the field and type the text key by key; `submit` presses Enter at the end."""
    return await page.type(target, text, submit)


async def press(page: Page, key: str, target: Target | None, hold: float) -> Touch:
    """Press a key (`Enter`, `Escape`, `ArrowLeft`, `Control+z`, `a`) on the target, else where the focus is;
    `hold` it for so many milliseconds, else for three frames."""
    return await page.press(key, target, hold)


async def select(page: Page, target: Target, option: str) -> Touch:
    """Choose the option with this label (or value) in a drop-down."""
    return await page.select(target, option)


async def check(page: Page, target: Target, on: bool) -> Touch:
    """Bring a checkbox, switch or radio button to this state by clicking it if need be."""
    return await page.check(target, on)


async def set_value(page: Page, target: Target, value: str) -> Touch:
    """Give a slider, colour, date or number field this value; input and change events follow."""
    return await page.set(target, value)


async def drag(page: Page, target: Target, to: Target | None, dx: float, dy: float) -> Touch:
    """Drag the target onto another one (`to`), or by `dx`, `dy` pixels."""
    return await page.drag(target, to, dx, dy)


async def hover(page: Page, target: Target) -> Touch:
    """Move the mouse over the target."""
    return await page.hover(target)


async def scroll(page: Page, target: Target | None, dy: float) -> Touch:
    """Turn the mouse wheel by `dy` pixels over the target, or over the middle of the page."""
    return await page.scroll(target, dy)


async def wait(page: Page, ms: float) -> None:
    """Let this much virtual time pass."""
    await page.wait(ms)


async def reload(page: Page) -> None:
    """Load the page again; what it stored is still there."""
    await page.reload()


async def dialog(page: Page, accept: bool, text: str | None) -> None:
    """Say how alerts, confirms and prompts are answered from now on (at first they are accepted)."""
    await page.dialog(accept, text)


def read(seen: Seen, step: Mapping[str, Any], memory: MutableMapping[str, Any]) -> str | None:
    """Remember what the target says under the name `as`, for number, same and differs.

    What: its `text`; the first `number` in its text, behind the words `after` if given; its `value`;
    the `count` of visible matches; an `attribute` or computed `style` by `name`; `x`, `y`, `width`
    or `height` in pixels. Of a canvas: its `pixels`, for same and differs; how many things of this `shape`
    and `colour` are `drawn` on it; `drawn x` and `drawn y`, the middle of number `nth` of them, from 0.
    """
    value = reading(seen, step)
    if value is None:
        what = f"the {step['what']} {step['name'] or ''}".strip() + (_shape(step) if step["what"] in DRAWN else "")
        after = f" after “{step['after']}”" if step["after"] else ""
        return f"expected to read {what}{after} of {phrase(step['target'], seen['alternative'])}, found {_shown(seen)}"
    memory[step["as"]] = value
    return None


def reading(seen: Seen, step: Mapping[str, Any]) -> Any:
    """The value that a read step remembers; None where there is none."""
    what: str = step["what"]
    if what == "count":
        return float(seen["visible"])
    if not seen["found"]:
        return None
    if what in DRAWN:
        return _drawn(seen, what, step["nth"])
    text = seen["text"] if seen["text"] or seen["value"] is None else seen["value"]
    if what == "number":
        return words.number(text or "", step["after"])
    if what == "text":
        return words.plain(text or "")
    facts: Mapping[str, Any] = seen
    return facts[what]


def _drawn(seen: Seen, what: str, nth: int) -> float | None:
    """A reading of the shapes on a canvas; None if no canvas can be seen, or there are too few."""
    drawn = seen["drawn"]
    if drawn is None or what == "drawn":
        return drawn and float(drawn["count"])
    return drawn["places"][nth][what[-1]] if nth < len(drawn["places"]) else None


def _shape(step: Mapping[str, Any]) -> str:
    """Which of the shapes on a canvas a reading is about, in words."""
    return f" of {judging.shapes(step)} number {step['nth']}"


def _shown(seen: Seen) -> str:
    if not seen["found"]:
        return "nothing that matches"
    text = " ".join((seen["text"] or "").split())
    return f"“{text[:60]}”" if text else "no text"


def read_query(step: Mapping[str, Any]) -> Query:
    """What a read step needs to see."""
    query: Query = {"target": step["target"], "text": step["what"] in ("text", "number")}
    if step["what"] == "attribute":
        query["attribute"] = step["name"] or ""
    elif step["what"] == "style":
        query["property"] = step["name"] or ""
    elif step["what"] in DRAWN:
        query |= {"shape": step["shape"], "colour": step["colour"]}
    elif step["what"] == "pixels":
        query["pixels"] = True
    return query


TARGET = Field("target", kinds.target)
ANY = Field("target", kinds.target, None)
DRAWN = ("drawn", "drawn x", "drawn y")
READABLE = ("text", "number", "value", "count", "attribute", "style", "width", "height", "x", "y", "pixels", *DRAWN)
SHAPE = Field("shape", kinds.choice("any", "rect", "circle", "line", "polygon", "text", "image"), "any")
COLOUR = Field("colour", kinds.string, None)

STEPS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("click", click, (TARGET, Field("count", kinds.integer, 1)), said="clicked {target}"),
        Entry(
            "type",
            type_text,
            (TARGET, Field("text", kinds.string), Field("submit", kinds.boolean, False)),
            said="typed “{text}” into {target}",
        ),
        Entry(
            "press", press, (Field("key", kinds.key), ANY, Field("hold", kinds.milliseconds, 0)), said="pressed {key}"
        ),
        Entry("select", select, (TARGET, Field("option", kinds.string)), said="chose “{option}” in {target}"),
        Entry("check", check, (TARGET, Field("on", kinds.boolean, True)), said="ticked {target}"),
        Entry("set", set_value, (TARGET, Field("value", kinds.string)), said="set {target} to {value}"),
        Entry(
            "drag",
            drag,
            (
                TARGET,
                Field("to", kinds.target, None),
                Field("dx", kinds.pixels, 0),
                Field("dy", kinds.pixels, 0),
            ),
            said="dragged {target}",
            frames=True,
        ),
        Entry("hover", hover, (TARGET,), said="moved the mouse over {target}", frames=True),
        Entry("scroll", scroll, (ANY, Field("dy", kinds.pixels)), said="scrolled {target}", frames=True),
        Entry("wait", wait, (Field("ms", kinds.milliseconds),), said="waited {ms} ms"),
        Entry("reload", reload, (), said="reloaded the page"),
        Entry(
            "dialog",
            dialog,
            (Field("accept", kinds.boolean), Field("text", kinds.string, None)),
            said="set the answer to dialogs",
        ),
        Entry(
            "read",
            read,
            (
                Field("as", kinds.name),
                ANY,
                Field("what", kinds.choice(*READABLE)),
                Field("after", kinds.string, None),
                Field("name", kinds.string, None),
                SHAPE,
                COLOUR,
                Field("nth", kinds.integer, 0),
            ),
            query=read_query,
        ),
    )
}
