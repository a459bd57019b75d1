"""Answers judged for the experiment: by the oracle where it decides, else by the real judge, and no answer twice."""

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

from rcca_cli import records, rewards, seeds
from rcca_cli.bench.align import judging
from rcca_cli.bench.credit import oracle
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.judge import artifact, verdicts
from rcca_cli.judge import stage as judge
from rcca_cli.judge.court import Court
from rcca_cli.store import Store
from rcca_cli.synth import app

Record = dict[str, Any]
BY = ("oracle", "kept", "browser")


class Bench:
    """Where answers are judged; leave it (`with`) and the browser goes, which is started when one is needed.

    With `ask_oracle` the oracle goes first; without it (tier R) all is the real judge's. Judgements are kept in
    `store` by text, task, options and version of the judge. `counts` says who judged how many.
    """

    def __init__(self, options: judge.Options, store: Store, *, ask_oracle: bool) -> None:
        self.options, self.store, self.ask_oracle = options, store, ask_oracle
        self.counts: Counter[str] = Counter(dict.fromkeys(BY, 0))
        self._open = contextlib.ExitStack()
        self._court: Court | None = None

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, kind: type | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def judge(self, tasks: Mapping[str, app.App], answers: Sequence[Record]) -> list[Record]:
        """The records, which have `task` and `rollout`, with `judge`, in order. `tasks` are the apps by group."""
        found: dict[int, Record] = {}
        for place, record in enumerate(answers if self.ask_oracle else ()):
            reading = oracle.read(tasks[record["group"]], record["rollout"]["text"])
            if reading is not None:
                found[place] = judgement(record, reading, self.options)
        self.counts["oracle"] += len(found)
        rest = [place for place in range(len(answers)) if place not in found]
        found |= zip(rest, self._judged([answers[place] for place in rest]), strict=True)
        return [record | {"judge": found[place]} for place, record in enumerate(answers)]

    def _judged(self, answers: Sequence[Record]) -> list[Record]:
        """The real judge's judgements."""
        plain = [nameless(record) for record in answers]
        ends = [record["rollout"]["finish_reason"] for record in plain]
        names = [named(record, end, self.options) for record, end in zip(plain, ends, strict=True)]
        found = {name: self.store.read(name) for name in dict.fromkeys(names)}
        if not self.options.evidence:  # a judgement with evidence is as good
            fuller = replace(self.options, evidence=True)
            for name, record, end in zip(names, plain, ends, strict=True):
                found[name] = found[name] or self.store.read(named(record, end, fuller))
        fresh = {name: one for name, one in zip(names, plain, strict=True) if found[name] is None}
        self.counts["browser"] += len(fresh)
        self.counts["kept"] += len(answers) - len(fresh)
        for name, record in zip(fresh, self._fresh(list(fresh.values())), strict=True):
            found[name] = record["judge"]
            if all(row["passed"] is not None for row in record["judge"]["verdicts"]):
                self.store.write(name, record["judge"])
        return [found[name] for name in names]

    def _fresh(self, answers: Sequence[Record]) -> list[Record]:
        if not answers:
            return []
        if self._court is None:
            self._court = self._open.enter_context(judge.court(self.options))
        judged: list[Record] = []
        lines = (Line(record, "<bench>", number) for number, record in enumerate(answers, 1))
        with contextlib.suppress(ItemsFailed):  # what is not known is null, and counted by whoever reads it
            judged.extend(judge.run(lines, self.options, self._court))
        return judged


def named(record: Record, end: str, options: judge.Options) -> str:
    """What a judgement with these options of an answer that ended so is kept under."""
    return seeds.digest([*judging.name(record, options), end], 16)


def nameless(record: Record) -> Record:
    """The record as all answers of one text to its task have it in common: nothing of it depends on its number."""
    given, group = record["rollout"], record["group"]
    rollout = records.text_only(given["text"], given["finish_reason"]) | {"thought_end": given.get("thought_end")}
    return {"id": group, "group": group, "task": record["task"], "rollout": rollout}


def judgement(record: Record, reading: oracle.Reading, options: judge.Options) -> Record:
    """The value of `judge` that says what the oracle read, in the shape of the judge's own, without evidence."""
    rubric = record["task"]["rubric"]
    rows = [verdicts.gate(level, True) for level in verdicts.LEVELS[:3]]
    if reading.row is not None:
        failed = verdicts.LEVELS.index(reading.level)
        behind = [verdicts.gate(level, None, progress=0.0) for level in verdicts.LEVELS[failed + 1 : 3]]
        rows = [*rows[:failed], dict(reading.row), *behind]
    ruled = [verdict(item["id"], reading) for item in rubric]
    return {
        "level": reading.level,
        "reward": rewards.REWARDS[options.reward](reading.level, ruled, rubric, rows),
        "artifact": artifact.find(record["rollout"]["text"]).artifact,
        "gates": rows,
        "verdicts": ruled,
        "missing": [],
        "environment": dict.fromkeys(("browser", "sandbox", "isolation", "viewport", "seed", "model")),
        "stamp": None,
        "config": seeds.digest(["oracle", seeds.config_digest(options)]),
    }


def verdict(name: str, reading: oracle.Reading) -> Record:
    """One row of `judge.verdicts`."""
    outcome = reading.outcomes[name]
    if outcome.passed:
        return verdicts.verdict(name, True)
    if reading.level in ("format", "source"):
        return verdicts.not_reached(name, str(reading.row and reading.row["diagnosis"]))
    why = ", ".join(one.slot for one in reading.causes[name])
    return verdicts.verdict(name, False, severity=outcome.severity, failure=outcome.failure, diagnosis=f"wrong: {why}")
