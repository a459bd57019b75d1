"""The levels first, then the rubric: a later level always beats an earlier one."""

from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli.rewards.rubric import gate_is_unknown, holds, too_little_known, weights

BANDS = {"format": (-1.0, -0.8), "source": (-0.7, -0.5), "runtime": (-0.4, -0.2), "functional": (0.0, 1.0)}
ALL_ESSENTIAL = 0.2  # β: the share of the functional score that only all essential items together earn
INHERITED = 0.5  # the severity of an item that works, but for its parent


def hierarchical(
    level: str,
    verdicts: Sequence[Mapping[str, Any]],
    rubric: Sequence[Mapping[str, Any]],
    gates: Sequence[Mapping[str, Any]],
) -> float | None:
    """A band for each level, and inside the band how far the app got.

    The place in the band is the failed gate's `progress` in [0, 1] at the levels format and source (0 if the gate
    has none), and the functional score of `functional_score` at the levels runtime and functional. Null, never 0,
    if a gate is not known, or at level functional too little of the rubric is.

    >>> rubric = [{"id": "a", "importance": "essential", "parents": []},
    ...           {"id": "b", "importance": "important", "parents": ["a"]}]
    >>> passed, failed = ({"passed": word, "severity": 1.0, "rubric": "b"} for word in (True, False))
    >>> hierarchical("functional", [passed | {"rubric": "a"}, failed], rubric, [])  # 0.8·(1 − 0.6/1.6) + 0.2
    0.7
    >>> hierarchical("source", [], rubric, [{"level": "source", "passed": False, "progress": 0.5}])
    -0.6
    """
    if gate_is_unknown(gates):
        return None
    low, high = BANDS[level]
    if level in ("format", "source"):
        shares = [gate.get("progress") or 0.0 for gate in gates if gate["level"] == level]
        share = min(max(*shares, 0.0), 1.0) if shares else 0.0
        return round(low + (high - low) * share, 6)
    held = holds(rubric, verdicts)
    if level == "functional" and too_little_known(rubric, held):
        return None
    score = functional_score(verdicts, rubric)
    return round(low + (high - low) * (score or 0.0), 6)


def functional_score(verdicts: Sequence[Mapping[str, Any]], rubric: Sequence[Mapping[str, Any]]) -> float | None:
    """How much of the known rubric holds, in [0, 1]; null if nothing is known.

    F = (1 − β)·(1 − Σ w·s·(1 − v) / Σ w) + β·[every essential item holds], with w the importance and s the
    severity of the failure: half where only a parent failed, so that mending an item never costs.
    """
    held = holds(rubric, verdicts)
    weight = weights(rubric)
    known = [item["id"] for item in rubric if held[item["id"]] is not None]
    if not known:
        return None
    severity = {v["rubric"]: INHERITED if v["passed"] else v["severity"] for v in verdicts if v["passed"] is not None}
    lost = sum(weight[name] * severity.get(name, 1.0) for name in known if not held[name])
    essential = all(held[item["id"]] is not False for item in rubric if item["importance"] == "essential")
    return (1 - ALL_ESSENTIAL) * (1 - lost / sum(weight[name] for name in known)) + ALL_ESSENTIAL * essential
