"""One page before the judge: does it run, and does each rubric item's check pass?"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import checks, seeds
from rcca_cli.browser import AppTrouble, Machine, Visit
from rcca_cli.browser.screen import Screen
from rcca_cli.judge import verdicts

SETTLED = 1000.0  # virtual milliseconds after the load in which an error still counts as one of loading


@dataclass(frozen=True)
class Findings:
    """The runtime gate's row and the verdicts' rows."""

    gate: dict[str, Any]
    verdicts: list[dict[str, Any]]

    @staticmethod
    def unknown(rubric: Sequence[Mapping[str, Any]], reason: str) -> "Findings":
        """Nothing is known, by our own fault."""
        rows = [verdicts.unknown(item["id"], reason) for item in rubric]
        return Findings(verdicts.gate("runtime", None, diagnosis=reason), rows)


@dataclass
class Played:
    """How an item's cases went: the outcome of the first that failed, or of the last."""

    outcome: checks.Outcome
    case: int
    passed: int  # how many cases passed before
    thrown: int
    hung: str | None = None


class Trial:
    """The visits that one record needs."""

    def __init__(
        self, machine: Machine, html: str, start: int, record: Mapping[str, Any], seed: int, replay_passes: float
    ) -> None:
        self.machine = machine
        self.html = html
        self.start = start
        self.rubric: Sequence[Mapping[str, Any]] = record["task"]["rubric"]
        self.name = record["id"]
        self.seed = seeds.derive(seed, "page", self.name) & 0x7FFFFFFF
        self.replay_passes = replay_passes

    async def findings(self) -> Findings:
        """What the browser found; BrowserLost if it was lost on the way."""
        async with self.machine.visit(self.html, self.seed) as visit:
            gate, fatal, rows = await self._first_look(visit)
            if fatal:
                return Findings(gate, [verdicts.not_reached(item["id"], gate["diagnosis"]) for item in self.rubric])
            for item in self.rubric:
                if item["id"] not in rows:
                    rows[item["id"]] = await self._item(visit, item)
        return Findings(gate, [rows[item["id"]] for item in self.rubric])

    async def _first_look(self, visit: Visit) -> tuple[dict[str, Any], bool, dict[str, Any]]:
        """Load the page: the gate, whether nothing more can be judged, and verdicts on items that only look."""
        rows: dict[str, Any] = {}
        try:
            await visit.load()
            screen = Screen(visit)
            for item in self.rubric:
                if item["check"] is None:
                    reason = "no check, and no model to judge by (a check is written in docs/checks.md)"
                    rows[item["id"]] = verdicts.unknown(item["id"], reason)
                    continue
                cases = checks.parse(item["check"]).cases
                if all(map(checks.is_passive, cases)):
                    rows[item["id"]] = await self._passive(screen, item, cases)
            visit.rest += SETTLED
            blank = (await visit.turn(blank=True))["blank"]
        except AppTrouble as trouble:
            return verdicts.gate("runtime", False, diagnosis=str(trouble)), True, {}
        if visit.flooded:
            return (
                verdicts.gate("runtime", False, diagnosis=f"the page never comes to rest ({visit.flooded})"),
                True,
                {},
            )
        if visit.thrown:
            return verdicts.gate("runtime", False, diagnosis=visit.thrown[0].message), False, rows
        if blank:
            return verdicts.gate("runtime", False, diagnosis="the page is blank"), True, {}
        return verdicts.gate("runtime", True), False, rows

    async def _passive(self, screen: Screen, item: Mapping[str, Any], cases: Sequence[checks.Case]) -> dict[str, Any]:
        for number, case in enumerate(cases):
            outcome = await checks.play(screen, case)
            if not outcome.passed:
                break
        return self._row(item, Played(outcome, number, number, 0))

    async def _item(self, visit: Visit, item: Mapping[str, Any]) -> dict[str, Any]:
        cases = checks.parse(item["check"]).cases
        screen = Screen(visit)
        for number, case in enumerate(cases):
            try:
                await visit.load()
                outcome = await checks.play(screen, case)
            except AppTrouble as trouble:
                outcome = checks.Outcome(kind="unable", problem=str(trouble))
                return self._row(item, Played(outcome, number, number, 0, hung=str(trouble)))
            if not outcome.passed:
                break
        return self._row(item, Played(outcome, number, number, len(visit.thrown)))

    def _row(self, item: Mapping[str, Any], played: Played) -> dict[str, Any]:
        if played.outcome.passed:
            return verdicts.verdict(item["id"], True)
        return verdicts.verdict(
            item["id"],
            False,
            severity=0.5 if played.passed else 1.0,
            failure=verdicts.failure(played.outcome, played.thrown > 0),
            diagnosis=played.outcome.diagnosis,
        )


__all__ = ["Findings", "Trial", "asyncio"]
