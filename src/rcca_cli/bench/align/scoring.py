"""From kept mutants to scores: one row for each mutant, failed item and variant."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli import seeds
from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.bench.align import variants
from rcca_cli.bench.align.kept import Kept
from rcca_cli.bench.align.metrics import Score
from rcca_cli.bench.align.variants import Fault, Variant
from rcca_cli.credit.unit_map import LANGUAGE
from rcca_cli.jsonl import Line
from rcca_cli.units import Tokens

Record = dict[str, Any]
WORDS = re.compile(r"[A-Za-z]+|\d+|\s+|[^\sA-Za-z\d]")
SIBLINGS = 5


@dataclass(frozen=True)
class Row:
    """The scores of one variant for one failed item of one mutant."""

    one: Kept
    item: str
    failure: str
    language: str  # of the fault's unit: script, style or markup
    variant: str
    scores: tuple[Score, ...]


def answered(record: Record) -> Answer:
    """A judged record, ready to be attributed; its tokens are words, numbers, spaces and signs.

    Which they are decides nothing here: the figures are of units.
    """
    text = record["rollout"]["text"]
    return Answer(Line(record, "<bench>", 1), Tokens([match.span() for match in WORDS.finditer(text)], len(text)))


def rows(
    kept: Sequence[Kept], table: Mapping[str, Variant], groups: Mapping[str, Sequence[Answer]] | None = None
) -> Iterator[Row]:
    """A row for each mutant, item and variant.

    Siblings are the answers of `groups` by the app's name; without it the other mutants of the app.
    """
    answers = [answered(one.record) for one in kept]
    for index, (one, near) in enumerate(zip(kept, neighbours(kept), strict=True)):
        others = [answers[other] for other in near] if groups is None else groups.get(one.mutant.app.name, ())
        for item in one.items:
            fault = fault_of(one, answers[index], item)
            beside = {"siblings": with_siblings(fault, others), "shuffled": shuffled(fault, [kept[n] for n in near])}
            found = {name: list(variant(fault)) for name, variant in table.items()}
            found |= {name: list(variants.fused(other)) for name, other in beside.items() if other is not None}
            for name, scores in found.items():
                yield Row(one, item, fault.case.verdict["failure"], language(fault), name, tuple(scores))


def neighbours(kept: Sequence[Kept]) -> list[list[int]]:
    """For each mutant the places of the others of its app."""
    by_app: dict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(kept):
        by_app[one.mutant.app.name].append(index)
    return [[other for other in by_app[one.mutant.app.name] if other != index] for index, one in enumerate(kept)]


def fault_of(one: Kept, answer: Answer, item: str) -> Fault:
    """One failed item of a mutant."""
    row = next(row for row in answer.rubric if row["id"] == item)
    return Fault(Case(answer, row, answer.verdicts[item]), one.mutant.edits, f"{one.record['id']} {item}")


def language(fault: Fault) -> str:
    """The language of the code with the fault."""
    units = fault.case.answer.units
    start, end = fault.edits[0]
    near = units.touched(start, end)
    return LANGUAGE.get(units.units[near.start].kind, "script") if near else "script"


def with_siblings(fault: Fault, others: Sequence[Answer]) -> Fault | None:
    """The fault beside other mutants of its app that pass the item, as answers of one policy are alike."""
    item = fault.case.item["id"]
    passing = [other for other in others if other.creditable.get(item) is True]
    if not passing:
        return None
    chosen = seeds.generator("siblings", fault.name).sample(passing, min(SIBLINGS, len(passing)))
    return replace(fault, case=replace(fault.case, contrast=tuple(chosen)))


def shuffled(fault: Fault, others: Sequence[Kept]) -> Fault | None:
    """The fault with another mutant's failed item: what is found then is chance."""
    item = fault.case.item["id"]
    strange = [(one, name) for one in others for name in one.items if name != item]
    if not strange:
        return None
    one, name = seeds.generator("shuffled", fault.name).choice(strange)
    row = next(row for row in one.record["task"]["rubric"] if row["id"] == name)
    verdict = next(verdict for verdict in one.record["judge"]["verdicts"] if verdict["rubric"] == name)
    return replace(fault, case=replace(fault.case, item=row, verdict=verdict))
