"""Rewards: from what the judge found to one number, or null where that is not known.

Each is a pure function `(level, verdicts, rubric, gates) -> float | None` of values as they stand in the record.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rcca_cli.rewards.all_pass import all_pass
from rcca_cli.rewards.flat import flat
from rcca_cli.rewards.hierarchical import hierarchical

Rows = Sequence[Mapping[str, Any]]
REWARDS: dict[str, Callable[[str, Rows, Rows, Rows], float | None]] = {
    "hierarchical": hierarchical,
    "flat": flat,
    "all-pass": all_pass,
}
