"""Missing features: is the blame for code that was left out put where it was left out?

The answers are the generator's, with one feature's code left out at a known place; what the feature looks like is
known from answers to the same task that were sampled from the policy, as in training.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rcca_cli.align import places
from rcca_cli.align import stage as align
from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.bench.align import judging
from rcca_cli.bench.align.samples import POLICY, Group
from rcca_cli.bench.statistics import mean, share
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.store import Store
from rcca_cli.synth import app as synth
from rcca_cli.synth import stage

Record = dict[str, Any]
NEAR = 16  # tokens


@dataclass(frozen=True)
class Omission:
    """One item that fails for want of code. `near` is the share of the placed mass within 16 tokens of the place."""

    id: str
    rubric: str
    failure: str
    siblings: int  # sampled answers that pass the item; without any there is nothing to learn
    placed: float  # Σ α
    near: float | None


def omissions(groups: Sequence[Group], seed: int, jobs: int, store: Store) -> Iterator[Omission]:
    """Every single omission of each task, in the order of the tasks."""
    broken = [(group, number, fault) for group in groups for number, fault in enumerate(left_out(group.made), 1)]
    records = [
        stage.solution(group.made, group.made.task(), number, group.made.render([fault]))
        for group, number, fault in broken
    ]
    options = judge.Options(seed=seed, jobs=jobs)
    known = {group.made.id: group.answers() for group in groups}
    for record, (group, _, _) in zip(judging.run(records, options, store, "omissions"), broken, strict=True):
        answer = align.answer(Line(record, "<bench>", 1), POLICY)
        (fault,) = record["truth"]
        if answer is not None and answer.creditable[fault["rubric"]] is False:
            yield measured(answer, fault, known[group.made.id])


def left_out(made: synth.App) -> list[synth.Fault]:
    """The bugs of an app that leave code out."""
    return [fault for fault in made.faults() if fault.failure == "absent"]


def measured(answer: Answer, fault: Record, others: Sequence[Answer]) -> Omission:
    """Where the blame for an omission goes, next to where it belongs."""
    name = fault["rubric"]
    item = next(item for item in answer.rubric if item["id"] == name)
    passing = [other for other in others if other.creditable.get(name) is True]
    peers = [other for other in others if other.creditable.get(name) is False]
    case = Case(answer, item, answer.verdicts[name], passing, peers)
    alpha = places.failed(case).place.alpha
    placed = 0.0 if alpha is None else float(alpha.sum())
    near = None
    if alpha is not None and placed > 0:
        low, high = np.searchsorted(answer.tokens.ends, (fault["start"], fault["end"]), side="right")
        near = float(alpha[max(low - NEAR, 0) : high + NEAR + 1].sum()) / placed
    return Omission(answer.record["id"], name, answer.verdicts[name]["failure"], len(passing), placed, near)


def summary(found: Sequence[Omission]) -> Record:
    """The share of cases placed and how much of the mass is near, of items that some sampled answer passes."""

    def of(cases: Sequence[Omission]) -> Record:
        near = {one.id + one.rubric: [one.near] for one in cases if one.near is not None}
        placed = [one for one in cases if one.placed > 0]
        return {"n": len(cases), "placed": asdict(share(len(placed), len(cases))), "near": asdict(mean(near))}

    cases = [one for one in found if one.siblings]
    kinds = sorted({one.failure for one in cases})
    return of(cases) | {
        "without_sibling": len(found) - len(cases),
        "by_failure": {kind: of([one for one in cases if one.failure == kind]) for kind in kinds},
    }
