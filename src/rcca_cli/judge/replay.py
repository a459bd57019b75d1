"""Play a case once more with instruments on, to find the code that a verdict points to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, Element, Failure, Frame, NoEvidence, Probe, Ran, Screen
from rcca_cli.checks import Outcome
from rcca_cli.judge import veils
from rcca_cli.judge.places import aligned
from rcca_cli.source import html

LOOKS = ("style", "visible", "hidden")  # expectations that a style rule may have failed


@dataclass(frozen=True)
class Loaded:
    """What the instruments saw of a load: the code that ran, and where the elements are written that it left."""

    ran: tuple[Ran, ...] = ()
    sources: Mapping[int, html.Element] = field(default_factory=dict)  # by their place among all elements


@dataclass(frozen=True)
class Seen:
    """What one replay saw. `acted` is the element of the last action, `looked` that of the failed expectation."""

    load: Loaded = field(default_factory=Loaded)
    window: tuple[tuple[Ran, ...], ...] = ()  # what ran after the load, as it was taken from time to time
    action: tuple[Ran, ...] | None = None  # what the last action itself made run; None if nothing was done
    failures: tuple[Failure, ...] = ()
    stuck: tuple[Frame, ...] = ()
    acted: Element | None = None
    looked: Element | None = None
    veil: veils.Veil | None = None  # what hides what the failed step looked for
    complete: bool = False  # whether the replay went as far as the verdict
    trouble: bool = False  # the page hung, crashed or cannot be asked, so that it is of no more use


class Watched(Screen):
    """A screen that looks closely at one action: at its element before, at the code that ran after."""

    def __init__(self, probe: Probe, loaded: Loaded, outcome: Outcome, step: int | None) -> None:
        super().__init__(probe.visit)
        self.probe = probe
        self.loaded = loaded
        self.outcome = outcome
        self.step = step
        self.acted: Element | None = None
        self.taken: list[tuple[Ran, ...]] = []
        self.action: tuple[Ran, ...] | None = None
        self.done = 0  # how many actions the coverage that was taken covers

    async def take(self) -> tuple[Ran, ...]:
        """What ran since the last time; nothing can have, if nothing was done since."""
        self.done = len(self.outcome.did)
        self.taken.append(tuple(await self.probe.coverage()))
        return self.taken[-1]

    async def _aim(self, target: Any, purpose: str) -> dict[str, Any]:
        at = await super()._aim(target, purpose)
        if self.outcome.step == self.step and at["problem"] not in (None, "absent"):
            self.acted = await self.probe.element(self.loaded.sources, listens=True)
        return at

    async def _ready(self) -> None:
        if self.outcome.step == self.step and self.acted is None:
            self.acted = await self.probe.element(self.loaded.sources, listens=True)
            if len(self.outcome.did) > 1:  # this one is among them
                await self.take()

    async def _acted(self) -> None:
        await super()._acted()
        if self.outcome.step == self.step:
            await self.visit.turn()
            self.action = (*(self.action or ()), *await self.take())


class Replays:
    """Replays on one page under instruments."""

    def __init__(self, probe: Probe, document: html.Document) -> None:
        self.probe = probe
        self.document = document
        self.visit = probe.visit
        self.loaded = Loaded()

    async def load(self) -> None:
        """The page as it is after its load; not loaded anew if it still is so."""
        if self.probe.fresh:
            return
        await self.probe.load()
        await self.visit.turn()
        skeleton = await self.probe.evaluate("rcca.skeleton()")
        self.loaded = Loaded(tuple(await self.probe.coverage()), aligned(skeleton, self.document))

    async def play(self, case: checks.Case, verdict: Outcome) -> Seen:
        """What the instruments see when the case is played, as far as `verdict` got."""
        probe, outcome = self.probe, Outcome()
        screen = Watched(probe, self.loaded, outcome, _watched(case, verdict))
        looked, veil, trouble = None, None, False
        try:
            await self.load()
            screen.loaded = self.loaded
            if not verdict.passed and not checks.is_passive(case):
                await probe.evaluate("rcca.noteShut()")
            probe.fresh = checks.is_passive(case)
            await checks.play(screen, case, outcome)
            if self.visit.rest:
                await self.visit.turn()
            if len(outcome.did) > screen.done:
                await screen.take()
            looked = await self._looked(case, outcome)
            if not outcome.passed:
                veil = await veils.find(probe, self.loaded.sources, case.steps[outcome.step])
        except (AppTrouble, NoEvidence):
            trouble = True
        return Seen(
            load=self.loaded,
            window=tuple(screen.taken),
            action=screen.action,
            failures=tuple(probe.failures),
            stuck=probe.stuck,
            acted=screen.acted,
            looked=looked,
            veil=veil,
            complete=not trouble and outcome.passed == verdict.passed and outcome.step == verdict.step,
            trouble=trouble,
        )

    async def _looked(self, case: checks.Case, outcome: Outcome) -> Element | None:
        """The element of the expectation that failed, or of the last one; with its style, if that was looked at."""
        step = case.steps[outcome.step]
        target = step.arguments.get("target")
        if step.entry.acts or not target or not await self.probe.evaluate(f"rcca.see({json.dumps(target)})"):
            return None
        return await self.probe.element(self.loaded.sources, styled=step.entry.name in LOOKS)


def _watched(case: checks.Case, verdict: Outcome) -> int | None:
    """The action to look at: the one that could not be done, else the last one done before the end."""
    if not verdict.passed and case.steps[verdict.step].entry.acts:
        return verdict.step
    return verdict.last_act
