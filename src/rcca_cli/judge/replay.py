"""Play a case once more with instruments on, to find the code that a verdict points to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, Element, Failure, Frame, Probe, Ran, Screen, Visit
from rcca_cli.checks import Outcome


@dataclass(frozen=True)
class Loaded:
    """What the instruments saw of a load: the code that ran, and the elements the parser had made (tag, id)."""

    ran: tuple[Ran, ...] = ()
    skeleton: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class Seen:
    """What one replay saw. `acted` is the element of the last action, `looked` that of the failed expectation."""

    load: Loaded = Loaded()
    window: tuple[tuple[Ran, ...], ...] = ()  # what ran after the load, as it was taken from time to time
    action: tuple[Ran, ...] | None = None  # what the last action itself made run; None if nothing was done
    failures: tuple[Failure, ...] = ()
    stuck: tuple[Frame, ...] = ()
    acted: Element | None = None
    looked: Element | None = None
    complete: bool = False  # whether the replay went as far as the verdict
    trouble: bool = False  # the page hung or crashed, so that it is of no more use


class Watched(Screen):
    """A screen that looks closely at one action: at its element before, at the code that ran after."""

    def __init__(self, visit: Visit, probe: Probe, outcome: Outcome, step: int | None) -> None:
        super().__init__(visit)
        self.probe = probe
        self.outcome = outcome
        self.step = step
        self.acted: Element | None = None
        self.taken: list[tuple[Ran, ...]] = []
        self.action: tuple[Ran, ...] | None = None

    async def take(self) -> tuple[Ran, ...]:
        """What ran since the last time."""
        self.taken.append(tuple(await self.probe.coverage()))
        return self.taken[-1]

    async def _aim(self, target: Any, purpose: str) -> dict[str, Any]:
        at = await super()._aim(target, purpose)
        if self.outcome.step == self.step and self.acted is None and at["problem"] != "absent":
            self.acted = await self.probe.element(listens=True)
            await self.take()
        return at

    async def _acted(self) -> None:
        await super()._acted()
        if self.outcome.step == self.step:
            await self.visit.turn()
            self.action = (*(self.action or ()), *await self.take())


class Replays:
    """Replays on one page under instruments."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.visit = probe.visit
        self.loaded = Loaded()

    async def load(self) -> None:
        """The page as it is after its load; not loaded anew if it still is so."""
        if self.probe.fresh:
            return
        await self.probe.load()
        await self.visit.turn()
        skeleton = await self.visit.evaluate("rcca.skeleton()")
        self.loaded = Loaded(tuple(await self.probe.coverage()), skeleton)

    async def play(self, case: checks.Case, verdict: Outcome) -> Seen:
        """What the instruments see when the case is played, as far as `verdict` got."""
        probe, outcome = self.probe, Outcome()
        screen = Watched(self.visit, probe, outcome, _watched(case, verdict))
        try:
            await self.load()
            probe.fresh = checks.is_passive(case)
            await checks.play(screen, case, outcome)
            await self.visit.turn()
            await screen.take()
            looked = await _looked(self.visit, probe, case, outcome)
        except AppTrouble:
            looked, trouble = None, True
        else:
            trouble = False
        return Seen(
            load=self.loaded,
            window=tuple(screen.taken),
            action=screen.action,
            failures=tuple(probe.failures),
            stuck=probe.stuck,
            acted=screen.acted,
            looked=looked,
            complete=not trouble and outcome.passed == verdict.passed and outcome.step == verdict.step,
            trouble=trouble,
        )


def _watched(case: checks.Case, verdict: Outcome) -> int | None:
    """The action to look at: the one that could not be done, else the last one done before the end."""
    if not verdict.passed and case.steps[verdict.step].entry.acts:
        return verdict.step
    return verdict.last_act


async def _looked(visit: Visit, probe: Probe, case: checks.Case, outcome: Outcome) -> Element | None:
    """The element of the expectation that failed, or of the last one."""
    step = case.steps[outcome.step]
    if step.entry.acts:
        return None
    target = step.arguments.get("target")
    if not target or not await visit.evaluate(f"rcca.see({json.dumps(target)})"):
        return None
    return await probe.element(listens=False)
