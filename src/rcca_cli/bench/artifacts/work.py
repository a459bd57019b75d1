"""The two stages of an item, each done once for all time: its page is seen, and what was seen is marked."""

from typing import TYPE_CHECKING

from rcca_cli import __version__, seeds
from rcca_cli.bench.artifacts import official, pages
from rcca_cli.bench.artifacts.evidence import Album, Evidence
from rcca_cli.bench.artifacts.journal import Journal
from rcca_cli.bench.artifacts.outcome import Outcome
from rcca_cli.bench.artifacts.rows import Item
from rcca_cli.bench.artifacts.shooting import Shooter
from rcca_cli.bench.artifacts.verdict import PASSING, Judge, Verdict, nothing_to_judge
from rcca_cli.bench.artifacts.viewing import Viewer
from rcca_cli.browser import Machine

if TYPE_CHECKING:
    from rcca_cli.bench.artifacts.stage import Options


class Work:
    """Does both. Threads may share it."""

    def __init__(
        self, options: "Options", journal: Journal, album: Album, judge: Judge, machine: Machine | None
    ) -> None:
        self.options, self.journal, self.album, self.judge = options, journal, album, judge
        self.viewer = Viewer(machine, album, probing=options.probing) if machine else None
        self.shooter = Shooter(album, options.step_seconds, options.network)
        version = machine.version if machine else f"{options.step_seconds:g} {options.network}"
        self.ways = [__version__, options.compat, options.seed, options.probing, str(options.cdn), version]

    def seen(self, item: Item) -> tuple[Item, Evidence]:
        """The evidence of an item's page, from the journal if it is there with its pictures."""
        if item.lost is not None:
            return item, Evidence("none", why=item.lost)
        key = seeds.digest(["see", item.key, *self.ways], 16)
        known = Evidence.of(self.journal.get(key))
        if known is not None and self.album.has(known.pictures):
            return item, known
        found = self._look(item)
        if found.failure != "browser_lost":
            self.journal.put(key, "see", item.index, found.plain())
        return item, found

    def _look(self, item: Item) -> Evidence:
        if self.viewer is None:
            return self.shooter.evidence(answer_of(item, "official"))
        if not answer_of(item, "fixed"):
            return Evidence("none", "no_answer", "the answer is empty" if item.answer == "" else "it is no text")
        return self.viewer.evidence(pages.page(item.answer or ""), seeds.derive(self.options.seed, item.key))

    def marked(self, pair: tuple[Item, Evidence]) -> Outcome:
        """The outcome, from the journal if it is there. What may come out otherwise another time is not kept."""
        item, evidence = pair
        if item.lost is not None:
            return self._outcome(item, evidence, Verdict.unknown("unanswered", item.lost))
        if evidence.failure == "browser_lost":
            return self._outcome(item, evidence, Verdict.unknown("browser_lost", evidence.why or ""))
        shown = seeds.digest(evidence.plain(), 16)
        key = seeds.digest(["mark", item.key, shown, self.judge.identity, self.options.seed], 16)
        known = Verdict.of(self.journal.get(key))
        if known is not None:
            return self._outcome(item, evidence, known)
        verdict = self._verdict(item, evidence)
        if verdict.trouble not in PASSING:
            self.journal.put(key, self.options.marking, item.index, verdict.plain())
        return self._outcome(item, evidence, verdict)

    def _verdict(self, item: Item, evidence: Evidence) -> Verdict:
        """Of an empty answer ours needs no judge; the released harness asks, but fails on what is no text."""
        if self.options.compat == "official":
            if item.answer is None:
                return Verdict.unknown("judge_unparsed", "the answer is no text")
        elif evidence.failure == "no_answer":
            return nothing_to_judge(evidence.why or "")
        answer = answer_of(item, self.options.compat)
        pictures = [self.album.read(one) for one in evidence.pictures]
        return self.judge.verdict(item, answer, evidence, pictures)

    def _outcome(self, item: Item, evidence: Evidence, verdict: Verdict) -> Outcome:
        return Outcome(
            item, evidence, verdict, self.options.compat, self.judge.identity, self.options.seed, item.length
        )


def answer_of(item: Item, compat: str) -> str:
    """What the judge is shown of an answer: all that is behind the reasoning."""
    text = item.answer or ""
    return official.answer(text) if compat == "official" else pages.without_thought(text).strip()
