"""The weighted share of the rubric that holds: no levels, no bands."""

from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli.rewards.rubric import gate_is_unknown, holds, too_little_known, weights


def flat(
    level: str,
    verdicts: Sequence[Mapping[str, Any]],
    rubric: Sequence[Mapping[str, Any]],
    gates: Sequence[Mapping[str, Any]],
) -> float | None:
    """The weighted share of the known rubric items that hold; 0 for an app that does not reach the functional level.

    >>> rubric = [{"id": "a", "importance": "essential", "parents": []},
    ...           {"id": "b", "importance": "important", "parents": []}]
    >>> flat("functional", [{"rubric": "a", "passed": True}, {"rubric": "b", "passed": False}], rubric, [])  # 1/1.6
    0.625
    """
    if gate_is_unknown(gates):
        return None
    if level != "functional":
        return 0.0
    held = holds(rubric, verdicts)
    if too_little_known(rubric, held):
        return None
    weight = weights(rubric)
    known = sum(weight[name] for name, value in held.items() if value is not None)
    return round(sum(weight[name] for name, value in held.items() if value) / known, 6)
