"""Uses a page as a visitor would, a bounded number of actions, and tells what each of them changed.

Time stands still between actions, so that what a page does by itself can be told from what an action did: where it
moves by itself, it is first given as much time without an action, and only what was at rest then counts.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli.bench.artifacts.evidence import Act, Outcome
from rcca_cli.browser import AppTrouble, Screen, State, Touch, Visit, snapshot, state, window

ACTS, ELEMENTS = 12, 250
PAUSE = 300.0  # virtual milliseconds after an action
BUSY = 15.0  # processor seconds of the page, after which no further action is begun
STRIP = 6  # pictures of what actions changed
FIELDS = ("textbox", "searchbox", "spinbutton")
TICKS = ("checkbox", "radio", "switch")
PUSHES = ("button", "tab", "menuitem", "link")
STARTS = re.compile(r"start|play|begin|run|go\b|new|add|calc|generate|submit|search|开始|生成|计算", re.I)
ENDS = re.compile(r"reset|clear|delete|remove|close|cancel|restart|clear|quit|stop|重置|清空|删除", re.I)
NUMBER = re.compile(r"number|age|amount|price|count|size|width|height|weight|year|rate|数", re.I)
# With how long each is held, in milliseconds: opposite ones must not come to nothing.
KEYS = {"ArrowRight": 400.0, "ArrowDown": 300.0, "ArrowLeft": 100.0, "ArrowUp": 60.0, "d": 200.0, "s": 100.0}
KEYS |= {"Space": 60.0, "Enter": 60.0}
COVERED = {"disabled", "covered", "read-only"}


@dataclass(frozen=True)
class Control:
    """Something to use: `target` as the check language names it, and what to do with it."""

    verb: str  # click, type, select, check, slide, drag
    target: list[dict[str, Any]]
    words: str  # for captions
    text: str = ""


@dataclass(frozen=True)
class Used:
    """What came of using a page: the acts, small pictures of those that changed it, and how many controls it has."""

    acts: tuple[Act, ...]
    shots: tuple[tuple[str, bytes], ...]
    controls: int
    ended: AppTrouble | None = None


@dataclass(frozen=True)
class Moment:
    """The page at a moment: its state, what a user meets on it, and how many dialogs it has opened."""

    state: State
    lines: tuple[str, ...]
    dialogs: int


def controls(nodes: Sequence[dict[str, Any]], canvas: bool) -> list[Control]:
    """What to use of a snapshot's elements, in order: fields, then ticks, then pushes, what clears coming last."""
    seen: Counter[tuple[str, str]] = Counter()
    found: list[tuple[int, Control]] = []
    for node in nodes:
        role, name = node["role"], node["name"]
        number = seen[role, name]
        seen[role, name] += 1
        if COVERED & set(node["states"]) or len(name) > 80:
            continue
        named = {"role": role, "name": name, "exact": True} if name else {"role": role}
        target = [named | ({"nth": number} if number or not name else {})]
        words = f"{role} “{name}”" if name else f"{role} number {number + 1}"
        found += [(rank, Control(verb, target, words, text)) for rank, verb, text in _use(role, name, node)]
    if canvas:
        found.append((3, Control("drag", [{"css": "canvas"}], "over the drawing")))
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def _use(role: str, name: str, node: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    """(rank, verb, text) for a control of this role; nothing for what is none."""
    if role in FIELDS:
        numeric = role == "spinbutton" or NUMBER.search(f"{name} {node['said']}")
        yield 0, "type", "7" if numeric else "ann@example.com" if re.search("e-?mail", name, re.I) else "Sample 7"
    elif role in ("combobox", "listbox") and len(node["options"] or ()) > 1:
        yield 1, "select", node["options"][-1]
    elif role in TICKS:
        yield 1, "click", ""
    elif role == "slider":
        yield 1, "press", "ArrowRight"
    elif role in PUSHES:
        yield (5 if ENDS.search(name) else 2 if STARTS.search(name) else 3 if role != "link" else 4), "click", ""


async def used(visit: Visit, canvas: bool) -> Used:
    """Use the page that is loaded. What the app does wrong on the way ends it, and is in `ended`."""
    screen = Screen(visit)
    acts: list[Act] = []
    shots: list[tuple[str, bytes]] = []
    try:
        told = await snapshot(visit, ELEMENTS)
        found = controls(told["nodes"], canvas)
        before = await moment(visit)
        for control in found[:ACTS]:
            if visit.guard.spent() > BUSY:
                break
            act, before = await _acted(visit, screen, control, before)
            if act.detail == "absent":  # an action before it took it away: once more, from the start
                await visit.load()
                await screen.wait(PAUSE)
                act, before = await _acted(visit, screen, control, await moment(visit))
            acts.append(act)
            if act.outcome == "changed" and len(shots) < STRIP:
                shots.append((act.what, await window(visit)))
    except AppTrouble as trouble:
        return Used(tuple(acts), tuple(shots), len(acts), trouble)
    return Used(tuple(acts), tuple(shots), len(found))


async def moment(visit: Visit) -> Moment:
    """The page as it is now."""
    told = await snapshot(visit, ELEMENTS)
    lines = tuple(_line(node) for node in told["nodes"])
    return Moment(await state(visit), lines, visit.dialogs)


def _line(node: dict[str, Any]) -> str:
    states = [one for one in node["states"] if one not in ("focused", "covered", "on", "off")]
    return " ".join([node["role"] or node["tag"], node["name"], node["text"], node["drawn"], *states])


async def _acted(visit: Visit, screen: Screen, control: Control, before: Moment) -> tuple[Act, Moment]:
    """One action and what became of it, and the page behind it."""
    idle = before
    if not visit.still:
        await screen.wait(PAUSE)
        idle = await moment(visit)
    refused, errors = visit.server.refused, len(visit.thrown)
    what, touch = await _do(screen, control)
    await screen.wait(PAUSE)
    after = await moment(visit)
    thrown = tuple(one.message[:200] for one in visit.thrown[errors:][:3])
    if touch.problem is not None:
        return Act(what, "undone", touch.problem, thrown), after
    if visit.server.refused > refused:
        return Act(what, "outside", "it leads out of the page", thrown), after
    detail = "a dialog opened" if after.dialogs > idle.dialogs else ""
    return Act(what, "changed" if detail else outcome(before, idle, after), detail, thrown), after


async def _do(screen: Screen, control: Control) -> tuple[str, Touch]:
    if control.verb == "type":
        return f"typed “{control.text}” into the {control.words}", await screen.type(
            control.target, control.text, False
        )
    if control.verb == "select":
        return f"chose “{control.text[:40]}” in the {control.words}", await screen.select(control.target, control.text)
    if control.verb == "press":
        return f"pressed {control.text} on the {control.words}", await screen.press(control.text, control.target, 0)
    if control.verb == "drag":
        return f"dragged {control.words}", await screen.drag(control.target, None, 60, 40)
    return f"clicked the {control.words}", await screen.click(control.target, 1)


def outcome(before: Moment, idle: Moment, after: Moment) -> Outcome:
    """What an action did: `idle` is the page after as much time without it (`before` itself if it is at rest).

    A part counts only if it was at rest.
    """
    parts = ("markup", "drawings", "place")
    moved = {part for part in parts if getattr(before.state, part) != getattr(idle.state, part)}
    changed = {part for part in parts if getattr(idle.state, part) != getattr(after.state, part)}
    own = set(before.lines) ^ set(idle.lines)
    lines = (set(idle.lines) ^ set(after.lines)) - own
    if changed - moved or (lines and before.lines == idle.lines):
        return "changed"
    if changed:
        return "untold"
    return "held" if idle.state.values != after.state.values else "nothing"
