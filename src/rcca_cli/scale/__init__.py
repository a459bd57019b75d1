"""The stages `rollout`, `judge` and `align` on Ray Data, for more machines than one (the extra `rcca[scale]`).

A dataset here has one column, `line`: records as lines of JSONL. As columns of Arrow they would need one type for all
that is in them, and what is null in the first block has none. Order is kept; what an actor had in hand when it died
is done again by another, and counts once. docs/scale.md has a whole program.
"""

import os

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no network unless asked

from rcca_cli.scale.datasets import read, write
from rcca_cli.scale.stages import align, judge, rollout

__all__ = ["align", "judge", "read", "rollout", "write"]
