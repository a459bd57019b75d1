"""One group of answers to the same task: what each did that the others did not, and the credit for it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rcca_cli.align import diagnosed, places, spans
from rcca_cli.align.answer import Answer
from rcca_cli.align.case import Case
from rcca_cli.align.places import Placed
from rcca_cli.align.sources import quote
from rcca_cli.credit import Credit, Member, Options, Verdict, token_advantages
from rcca_cli.rewards import rubric

Cases = dict[str, tuple[Case, Placed]]


def aligned(answers: Sequence[Answer | None], options: Options) -> list[dict[str, Any]]:
    """The `align` of each member, but for its config; None is an answer that could not be had."""
    scorable = [answer for answer in answers if answer is not None and answer.reward is not None]
    cases = {id(answer): located(answer, scorable) for answer in answers if answer is not None}
    members = [member(answer, cases[id(answer)], options.mode) for answer in scorable]
    credits = {id(answer): credit for answer, credit in zip(scorable, token_advantages(members, options), strict=True)}
    values = []
    for answer in answers:
        found = cases[id(answer)] if answer is not None else {}
        values.append(value(answer, found, credits.get(id(answer)), options.mode))
    return values


def by_evidence(case: Case) -> Placed:
    """The place to which the evidence points."""
    return places.passed(case) if case.verdict["passed"] else places.failed(case)


def located(answer: Answer, scorable: Sequence[Answer], place: Callable[[Case], Placed] = by_evidence) -> Cases:
    """Each item of an answer with the place for its credit: all that fail, and those that pass where another fails."""
    found: Cases = {}
    for item in answer.rubric:
        name = item["id"]
        held = answer.creditable[name]
        if held is None:
            continue
        others = [other for other in scorable if other is not answer]
        contrast = [other for other in others if other.creditable.get(name) is (not held)]
        peers = [other for other in others if other.creditable.get(name) is held]
        case = Case(answer, item, answer.verdicts[name], contrast, peers)
        if contrast or not held:
            found[name] = case, place(case)
    return found


def member(answer: Answer, cases: Cases, mode: str) -> Member:
    """What the credit of an answer depends on."""
    weight = rubric.weights(answer.rubric)
    nowhere = places.NOWHERE
    items = {
        name: Verdict(
            held,
            weight[name],
            answer.verdicts[name]["confidence"],
            cases[name][1].place if name in cases else nowhere,
        )
        for name, held in answer.creditable.items()
        if held is not None
    }
    gates = {
        f"gate:{gate['level']}": Verdict(
            gate["passed"], 1.0, 1.0, places.gate(answer, gate["start"], gate["end"], gate["passed"])
        )
        for gate in answer.gates
        if gate["passed"] is not None
    }
    marked: tuple[np.ndarray | None, np.ndarray | None] = (None, None)
    if mode == "paper":
        failed = [placed for case, placed in cases.values() if case.kind != "passed"]
        marked = diagnosed.tokens(answer, failed, failed_gates(answer))
    return Member(answer.reward or 0.0, answer.tokens.count, items, gates, *marked)


def failed_gates(answer: Answer) -> list[tuple[int, int]]:
    """Where the gates that an answer did not pass say that it went wrong."""
    rows = [gate for gate in answer.gates if gate["passed"] is False and gate["start"] is not None]
    return [(gate["start"], gate["end"]) for gate in rows]


def value(answer: Answer | None, cases: Cases, credit: Credit | None, mode: str) -> dict[str, Any]:
    """The record's `align`; null credit for what could not be scored."""
    found: list[dict[str, Any]] = []
    for name, (_, placed) in cases.items():
        assert answer is not None
        found += spans.rows(answer, name, placed, credit.items.get(name, 0.0) if credit else 0.0)
    if answer is not None:
        found += spans.gate_rows(answer, failed_gates(answer), credit)
    return {
        "advantage": round(credit.advantage, 6) + 0.0 if credit else None,
        "advantages": rounded(credit.advantages) if credit else None,
        "weights": rounded(credit.weights) if credit else None,
        "spans": found,
        "unmatched": sum(quote.unmatched(case) for case, _ in cases.values()),
        "mode": mode,
    }


def rounded(values: np.ndarray) -> list[float]:
    """Six decimals are more than a gradient notices; adding 0 turns −0 into 0."""
    return (np.round(values, 6) + 0.0).tolist()
