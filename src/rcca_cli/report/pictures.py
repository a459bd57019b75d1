"""Pictures of an app as the judge saw it: after its load, and where the check of an item ended.

The app runs as it did for the judge (offline, the same seed of chance, the same clock), in the judge's own browser
and never in that of the reader, who gets pictures only.
"""

import base64
from typing import Any

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, BrowserLost, Machine, Screen, Visit, shot
from rcca_cli.judge.data import cases
from rcca_cli.judge.desk import Desk
from rcca_cli.judge.trial import page_seed
from rcca_cli.source import html

Json = dict[str, Any]
QUALITY = 60  # of WebP, in percent
MOST = 60_000  # bytes of a picture; a larger one is taken again at half the size
KIND = "image/webp"


class Photographer:
    """Takes the pictures of records, in a browser kept warm. Threads may share it.

    `seed` is that of the judging: a check whose data was drawn with another one is not played. `every`: of each item
    with a check, not only of those that failed.
    """

    def __init__(self, machine: Machine, seed: int, every: bool = False) -> None:
        self.machine = machine
        self.seed = seed
        self.every = every

    def knows(self, record: Json) -> bool:
        """Whether the record was judged with our seed, as far as it says."""
        environment = (record.get("judge") or {}).get("environment") or {}
        return environment.get("seed") in (None, page_seed(self.seed, record["id"]))

    def taken(self, record: Json) -> tuple[Json, list[Json] | None]:
        """The record and its pictures, `{"item": id or None, "type", "data"}`, the load first.

        None of what the judge did not open; what the app does wrong costs the pictures from there on. They are None if
        the browser was lost over them.
        """
        if not _was_opened(record.get("judge")):
            return record, []
        try:
            return record, self.machine.run(lambda: self._taken(record))
        except BrowserLost:
            return record, None

    def loaded(self, record: Json) -> Json | None:
        """The picture after the load alone; None where there is nothing to see."""
        if not _was_opened(record.get("judge")):
            return None
        try:
            found = self.machine.run(lambda: self._first(record))
        except BrowserLost:
            return None
        return found[0] if found else None

    async def _first(self, record: Json) -> list[Json]:
        async with Desk(self.machine, *_page(self.seed, record)) as desk:
            return await self._loaded(desk)

    async def _taken(self, record: Json) -> list[Json]:
        async with Desk(self.machine, *_page(self.seed, record)) as desk:
            found = await self._loaded(desk)
            for item in self._wanted(record) if found and self.knows(record) else []:
                found += await self._ended(desk, record, item)
        return found

    def _wanted(self, record: Json) -> list[Json]:
        passed = {row["rubric"]: row["passed"] for row in record["judge"]["verdicts"]}
        states = (True, False) if self.every else (False,)
        return [item for item in record["task"]["rubric"] if item["check"] and passed.get(item["id"]) in states]

    async def _loaded(self, desk: Desk) -> list[Json]:
        visit = await desk.visit()
        try:
            await visit.load()
            return [await picture(visit, None)]
        except AppTrouble:
            return []

    async def _ended(self, desk: Desk, record: Json, item: Json) -> list[Json]:
        """The page after the item's first case that fails, or after its last; nothing if it goes otherwise now."""
        verdict = next(row["passed"] for row in record["judge"]["verdicts"] if row["rubric"] == item["id"])
        try:
            for case in cases(record, item, self.seed):
                visit = await desk.unmarked()
                await visit.load()
                outcome = await checks.play(Screen(visit), case)
                if not outcome.passed:
                    break
            return [await picture(visit, item["id"])] if outcome.passed is verdict else []
        except AppTrouble:
            await desk.clear()
        except checks.CheckError:
            pass
        return []


async def picture(visit: Visit, item: str | None) -> Json:
    """The window of the page, once it has come to rest."""
    if visit.rest:
        await visit.turn()
    data = await shot(visit, quality=QUALITY)
    if len(data) > MOST:
        data = await shot(visit, quality=QUALITY, scale=0.5)
    return {"item": item, "type": KIND, "data": base64.b64encode(data).decode()}


def _page(seed: int, record: Json) -> tuple[html.Document, int]:
    """The record's page, and the seed of chance in it."""
    app = record["judge"]["artifact"]
    document = html.parse(record["rollout"]["text"][app["start"] : app["end"]])
    return document, (record["judge"].get("environment") or {}).get("seed", page_seed(seed, record["id"]))


def _was_opened(judge: Json | None) -> bool:
    """Whether the judge got as far as the browser: there is a page, and it parses."""
    if not judge or not judge["artifact"]:
        return False
    return not any(gate["passed"] is False for gate in judge["gates"][:2])
