"""Play a case once more with instruments on, to find the code that a verdict points to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, Element, Failure, Frame, Probe, Ran, Screen, Visit
from rcca_cli.checks import Outcome


@dataclass(frozen=True)
class Seen:
    """What one replay saw. `acted` is the element of the last action, `looked` that of the failed expectation."""

    load: tuple[Ran, ...] = ()
    window: tuple[Ran, ...] = ()
    action: tuple[Ran, ...] = ()  # the part of the window that the last action itself made run
    failures: tuple[Failure, ...] = ()
    stuck: tuple[Frame, ...] = ()
    acted: Element | None = None
    looked: Element | None = None
    skeleton: Sequence[Sequence[str]] = ()
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
        self.before: list[Ran] = []
        self.action: list[Ran] = []

    async def _aim(self, target: Any, purpose: str) -> dict[str, Any]:
        at = await super()._aim(target, purpose)
        if self.outcome.step == self.step and self.acted is None and at["problem"] != "absent":
            self.acted = await self.probe.element(listens=True)
            self.before += await self.probe.coverage()
        return at

    async def _act(self, work: Any) -> None:
        await super()._act(work)
        if self.outcome.step == self.step:
            await self.visit.turn()
            self.action += await self.probe.coverage()


async def replay(probe: Probe, case: checks.Case, verdict: Outcome) -> Seen:
    """What the instruments see when the case is played on a fresh load, as far as `verdict` got."""
    visit, outcome = probe.visit, Outcome()
    screen = Watched(visit, probe, outcome, _watched(case, verdict))
    seen = Seen()
    try:
        await probe.load()
        await visit.turn()
        seen = replace(seen, load=tuple(await probe.coverage()), skeleton=await visit.evaluate("rcca.skeleton()"))
        await checks.play(screen, case, outcome)
        await visit.turn()
        rest = await probe.coverage()
        looked = await _looked(visit, probe, case, outcome)
    except AppTrouble:
        window = (*screen.before, *screen.action)
        return replace(
            seen, window=window, stuck=probe.stuck, failures=tuple(probe.failures), acted=screen.acted, trouble=True
        )
    return replace(
        seen,
        window=(*screen.before, *screen.action, *rest),
        action=tuple(screen.action),
        failures=tuple(probe.failures),
        acted=screen.acted,
        looked=looked,
        complete=outcome.passed == verdict.passed and outcome.step == verdict.step,
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
