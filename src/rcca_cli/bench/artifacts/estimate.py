"""What a run would cost before it is begun: what the journal has not, counted, with nothing seen and nobody asked."""

from collections import Counter as Counts
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rcca_cli import console
from rcca_cli.bench.artifacts import pages, prompt, prompt_official
from rcca_cli.bench.artifacts.budget import OFFICIAL, Counter
from rcca_cli.bench.artifacts.evidence import Evidence
from rcca_cli.bench.artifacts.journal import Journal
from rcca_cli.bench.artifacts.rows import Item

if TYPE_CHECKING:
    from rcca_cli.bench.artifacts.stage import Options

PICTURES = 4  # of a page, at most
PICTURE = 1600  # tokens
FACTS = 800
SHOTS, SHOT = 3, 1196  # of the official way; higher pages cost more
SECONDS = {"fixed": 0.65, "official": 1.85}  # of the processor for a page, as measured (docs/log.md)


class Estimate:
    """Adds up the items that the journal does not know."""

    def __init__(self, options: "Options", journal: Journal) -> None:
        self.options = options
        self.known = journal.done(options.marking)
        self.counter = Counter()
        self.statuses: Counts[str] = Counts()
        self.items = self.calls = self.tokens = 0

    def add(self, item: Item) -> None:
        """Count one item."""
        self.items += 1
        page = pages.page(item.answer or "")
        self.statuses[page.status] += 1
        if str(item.index) in self.known or not self.options.model or item.lost is not None:
            return
        if self.options.compat == "official":
            words = prompt_official.text(item, item.answer or "", self.counter)
            self.tokens += min(self.counter.count(words), OFFICIAL) + SHOTS * SHOT
            self.calls += 1
        elif item.answer:
            limits = self.options.limits
            room = limits.context - limits.reply
            asked = prompt.request(item, item.answer, Evidence(page.status), (), self.counter, room)
            seen = FACTS + PICTURES * PICTURE if page.html else FACTS
            self.tokens += min(asked.tokens + seen, room) * limits.repeats
            self.calls += limits.repeats

    def show(self, items: Iterable[Item]) -> None:
        """Add all of them and say what it comes to."""
        for item in items:
            self.add(item)
        written = self.calls * self.options.limits.reply
        cost = self.options.prices.cost(self.tokens, written)
        found = ", ".join(f"{count} {name}" for name, count in self.statuses.most_common())
        console.note(f"{self.items} items ({found or 'none'}); {len(self.known)} of this judge are in the journal")
        console.note(f"about {self.items * SECONDS[self.options.compat] / 60:.0f} processor minutes to see them all")
        console.note(
            f"{self.calls} calls of the judge if each reply can be used: about {self.tokens} tokens read, "
            f"at most {written} written" + (f", at most {cost:.2f} in all" if cost is not None else "")
        )
