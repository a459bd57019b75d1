"""Fills in the verdicts that only a model can give, and counts what came of asking it."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from rcca_cli import console
from rcca_cli.browser import BrowserLost, Machine
from rcca_cli.chat import Client, Remembering
from rcca_cli.judge import verdicts
from rcca_cli.judge.model import opinion, prompt
from rcca_cli.judge.model.inquiry import Inquiry, Matter
from rcca_cli.judge.model.listing import Listing
from rcca_cli.judge.model.options import Asking

LOST = 3  # times that the browser may be lost in one vote
FEW = 5  # verdicts; that so few are the same says nothing


class Asker:
    """Asks one model. Threads may share it. RccaError if there is no server to ask.

    `identity` names it in a record: model, server and version of the prompt; verdicts of two are not comparable.
    """

    def __init__(self, asking: Asking, seed: int, told: bool = True) -> None:
        self.asking = asking
        self.seed = seed
        client = Client(asking.base_url, asking.model, asking.seconds, asking.attempts)
        self.client = Remembering(client, asking.cache)
        if told:
            self.client.introduce("judge model")
        self.identity = f"{asking.model}@{urlsplit(client.url).netloc} prompt {prompt.version()}"
        self.verdicts: Counter[bool | None] = Counter()
        self.votes: Counter[str] = Counter()  # votes asked for, items with several, items in which all agreed
        self._lock = threading.Lock()

    def fill(
        self,
        machine: Machine,
        record: Mapping[str, Any],
        html: str,
        start: int,
        page_seed: int,
        rows: Sequence[dict[str, Any]],
    ) -> list[dict[str, Any]]:
        """The rows, and in place of each that only lacks a check the model's; what is decided stays as it is.

        `html` is the page, from `start` of the answer on.
        """
        items = {item["id"]: item for item in record["task"]["rubric"]}
        listing: Listing | None = None
        filled = []
        for row in rows:
            if row["error"] == verdicts.NO_CHECK:
                listing = listing or Listing(html)
                request = prompt.request(record["task"]["prompt"])
                matter = Matter(record["id"], items[row["rubric"]], request, listing, start, self.seed, page_seed)
                row = self.judged(machine, matter)
            filled.append(row)
        return filled

    def judged(self, machine: Machine, matter: Matter) -> dict[str, Any]:
        """The row of one item, by as many votes as it takes: two that agree are enough, else all that may be asked."""
        rows: list[dict[str, Any]] = []
        while len(rows) < self.asking.votes and not (len(rows) == 2 and len({row["passed"] for row in rows}) == 1):
            rows.append(self._vote(machine, matter, len(rows)))
        row = opinion.combined(rows, self.asking.votes)
        with self._lock:
            self.verdicts[row["passed"]] += 1
            self.votes["asked"] += len(rows)
            self.votes["of several"] += len(rows) > 1
            self.votes["agreed"] += len(rows) > 1 and len({row["passed"] for row in rows}) == 1
        return row

    def _vote(self, machine: Machine, matter: Matter, number: int) -> dict[str, Any]:
        reason = ""
        for _ in range(LOST):
            try:
                return Inquiry(self.client, self.asking, matter, number).row(machine)
            except BrowserLost as error:
                reason = str(error)
        return verdicts.unknown(matter.item["id"], reason)

    def report(self) -> None:
        """The counts on standard error, and a warning if all verdicts are the same."""
        total = sum(self.verdicts.values())
        if not total:
            return
        counts = f"{self.verdicts[True]} passed, {self.verdicts[False]} failed, {self.verdicts[None]} not known"
        requests = f"{self.client.asked} requests, {self.client.remembered} remembered"
        console.note(f"judge model {self.identity}: {total} verdicts ({counts}), {requests}")
        if several := self.votes["of several"]:
            console.note(f"judge model: the first two votes on {self.votes['agreed']} of {several} items agreed")
        if total >= FEW and len(+self.verdicts) == 1:
            word = {True: "passed", False: "failed", None: "is not known"}[next(iter(+self.verdicts))]
            console.error(
                f"warning: all {total} verdicts of the judge model are the same (every item {word}): "
                "is it able to judge? (look at verdicts[].diagnosis and verdicts[].error)"
            )
