"""The page on the judge's desk: one visit for all items of a record, replaced when the app has spoiled it."""

from collections.abc import Callable
from contextlib import AsyncExitStack

from rcca_cli.browser import Machine, Missing, Probe, Visit
from rcca_cli.judge.replay import Replays
from rcca_cli.source import html


class Desk:
    """Holds at most one visit of one page. Use as an asynchronous context manager.

    `spent` is told the processor seconds of each visit when it ends; `missing` then has what it asked of CDNs in vain.
    """

    def __init__(
        self,
        machine: Machine,
        document: html.Document,
        seed: int,
        frames: bool = True,
        spent: Callable[[float], None] = lambda _: None,
    ) -> None:
        self.missing: set[Missing] = set()
        self._spent = spent
        self._machine = machine
        self._document = document
        self._seed = seed
        self._frames = frames
        self._stack = AsyncExitStack()
        self._visit: Visit | None = None
        self._replays: Replays | None = None

    async def __aenter__(self) -> "Desk":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._leave()

    async def visit(self) -> Visit:
        """The visit, opened if there is none."""
        if self._visit is None:
            visit = self._machine.visit(self._document.text, self._seed, self._frames)
            self._visit = await self._stack.enter_async_context(visit)
        return self._visit

    async def unmarked(self) -> Visit:
        """The visit, in a new context if the app has a memory in which an earlier case may have left something."""
        if self._visit is not None and self._visit.remembers and self._visit.loads:
            await self.clear()
        return await self.visit()

    async def replays(self) -> Replays:
        """Instruments on the visit; from now on it is for replays only."""
        if self._replays is None:
            probe = Probe(await self.visit())
            await probe.start()
            self._replays = Replays(probe, self._document)
        return self._replays

    async def clear(self) -> None:
        """Give the visit up, and what it was on; the next one is fresh."""
        if self._visit is not None:
            self._visit.spoiled = True
        await self._leave()

    async def _leave(self) -> None:
        if self._replays is not None:
            await self._replays.probe.stop()
        if self._visit is not None:
            self._spent(self._visit.guard.spent())
            self.missing |= self._visit.missing
        self._visit = self._replays = None
        await self._stack.aclose()
