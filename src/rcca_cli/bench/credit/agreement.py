"""How often the oracle says what the real judge says of the same answers: of each arm, early and late."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli.bench.credit import oracle
from rcca_cli.bench.credit.verdicts import judgement
from rcca_cli.judge import stage as judge
from rcca_cli.synth import app

Record = dict[str, Any]
TIMES = ("start", "middle", "end")
ITEMS = ("passed", "failed")
LEAST, FARTHEST = 0.98, 0.01  # share of items at any time; between two arms


def measured(tasks: Mapping[str, app.App], judged: Sequence[Record]) -> Record:
    """How often the oracle says what the real judge said of the same answers.

    `judged` are records with the real judge's `judge`. Items count where both let the page run; an item counts as the
    judge has it, so that "passed" is the share of its passes that the oracle passes too.
    """
    counts: dict[str, Counter[bool]] = {key: Counter() for key in ("level", "passed", "failed", "severity", "failure")}
    decided, rewarded = 0, 0
    for record in judged:
        reading = oracle.read(tasks[record["group"]], record["rollout"]["text"])
        if reading is None:
            continue
        decided += 1
        real = record["judge"]
        counts["level"][reading.level == real["level"]] += 1
        told = judgement(record, reading, judge.Options())["reward"]
        rewarded += real["reward"] is not None and abs(told - real["reward"]) < 1e-6
        if "format" in (real["level"], reading.level) or "source" in (real["level"], reading.level):
            continue
        for row in real["verdicts"]:
            if row["passed"] is not None:
                compare(counts, row, reading.outcomes[row["rubric"]])
    shares = {key: {"agree": found[True], "of": found.total()} for key, found in counts.items()}
    return {"answers": len(judged), "decided": decided, "same_reward": rewarded} | shares


def compare(counts: Mapping[str, Counter[bool]], row: Mapping[str, Any], outcome: oracle.Outcome) -> None:
    """Count one item, its row being the judge's."""
    counts["passed" if row["passed"] else "failed"][row["passed"] == outcome.passed] += 1
    if not row["passed"] and not outcome.passed:
        counts["severity"][row["severity"] == outcome.severity] += 1
        counts["failure"][row["failure"] == outcome.failure] += 1


def total(found: Sequence[Record]) -> Record:
    """The counts of several agreements, by what they are of, with the share that agrees: null of nothing."""
    keys = [key for key, value in found[0].items() if isinstance(value, dict)] if found else []
    sums = {key: (sum(one[key]["agree"] for one in found), sum(one[key]["of"] for one in found)) for key in keys}
    return {key: {"share": agree / of if of else None, "of": of} for key, (agree, of) in sums.items()}


def of_arm(evaluations: Sequence[Sequence[Record]]) -> Record | None:
    """Of an arm's runs, each a list of its evaluations: the agreement at each time and over all; null without any."""
    found = [[one["agreement"] for one in run if one.get("agreement")] for run in evaluations]
    whole = [run for run in found if len(run) == len(TIMES)]
    if not whole:
        return None
    at = {name: total([run[place] for run in whole]) for place, name in enumerate(TIMES)}
    return at | {"all": total([one for run in whole for one in run])}


def over_arms(found: Mapping[str, Record]) -> Record | None:
    """Of the agreement of each arm: the least share at any time, and by how much arms differ at most over all times.

    Each apart for items that the judge passed and failed. `enough`: no share is below `LEAST`, nor are two arms farther
    apart than `FARTHEST`. Null without any.
    """
    if not found:
        return None
    at = {kind: [one[time][kind]["share"] for one in found.values() for time in TIMES] for kind in ITEMS}
    over = {kind: [one["all"][kind]["share"] for one in found.values()] for kind in ITEMS}
    known = {kind: [share for share in shares if share is not None] for kind, shares in over.items()}
    ever = {kind: [share for share in shares if share is not None] for kind, shares in at.items()}
    least = {kind: min(ever[kind], default=None) for kind in ITEMS}
    apart = {kind: max(known[kind]) - min(known[kind]) if known[kind] else None for kind in ITEMS}
    high = all(share is not None and share >= LEAST for share in least.values())
    near = all(share is not None and share <= FARTHEST for share in apart.values())
    return {"least": least, "apart": apart, "enough": high and near}
