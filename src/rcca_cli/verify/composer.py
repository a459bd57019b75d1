"""Judge every solution whose verdicts are known beforehand, and say which came out otherwise."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rcca_cli import console, filter
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.synth import stage as synth
from rcca_cli.verify import plan


def command(options: synth.Options, jobs: int, output: str) -> None:
    """Write one judged record a solution; the counts go to standard error.

    ItemsFailed if any verdict is not what it must be, after each such solution has been named.
    """
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    judging = judge.Options(replay_passes=0.0, jobs=jobs)
    with judge.court(judging) as court:
        filter.write_all(filter.Plan("judge", "", output=output), verified(options, judging, court, right, total))
    summary = (
        f"verified: {total['app']} apps, {right['reference']} of {total['reference']} references pass, "
        f"{right['bug']} of {total['bug']} bugs caught exactly, "
        f"{right['empty']} of {total['empty']} empty pages pass nothing"
    )
    console.error(summary)
    if sum(right.values()) < sum(total[kind] for kind in ("reference", "bug", "empty")):
        raise ItemsFailed


def verified(
    options: synth.Options, judging: judge.Options, court: Any, right: Counter[str], total: Counter[str]
) -> Iterator[dict[str, Any]]:
    """The judged records, in order; `right` and `total` count them by kind as they come."""
    waiting: dict[str, plan.Known] = {}

    def lines() -> Iterator[Line]:
        for made in plan.apps(options.seed, options.count, options.families):
            total["app"] += 1
            for one in plan.solutions(made, options.config()):
                waiting[one.record["id"]] = one
                yield Line(one.record, one.place, 1)

    with contextlib.suppress(ItemsFailed):  # verdicts that are not known are counted here, as wrong
        for record in judge.run(lines(), judging, court):
            one = waiting.pop(record["id"])
            total[one.kind] += 1
            wrong = plan.problem(one, record)
            if wrong:
                console.error(f"wrong: {one.place}: {wrong}")
            else:
                right[one.kind] += 1
            yield record
