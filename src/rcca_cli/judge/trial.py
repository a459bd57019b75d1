"""One page before the judge: does it run, does each rubric item's check pass, and what code is behind it?"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import checks, seeds
from rcca_cli.browser import STUCK, AppTrouble, Machine, Missing, Screen, Visit
from rcca_cli.judge import data, explain, lacking, verdicts
from rcca_cli.judge.desk import Desk
from rcca_cli.judge.places import Places
from rcca_cli.judge.played import Played
from rcca_cli.judge.replay import Seen
from rcca_cli.judge.turns import Turns

SETTLED = 1000.0  # virtual milliseconds after the load in which an error still counts as one of loading


@dataclass(frozen=True)
class Findings:
    """The runtime gate's row, the verdicts' rows, and what the page asked of CDNs that is not here."""

    gate: dict[str, Any]
    verdicts: list[dict[str, Any]]
    missing: frozenset[Missing] = frozenset()

    @staticmethod
    def unknown(rubric: Sequence[Mapping[str, Any]], reason: str) -> "Findings":
        """Nothing is known, by our own fault."""
        rows = [verdicts.unknown(item["id"], reason) for item in rubric]
        return Findings(verdicts.gate("runtime", None, diagnosis=reason), rows)


class Trial:
    """The visits that one record needs: one page, loaded anew for each case, until it has to be given up."""

    def __init__(
        self,
        machine: Machine,
        html: str,
        start: int,
        record: Mapping[str, Any],
        seed: int,
        replay_passes: float | None,
        turn: int = 0,
    ) -> None:
        self.machine = machine
        self.places = Places(html, start)
        self.rubric: Sequence[Mapping[str, Any]] = record["task"]["rubric"]
        self.name: str = record["id"]
        self.record = record
        self.run_seed = seed
        self.page_seed = page_seed(seed, self.name, turn)
        self.replay_passes = replay_passes
        self.played: dict[str, Played] = {}
        self.seen: dict[str, Seen] = {}
        self.busy = 0.0  # processor seconds of the page's processes, over all attempts

    async def findings(self) -> Findings:
        """What the browser found; BrowserLost if it was lost on the way."""
        self.played, self.seen = {}, {}
        checked = {
            item["id"]: data.cases(self.record, item, self.run_seed)
            for item in self.rubric
            if item["check"] is not None
        }
        frames = not all(checks.is_still(case) for cases in checked.values() for case in cases)
        async with Desk(self.machine, self.places.document, self.page_seed, frames, self._spent) as desk:
            gate, fatal = await self._judge(desk, checked)
            if not fatal:
                await self._replay(desk)
            elif gate["diagnosis"] == STUCK:
                gate |= _place(await self._stuck(desk))
        excuse = gate["diagnosis"] if gate["passed"] is None else None
        rows = [self._row(item["id"], gate, fatal, excuse) for item in self.rubric]
        return Findings(gate, rows, frozenset(desk.missing))

    def _row(self, name: str, gate: Mapping[str, Any], fatal: bool, excuse: str | None) -> dict[str, Any]:
        """The verdict on one item; `excuse` is why the page's failures are not its own."""
        if fatal:
            return lacking.excused(verdicts.not_reached(name, gate["diagnosis"]), excuse)
        played = self.played.get(name)
        if played is None:
            return verdicts.unknown(name, excuse or verdicts.NO_CHECK)
        row = explain.row(name, played, self.seen.get(name), self.places)
        return lacking.excused(row, excuse or played.lacked)

    def _spent(self, seconds: float) -> None:
        self.busy += seconds

    # Verdicts --------------------------------------------------------------------------------------------------------

    async def _judge(self, desk: Desk, checked: Mapping[str, Sequence[checks.Case]]) -> tuple[dict[str, Any], bool]:
        """The runtime gate, and whether it leaves nothing to judge; fills in `played`."""
        passive = {name: cases for name, cases in checked.items() if all(map(checks.is_passive, cases))}
        gate, fatal = await self._first_look(await desk.visit(), passive)
        if fatal:
            return gate, True
        await self._act(desk, {name: cases for name, cases in checked.items() if name not in passive})
        return gate, False

    async def _first_look(
        self, visit: Visit, passive: Mapping[str, Sequence[checks.Case]]
    ) -> tuple[dict[str, Any], bool]:
        """Load the page, judge the items that only look, and see whether it comes to rest."""
        try:
            await visit.load()
            screen = Screen(visit)
            for name, cases in passive.items():
                await self._look(screen, name, cases)
            visit.rest += SETTLED
            blank = (await visit.turn(blank=True))["blank"]
        except AppTrouble as trouble:
            return _failed(str(trouble)), True
        excuse = lacking.at_load(visit, blank)
        if excuse:
            place = self.places.thrown(visit.thrown[0]) if visit.thrown else None
            return verdicts.gate("runtime", None, diagnosis=excuse) | _place(place), blank
        if visit.thrown:
            first = visit.thrown[0]
            return _failed(first.message) | _place(self.places.thrown(first)), blank
        return (_failed("the page is blank"), True) if blank else (verdicts.gate("runtime", True), False)

    async def _look(self, screen: Screen, name: str, cases: Sequence[checks.Case]) -> None:
        for number, case in enumerate(cases):
            self.played[name] = Played(case, number)
            if not (await checks.play(screen, case, self.played[name].outcome)).passed:
                break

    async def _act(self, desk: Desk, checked: Mapping[str, Sequence[checks.Case]]) -> None:
        """Judge items by their cases, each up to the first that fails. Cases that do the same share a load."""
        turns = Turns(checked)
        begun = await desk.visit()
        # The first cases go on with the load that was looked at, if a second more or less makes no difference to it.
        loaded = begun.still and not (begun.slow or begun.thrown)
        while (first := turns.next()) is not None:
            visit = begun if loaded else await desk.unmarked()
            await self._play(desk, visit, [first] if visit.slow else turns.like(first), loaded)
            loaded = False
        self.played |= turns.played()

    async def _play(self, desk: Desk, visit: Visit, played: Sequence[Played], loaded: bool) -> None:
        """Play cases on one load of the page, a new one unless it is `loaded`."""
        going = list(played)

        async def over(places: Sequence[int]) -> None:
            if visit.rest:
                await visit.turn()  # an action was the last: errors may still come
            for place in places:
                played[place].threw = bool(visit.thrown)
                played[place].lacked = lacking.reason(visit.thrown, visit.missing)
                going.remove(played[place])

        for one in played:
            one.begun = True
        try:
            if not loaded:
                await visit.load()
            await checks.play_together(Screen(visit), [(one.case, one.outcome) for one in played], over)
        except AppTrouble as trouble:
            for one in going:
                one.outcome.passed = False
                one.trouble = one.outcome.problem = str(trouble)
            await desk.clear()

    # Evidence --------------------------------------------------------------------------------------------------------

    async def _replay(self, desk: Desk) -> None:
        """Play what failed, and a share of what passed, once more under instruments; fills in `seen`."""
        for name, played in self.played.items():
            if self._wanted(name, played):
                replays = await desk.replays()
                self.seen[name] = await replays.play(played.case, played.outcome)
                if self.seen[name].trouble:
                    await desk.clear()

    async def _stuck(self, desk: Desk) -> tuple[int, int] | None:
        """Where the page is busy while it loads."""
        await desk.clear()
        probe = (await desk.replays()).probe
        probe.visit.guard.patience = 0.3  # it is known to hang
        with contextlib.suppress(AppTrouble):
            await probe.load()
            await probe.visit.turn()
        return next(filter(None, map(self.places.frame, probe.stuck)), None)

    def _wanted(self, name: str, played: Played) -> bool:
        if self.replay_passes is None:
            return False
        if not played.outcome.passed:
            return True
        return seeds.derive(self.run_seed, "replay", self.name, name) < self.replay_passes * 2**63


def _failed(why: str) -> dict[str, Any]:
    return verdicts.gate("runtime", False, diagnosis=why)


def _place(span: tuple[int, int] | None) -> dict[str, int]:
    return {} if span is None else {"start": span[0], "end": span[1]}


def page_seed(seed: int, name: str, turn: int = 0) -> int:
    """The seed of chance in the pages of the record called `name`, in [0, 2**31); another one each `turn`."""
    return seeds.derive(seed, "page", name, *([turn] if turn else [])) & 0x7FFFFFFF
