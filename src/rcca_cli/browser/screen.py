"""A visit as a check sees it: real mouse and keys, and looks that the page cannot falsify."""

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from rcca_cli.browser.trouble import ProtocolError
from rcca_cli.browser.visit import SETTLE, Visit

TYPED = 60  # longer texts are put in at once but for their last key; so are all, if the page listens to no key
WIDGETS = ("color", "range", "date", "time", "datetime-local", "month", "week")
LINGERS = 10  # times that what may come in real time is waited for, a tenth of a second each
OPENINGS = 50  # and as long as a database opens
TRICKLE = 10.0  # virtual milliseconds that pass each time: what came late may have set a timer
STEP = 60_000.0  # a wait is taken in steps of at most this many virtual milliseconds


@dataclass(frozen=True)
class Touch:
    """What became of an action: done (`problem` None), or why a user could not have done it."""

    problem: str | None = None
    detail: str | None = None
    alternative: int | None = None
    idle: bool = False  # nothing had to be done


class Screen:
    """Implements `checks.Page` on a visit."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit

    async def look(self, queries: Sequence[Any]) -> list[Any]:
        """The answers, all taken at one moment."""
        return list((await self.visit.turn(look=list(queries)))["look"])

    async def linger(self, times: int) -> bool:
        """Wait a little for what comes in real time; False if the page has no such things, or after enough `times`."""
        if not self.visit.slow or times >= (OPENINGS if self.visit.opening else LINGERS):
            return False
        await self.visit.turn(linger=TRICKLE)
        return True

    async def _aim(self, target: Any, purpose: str) -> dict[str, Any]:
        for times in count():
            at = dict((await self.visit.turn(aim=target, purpose=purpose))["aim"])
            if at["problem"] != "absent" or not await self.linger(times):
                break
        return at

    async def _act(self, work: Callable[..., Awaitable[None]], *arguments: Any, **options: Any) -> None:
        """Do something with mouse or keys and come to rest."""
        await self._ready()
        self.visit.hand.pointed = True
        with contextlib.suppress(ProtocolError):  # the page may go away under the touch: what comes next is looked at
            await self.visit.bounded(work(*arguments, **options))
        await self._acted()

    async def _ready(self) -> None:
        """What comes before each single action, when all is known but nothing is done."""

    async def _acted(self) -> None:
        """What follows each single action."""
        self.visit.rest += SETTLE

    async def click(self, target: Any, times: int) -> Touch:
        """Click, or double-click."""
        at = await self._aim(target, "click")
        if at["problem"] is None:
            await self._click(at["x"], at["y"], times)
        return _touch(at)

    async def _click(self, x: float, y: float, times: int) -> None:
        """Click as a user does: for a page that could tell, the button is down for some frames."""
        if not self.visit.hears_button_up:
            await self._act(self.visit.hand.click, x, y, times)
            return
        for number in range(1, times + 1):
            for down in (True, False):
                if self.visit.rest:
                    await self.visit.turn()
                await self._act(self.visit.hand.button, x, y, number, down)

    async def type(self, target: Any, text: str, submit: bool) -> Touch:
        """Replace the content of a field by typing."""
        at = await self._aim(target, "type")
        if at["problem"] is not None:
            return _touch(at)
        if at["type"] in WIDGETS:
            return await self.set(target, text)
        hand = self.visit.hand
        if not text and at["value"]:
            await self._act(hand.press, "Delete")
        if len(text) > (TYPED if self.visit.hears_keys else 1):
            await self._act(hand.insert, text[:-1])
            text = text[-1:]
        if text:
            await self._act(hand.type, text)
        if submit:
            await self.visit.turn()
            await self._act(hand.press, "Enter")
        return _touch(at)

    async def press(self, key: str, target: Any, hold: float) -> Touch:
        """Press a key, on the target if there is one, and hold it for so many virtual milliseconds."""
        at: dict[str, Any] = {"problem": None, "detail": None, "alternative": None}
        if target is not None:
            at = await self._aim(target, "focus")
        elif self.visit.rest:
            await self.visit.turn()
        if at["problem"] is not None:
            return _touch(at)
        if hold or self.visit.hears_key_up:  # some frames at least, as by a finger
            await self._act(self.visit.hand.key, key, True)
            await self.wait(max(0.0, hold - SETTLE))
            await self._act(self.visit.hand.key, key, False)
        else:
            await self._act(self.visit.hand.press, key)
        return _touch(at)

    async def select(self, target: Any, option: str) -> Touch:
        """Choose an option by its label or value; in a list made of other elements, by two clicks."""
        at = await self._aim(target, "select")
        if at["problem"] is not None:
            return _touch(at)
        if at["tag"] != "SELECT":
            opened = await self.click(target, 1)
            if opened.problem is not None:
                return opened
            words = {"name": option}
            options = [{"role": role} | words for role in ("option", "menuitem", "radio", "button")] + [
                {"text": option}
            ]
            chosen = await self.click(options, 1)
            return Touch("option" if chosen.problem == "absent" else chosen.problem, chosen.detail, at["alternative"])
        await self._ready()
        done = (await self.visit.turn(choose=option))["done"]
        await self._acted()
        return _touch(at) if done else Touch("option", None, at["alternative"])

    async def check(self, target: Any, on: bool) -> Touch:
        """Tick or untick."""
        at = await self._aim(target, "check")
        if at["problem"] is None and at["on"] is None:
            return Touch("unfit", None, at["alternative"])
        if at["problem"] is None and at["on"] is on:
            return Touch(alternative=at["alternative"], idle=True)
        if at["problem"] is None:
            await self._click(at["x"], at["y"], 1)
        return _touch(at)

    async def set(self, target: Any, value: str) -> Touch:
        """Give a control a value, as its own widget would."""
        at = await self._aim(target, "set")
        if at["problem"] is not None:
            return _touch(at)
        await self._ready()
        done = (await self.visit.turn(put=value))["done"]
        await self._acted()
        return _touch(at) if done else Touch("unfit", None, at["alternative"])

    async def drag(self, target: Any, to: Any, dx: float, dy: float) -> Touch:
        """Press the mouse on the target and let go at another place."""
        at = await self._aim(target, "drag")
        if at["problem"] is not None:
            return _touch(at)
        x, y = at["x"] + dx, at["y"] + dy
        if to is not None:
            there = await self._aim(to, "hover")
            if there["problem"] is not None:
                return _touch(there)
            x, y = there["x"], there["y"]
            at |= {key: (await self._aim(target, "drag"))[key] for key in ("x", "y")}
        hand = self.visit.hand
        await self._act(hand.move, at["x"], at["y"])
        await self._act(hand.down)
        await self._act(hand.move, (at["x"] + x) / 2, (at["y"] + y) / 2, steps=2)
        await self._act(hand.move, x, y, steps=3)
        await self._act(hand.up)
        return _touch(at)

    async def hover(self, target: Any) -> Touch:
        """Move the mouse over the target."""
        at = await self._aim(target, "hover")
        if at["problem"] is None:
            await self._act(self.visit.hand.move, at["x"], at["y"])
        return _touch(at)

    async def scroll(self, target: Any, dy: float) -> Touch:
        """Turn the mouse wheel over the target, or over the middle of the page."""
        at: dict[str, Any] = {"problem": None, "detail": None, "alternative": None}
        x, y = self.visit.settings.width / 2, self.visit.settings.height / 2
        if target is not None:
            at = await self._aim(target, "hover")
            if at["problem"] is not None:
                return _touch(at)
            x, y = at["x"], at["y"]
        await self._act(self.visit.hand.move, x, y)
        await self._act(self.visit.hand.wheel, dy)
        await self.visit.turn(patient=True)  # the wheel turns in real frames
        return _touch(at)

    async def wait(self, ms: float) -> None:
        """Let virtual time pass."""
        left = ms + self.visit.rest
        while left > 0:
            self.visit.rest = min(left, STEP)
            left -= self.visit.rest
            await self.visit.turn()

    async def reload(self) -> None:
        """Load the page again; storage stays."""
        if self.visit.rest:
            await self.visit.turn()
        await self.visit.again()

    async def dialog(self, accept: bool, text: str | None) -> None:
        """Say how dialogs are answered from now on."""
        self.visit.answer = (accept, text)


def _touch(at: dict[str, Any]) -> Touch:
    return Touch(at["problem"], at["detail"], at["alternative"])
