"""A user's hand: mouse and keys as real input events, dragging of what pages offer to drag included."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from rcca_cli.browser import keyboard
from rcca_cli.browser.wire import Session

NOWHERE = (-10.0, -10.0)
PICKED = 2.0  # seconds that the browser has to hand over what a page lets be dragged


class Hand:
    """One mouse and one keyboard. Positions are pixels of the window.

    `pointed`: whether the mouse is on the page; `is_holding`: whether its button is down; `at_once`: whether the page
    can be given several events at once; `ask`: evaluates an expression in the judge's own world.
    """

    ask: Callable[[str], Awaitable[Any]]

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pointed = self.is_holding = False
        self.at_once = True
        self._x, self._y = 0.0, 0.0
        self._load: Any = None  # what is being dragged
        self._picked: asyncio.Future[Any] | None = None
        self.session.on("Input.dragIntercepted", self._on_drag)

    async def click(self, x: float, y: float, times: int) -> None:
        """Click, or double-click."""
        events = [self._mouse("mouseMoved", x, y)]
        for number in range(1, times + 1):
            events += [self._mouse(kind, x, y, number) for kind in ("mousePressed", "mouseReleased")]
        self._x, self._y = x, y
        await self._mice(events)

    async def button(self, x: float, y: float, number: int, down: bool) -> None:
        """Press the button there for the `number`-th time in a row, or let it go."""
        self._x, self._y = x, y
        here = [self._mouse("mouseMoved", x, y)] if down else []
        await self._mice([*here, self._mouse("mousePressed" if down else "mouseReleased", x, y, number)])

    async def move(self, x: float, y: float, steps: int = 1) -> None:
        """Move the mouse there, dragging what it holds."""
        path = [(self._x + (x - self._x) * i / steps, self._y + (y - self._y) * i / steps) for i in range(1, steps + 1)]
        self._x, self._y = x, y
        if not self.is_holding:
            await self._mice([self._mouse("mouseMoved", *place) for place in path])
            return
        for place in path:
            if self._load is not None:
                await self._drag("dragOver", place)
                continue
            await self._mice([self._mouse("mouseMoved", *place, 0)])
            await self._pick_up(place)

    async def down(self) -> None:
        """Press the button; what can be dragged will be."""
        await self.session.send("Input.setInterceptDrags", {"enabled": True})
        await self.ask("rcca.watchDrags()")
        self._picked = asyncio.get_running_loop().create_future()
        await self._mice([self._mouse("mousePressed", self._x, self._y, 1)])
        self.is_holding = True

    async def up(self) -> None:
        """Let go."""
        self.is_holding = False
        if self._load is not None:
            await self._drag("drop", (self._x, self._y))
            self._load = None
        else:
            await self._mice([self._mouse("mouseReleased", self._x, self._y, 1)])
        await self.session.send("Input.setInterceptDrags", {"enabled": False})

    async def wheel(self, dy: float) -> None:
        """Turn the wheel by `dy` pixels."""
        await self._mice([self._mouse("mouseWheel", self._x, self._y) | {"deltaX": 0, "deltaY": dy}])

    async def press(self, combination: str) -> None:
        """Press a key, alone or with others (`Control+z`)."""
        await self._keys(keyboard.press(combination))

    async def key(self, combination: str, down: bool) -> None:
        """Press a key, or let it go."""
        await self._keys(keyboard.halves(combination)[not down])

    async def type(self, text: str) -> None:
        """Type key by key."""
        await self._keys(keyboard.type_text(text))

    async def insert(self, text: str) -> None:
        """Put the text in at once, as from a clipboard."""
        await self.session.send("Input.insertText", {"text": text})

    def _mouse(self, kind: str, x: float, y: float, clicks: int | None = None) -> dict[str, Any]:
        event: dict[str, Any] = {"type": kind, "x": x, "y": y}
        if clicks is not None:
            event |= {"button": "left", "buttons": int(kind != "mouseReleased"), "clickCount": clicks}
        return event

    async def _mice(self, events: Iterable[dict[str, Any]]) -> None:
        await self._send([("Input.dispatchMouseEvent", event) for event in events])

    async def _keys(self, events: Iterable[keyboard.Event | str]) -> None:
        await self._send(
            [
                ("Input.insertText", {"text": event}) if isinstance(event, str) else ("Input.dispatchKeyEvent", event)
                for event in events
            ]
        )

    async def _send(self, commands: list[tuple[str, dict[str, Any]]]) -> None:
        """One after the other; a page that answers in real time is given that time, any other gets all at once."""
        if self.at_once:
            await asyncio.gather(*[self.session.send(*command) for command in commands])
        else:
            for command in commands:
                await self.session.send(*command)

    # Dragging --------------------------------------------------------------------------------------------------------

    def _on_drag(self, event: dict[str, Any]) -> None:
        if self._picked is not None and not self._picked.done():
            self._picked.set_result(event["data"])

    async def _pick_up(self, place: tuple[float, float]) -> None:
        """If the page began a drag of its own, go on with that: the browser's events, not the mouse's."""
        if self._picked is None or not await self.ask("rcca.isDragging()"):
            return
        try:
            self._load = await asyncio.wait_for(asyncio.shield(self._picked), PICKED)
        except TimeoutError:
            self._picked = None  # it said so, but it gave nothing
            return
        await self._drag("dragEnter", place)
        await self._drag("dragOver", place)

    async def _drag(self, kind: str, place: tuple[float, float]) -> None:
        event = {"type": kind, "x": place[0], "y": place[1], "data": self._load}
        await self.session.send("Input.dispatchDragEvent", event)
