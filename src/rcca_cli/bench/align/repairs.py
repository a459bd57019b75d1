"""Repairs: real failing answers beside what mends them; the truth is what had to be changed.

Mutants do not predict how well faults of a model are found (Pearson et al., ICSE 2017): where the two disagree about
which evidence is better, repairs decide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import Indel

from rcca_cli import jsonl, records
from rcca_cli.align.answer import Answer
from rcca_cli.bench.align import hunks, judging, scoring
from rcca_cli.bench.align.apps import App
from rcca_cli.bench.align.hunks import Hunk
from rcca_cli.bench.align.kept import RUNS, Kept, asked, failing, ran
from rcca_cli.bench.align.mutants import Mutant
from rcca_cli.bench.align.samples import Group, forms
from rcca_cli.judge import stage as judge
from rcca_cli.rewards import rubric
from rcca_cli.store import Store

Record = dict[str, Any]
MOST = 12  # hunks of a repair: with more it is another app
EACH = 3  # repairs of one group


@dataclass(frozen=True)
class Repair:
    """`record` is a judged answer in which `item` fails, `text` the whole answer as it should have been."""

    record: Record
    item: str
    text: str


def proposed(groups: Sequence[Group]) -> Iterator[Repair]:
    """For failing items of the policy's answers the right form that is most alike; a few items of each group."""
    for group in groups:
        right = list(forms(group.made))
        used: set[str] = set()
        for record in group.records:
            text = record["rollout"]["text"]
            fresh = [item for item in failing(record) if item not in used] if ran(record) else []
            if fresh and len(used) < EACH:
                used.add(fresh[0])
                yield Repair(record, fresh[0], min(right, key=lambda one: Indel.distance(text, one)))


def read(path: str, seed: int, jobs: int, store: Store) -> Iterator[Repair]:
    """The repairs of a JSONL file: records with an answer, and `repaired`, the whole answer mended.

    RecordError if a line is none. Every item that fails before is one.
    """
    lines = list(jsonl.read([path]))
    for line in lines:
        records.need(line, "task", "rollout")
        if not isinstance(line.record.get("repaired"), str):
            raise line.error("repaired: expected the mended answer, a string")
    options = judge.Options(seed=seed, jobs=jobs)
    for line, record in zip(
        lines, judging.run([line.record for line in lines], options, store, "answers"), strict=True
    ):
        for item in failing(record) if ran(record) else ():
            yield Repair(record, item, line.record["repaired"])


def minimal(repairs: Sequence[Repair], seed: int, jobs: int, store: Store) -> list[Kept]:
    """The repairs that mend their item and change no other, each with the fewest changes that do.

    One change alone is tried first; if none will do all of them, then less and less (1-minimal, as in delta
    debugging). Before and after must come out the same in all runs.
    """
    options = judge.Options(seed=seed, jobs=jobs, replay_passes=0.0)
    standing: dict[int, list[Hunk]] = {}
    going = {index: first_tries(repair) for index, repair in enumerate(repairs)}
    while going:
        trials = [(index, some) for index, tries in going.items() for some in tries]
        made = [trial(repairs[index], some) for index, some in trials]
        found: dict[int, list[Hunk]] = {}
        for (index, some), record in zip(trials, judging.run(made, options, store, "repairs"), strict=True):
            if index not in found and mends(repairs[index], record):
                found[index] = some
        standing |= found
        going = {index: without_one(some) for index, some in found.items() if len(some) > 1}
    sure = stable([(repairs[index], standing[index]) for index in sorted(standing)], seed, jobs, store)
    return [kept(repair, some, number) for number, (repair, some) in enumerate(sure)]


def first_tries(repair: Repair) -> list[list[Hunk]]:
    """Each change alone, then all; nothing if there are too many."""
    every = hunks.between(repair.record["rollout"]["text"], repair.text)
    return [*([one] for one in every), every] if 0 < len(every) <= MOST else []


def without_one(some: Sequence[Hunk]) -> list[list[Hunk]]:
    """All changes but one, in every way."""
    return [[*some[:place], *some[place + 1 :]] for place in range(len(some))]


def stable(
    found: Sequence[tuple[Repair, list[Hunk]]], seed: int, jobs: int, store: Store
) -> list[tuple[Repair, list[Hunk]]]:
    """The repairs whose item fails before and passes after in the other runs too."""
    going = list(found)
    for turn in range(1, RUNS):
        options = judge.Options(seed=seed + turn, jobs=jobs, replay_passes=0.0)
        both = [asked(trial(repair, some), [repair.item]) for repair, hunk in going for some in ([], hunk)]
        passed = [
            record["judge"]["verdicts"][0]["passed"] for record in judging.run(both, options, store, f"run {turn + 1}")
        ]
        pairs = zip(passed[::2], passed[1::2], strict=True)
        going = [one for one, (before, after) in zip(going, pairs, strict=True) if before is False and after is True]
    return going


def trial(repair: Repair, some: Sequence[Hunk]) -> Record:
    """The answer with some of the repair."""
    text = hunks.repaired(repair.record["rollout"]["text"], some)
    rollout = records.text_only(text, repair.record["rollout"]["finish_reason"])
    return {key: value for key, value in repair.record.items() if key != "judge"} | {"rollout": rollout}


def mends(repair: Repair, after: Record) -> bool:
    """Whether the item passes now, and no other is judged otherwise, but those that it was a parent of."""
    if not ran(after):
        return False
    was, now = (
        rubric.creditable(record["task"]["rubric"], record["judge"]["verdicts"]) for record in (repair.record, after)
    )
    others = [name for name, passed in was.items() if name != repair.item and passed is not None]
    return now[repair.item] is True and all(now[name] is was[name] for name in others)


def kept(repair: Repair, some: Sequence[Hunk], number: int) -> Kept:
    """The repair as a fault with a known place."""
    record = repair.record
    text = record["rollout"]["text"]
    edits = tuple(hunks.place(text, hunk) for hunk in some)
    app = App(f"policy:{record['group']}", "policy", False, record, {})
    return Kept(Mutant(app, "repair", "", edits, record), record | {"id": f"{record['id']}#{number}"}, (repair.item,))


def siblings(groups: Sequence[Group]) -> dict[str, list[Answer]]:
    """The answers of each group, by its name."""
    return {group.made.id: [scoring.answered(record) for record in group.records if ran(record)] for group in groups}
