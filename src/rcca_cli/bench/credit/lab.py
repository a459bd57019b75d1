"""What every run does with a policy: sample answers to tasks of the generator, have them judged, give credit."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import rcca_cli.judge.stage as judge
import rcca_cli.rollout.stage as rollout
from rcca_cli.align import stage as align
from rcca_cli.bench.credit import agreement, arms, oracle, placing, tasks
from rcca_cli.bench.credit.arms import SIMULATED, Arm
from rcca_cli.bench.credit.options import Options
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.bench.credit.verdicts import Bench
from rcca_cli.browser import processes
from rcca_cli.jsonl import Line
from rcca_cli.store import Store
from rcca_cli.synth.app import App

Record = dict[str, Any]
DIGITS = 4  # of processor seconds


@dataclass
class Lab:
    """Who judges the tasks of each set, and the processor seconds spent so far by part of the work.

    `real` is the judge alone, without the oracle.
    """

    benches: Mapping[str, Bench]
    real: Mapping[str, Bench]
    items: int | None = None  # of each rubric
    spent: dict[str, float] = field(default_factory=dict)

    def judged(self, policy: Any, name: str, made: Sequence[App], sampling: rollout.Options) -> list[Judged]:
        """Answers of the policy to these tasks of the set `name`, judged, group after group."""
        apps = {app.id: app for app in made}
        with self.timed("sample"):
            backend = rollout.open_backend(sampling, policy)
            asked = lines([tasks.record(app, self.items) for app in made], "tasks")
            answers = list(rollout.run(asked, sampling, backend))
        with self.timed("judge"), self.with_browser():
            found = self.benches[name].judge(apps, answers)
        with self.timed("align"):
            return [known(record, apps[record["group"]]) for record in found]

    def agreement(self, name: str, made: Sequence[App], judged: Sequence[Judged]) -> Record:
        """How often the oracle says of these answers to tasks of the set `name` what the real judge says."""
        apps = {app.id: app for app in made}
        with self.timed("agreement"):
            return agreement.measured(apps, self.real[name].judge(apps, [one.answer.record for one in judged]))

    def credited(self, arm: Arm, judged: Sequence[Judged], sequence_share: float, scale: float) -> list[Record]:
        """The records with the arm's `align`."""
        found = []
        with self.timed("align"):
            for group in groups(judged):
                values = arms.credited(arm, group, sequence_share, scale)
                found += [one.answer.record | {"align": value} for one, value in zip(group, values, strict=True)]
        return found

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Counts the processor seconds of this process spent inside."""
        begun = time.process_time()
        yield
        self.spent[part] = self.spent.get(part, 0.0) + time.process_time() - begun

    @contextmanager
    def with_browser(self) -> Iterator[None]:
        """Counts the processor seconds of the processes that this one started, which are the browsers."""
        begun = processes.cpu_below(os.getpid())
        yield
        spent = max(0.0, processes.cpu_below(os.getpid()) - begun)  # what a killed browser used is lost
        self.spent["browser"] = self.spent.get("browser", 0.0) + spent

    def stamp(self) -> dict[str, float]:
        """What was spent since the last call, by part."""
        spent, self.spent = self.spent, {}
        return {part: round(seconds, DIGITS) for part, seconds in sorted(spent.items())}


@contextmanager
def opened(run: Options, names: Sequence[str]) -> Iterator[Lab]:
    """A lab for such a run, and for the arms of these names.

    The values of checks are drawn anew for each set; judgements are kept in its `cache`. Evidence is collected of
    answers that are learned from, if an arm needs it: the verdicts are the same without, in a third of the time.
    """
    needed = any(arms.ARMS[name].by_evidence for name in names)
    with ExitStack() as stack:
        benches, real = {}, {}
        for name, seed in tasks.CHECK_SEEDS.items():
            options = judge.Options(seed=seed, jobs=run.jobs, evidence=needed and name in tasks.LEARNED)
            benches[name] = stack.enter_context(Bench(options, Store(run.cache), ask_oracle=run.tier == SIMULATED))
            real[name] = stack.enter_context(Bench(options, Store(run.cache), ask_oracle=False))
        yield Lab(benches, real, run.items)


def known(record: Record, made: App) -> Judged:
    """A judged record with what the generator knows of it: the oracle's reading, or else the places alone."""
    answer = align.answer(Line(record, "<bench>", 1), None)
    assert answer is not None  # sampled here, by ourselves
    return Judged(answer, oracle.read(made, answer.text) or placing.as_judged(made, answer))


def groups(judged: Sequence[Judged]) -> Iterator[list[Judged]]:
    """The answers to each task."""
    for _, members in groupby(judged, key=lambda one: one.answer.record["group"]):
        yield list(members)


def lines(records: Sequence[Record], place: str) -> list[Line]:
    """The records as a stage's input."""
    return [Line(record, f"<{place}>", number) for number, record in enumerate(records, 1)]
