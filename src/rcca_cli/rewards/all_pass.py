"""All or nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli.rewards.rubric import gate_is_unknown, holds


def all_pass(
    level: str,
    verdicts: Sequence[Mapping[str, Any]],
    rubric: Sequence[Mapping[str, Any]],
    gates: Sequence[Mapping[str, Any]],
) -> float | None:
    """1 if every rubric item holds, 0 if one does not; null if that depends on what is not known.

    >>> rubric = [{"id": "a", "importance": "essential", "parents": []}]
    >>> all_pass("functional", [{"rubric": "a", "passed": True}], rubric, [])
    1.0
    >>> all_pass("functional", [{"rubric": "a", "passed": None}], rubric, []) is None
    True
    """
    if gate_is_unknown(gates):
        return None
    values = holds(rubric, verdicts).values()
    if level != "functional" or False in values:
        return 0.0
    return None if None in values or not rubric else 1.0
