"""Rows of requests and answers as rollouts: nobody samples anything, and each row is its own task."""

from collections.abc import Sequence
from typing import Any

from rcca_cli import filter, seeds
from rcca_cli.columns import Columns
from rcca_cli.foreign.reader import Reader
from rcca_cli.resume import Unit
from rcca_cli.shard import Shard


def write(files: Sequence[str], columns: tuple[str, ...], output: str, resume: bool, shard: Shard) -> None:
    """The whole of `rcca rollout --backend replay FILE`."""
    config = seeds.digest({"columns": columns})
    reader = Reader(Columns.of(columns))
    unit = Unit(kept=("task", "rollout.text"))
    plan = filter.Plan("rollout", config, files, output, resume, unit, shard)
    filter.run(plan, lambda lines: (replayed(line.record, config) for line in lines), reader.rollouts)


def replayed(record: dict[str, Any], config: str) -> dict[str, Any]:
    """The record with the digest of the options in its `rollout`, if it has one."""
    rollout = record["rollout"]
    return record | {"rollout": rollout | {"config": config} if rollout is not None else None}
