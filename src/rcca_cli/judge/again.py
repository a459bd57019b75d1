"""Judging again: what of an earlier judgement stands, and a new score for what was seen then."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli import records, rewards, seeds
from rcca_cli.jsonl import Line
from rcca_cli.judge import verdicts

Rows = Mapping[str, dict[str, Any]]  # verdicts by the name of their item


@dataclass(frozen=True)
class Again:
    """What is judged anew where there is a judgement already; without either, everything is.

    `only`: these items, whatever is known of them. `stale`: what is not known, or everything if the page, the
    environment or the options are not those of the earlier judgement.
    """

    only: tuple[str, ...] = ()
    stale: bool = False

    def needed(self, record: Mapping[str, Any]) -> tuple[str, ...]:
        """The keys that a record must have for this beside its answer: a judgement, if that is looked at."""
        return ("judge",) if self.only or (self.stale and record.get("judge") is not None) else ()

    def standing(self, earlier: Mapping[str, Any] | None, now: Mapping[str, Any]) -> Rows | None:
        """The verdicts of the `earlier` judgement that stand, by item, or None if nothing of it does.

        `now` is what it is compared with.
        """
        if earlier is None or not (self.only or self.stale):
            return None
        rows = {row["rubric"]: row for row in earlier["verdicts"]}
        if self.only:
            return {name: row for name, row in rows.items() if name not in self.only}
        if not verdicts.gates_known(earlier) or any(earlier.get(key) != value for key, value in now.items()):
            return None
        return {name: row for name, row in rows.items() if row["passed"] is not None}


def scored(line: Line, reward: str, configs: Mapping[str, str]) -> dict[str, Any]:
    """The record of `line` with another score for the same verdicts; RecordError if it has none.

    `configs` are the digests of the options in hand, by reward. A record judged with them gets the one of the new
    reward, so that it is what judging it so would have given; one judged with others gets null.
    """
    if line.record.get("rollout", "missing") is None and line.record.get("error"):
        return line.record | {"judge": None}
    record = records.need(line, "task", "judge")
    judge = record["judge"]
    config = configs[reward] if judge.get("config") in configs.values() else None
    return record | {"judge": rescored(judge, record["task"]["rubric"], reward) | {"config": config}}


def rescored(judge: Mapping[str, Any], rubric: list[dict[str, Any]], reward: str) -> dict[str, Any]:
    """The judgement with its reward reckoned anew."""
    value = rewards.REWARDS[reward](judge["level"], judge["verdicts"], rubric, judge["gates"])
    return {key: value if key == "reward" else known for key, known in judge.items()}


def configs(options: Any) -> dict[str, str]:
    """The digest of `options` for each reward that they could name."""
    return {name: seeds.config_digest(dataclasses.replace(options, reward=name)) for name in rewards.REWARDS}
