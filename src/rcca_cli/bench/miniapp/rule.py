"""MiniAppBench's scoring rule on our verdicts: an app passes if the least of three scores in [0, 1] is at least 0.8.

An item counts for the score that its `dimension` names; without one for static if it is about the initial state, for
dynamic if about an interaction, and intention is how many requirements find what they need on the page at all. A score
is one minus the failed share, by importance times severity; the caps are those of the published rubric. There one judge
model gives the three scores at once, so ours are a variant by verdicts on items, not a reproduction.
"""

from collections.abc import Iterable
from typing import Any

from rcca_cli.rewards.rubric import WEIGHTS, gate_is_unknown

THRESHOLD = 0.8
# Published: a page whose core is missing has intention at most 0.4, one with a required element missing static
# below 0.8, one with a required interaction impossible dynamic below 0.5.
GONE = ("absent", None)  # failures that say that nothing was found: None is one of a page that was never used
CAPS = {"intention": 0.4, "static": 0.75, "dynamic": 0.4}

Pair = tuple[dict[str, Any], dict[str, Any] | None]  # (item of the rubric, verdict)


def scores(record: dict[str, Any], threshold: float = THRESHOLD) -> dict[str, Any]:
    """The three scores and whether the app passes; null for what an unknown verdict leaves open."""
    verdicts = {verdict["rubric"]: verdict for verdict in record["judge"]["verdicts"]}
    pairs = [(item, verdicts.get(item["id"])) for item in record["task"]["rubric"]]
    broken = any(gate["passed"] is False for gate in record["judge"]["gates"])
    found: dict[str, float | None] = {}
    for name, cap in CAPS.items():
        own = [(item, verdict) for item, verdict in pairs if dimension(item) == name]
        found[name] = presence(pairs) if name == "intention" and not own else score(own, cap, broken)
    if gate_is_unknown(record["judge"]["gates"]):
        found["intention"] = None
    elif broken and found["intention"] is not None:
        found["intention"] = min(found["intention"], CAPS["intention"])
    return found | {"passed": passed(found.values(), threshold)}


def dimension(item: dict[str, Any]) -> str:
    """Which of the three scores an item counts for."""
    return str(item.get("dimension") or {"initial": "static", "interaction": "dynamic"}[item["kind"]])


def presence(pairs: list[Pair]) -> float | None:
    """The weighted share of requirements whose controls are there; of a page that never ran nothing is."""
    if any(verdict and verdict["passed"] is None for _, verdict in pairs):
        return None
    there = [item for item, verdict in pairs if verdict and (verdict["passed"] or verdict["failure"] not in GONE)]
    return share(there, [item for item, _ in pairs])


def score(pairs: list[Pair], cap: float, broken: bool) -> float | None:
    """One minus the failed share of these items, at most `cap` if an essential one failed.

    Where nothing is asked, a page that got through the gates has all of it.
    """
    if not pairs:
        return 0.0 if broken else 1.0
    if any(verdict and verdict["passed"] is None for _, verdict in pairs):
        return None
    failed = [(item, verdict) for item, verdict in pairs if not (verdict and verdict["passed"])]
    lost = sum(WEIGHTS[item["importance"]] * (verdict["severity"] if verdict else 1.0) for item, verdict in failed)
    found = 1 - lost / sum(WEIGHTS[item["importance"]] for item, _ in pairs)
    essential = any(item["importance"] == "essential" for item, _ in failed)
    return round(min(found, cap) if essential else found, 4)


def share(some: list[dict[str, Any]], every: list[dict[str, Any]]) -> float:
    """The weight of some items over that of all; 0 where there are none."""
    whole = sum(WEIGHTS[item["importance"]] for item in every)
    return round(sum(WEIGHTS[item["importance"]] for item in some) / whole, 4) if every else 0.0


def passed(found: Iterable[float | None], threshold: float = THRESHOLD) -> bool | None:
    """Whether the least score reaches the threshold, as far as it is known."""
    known = list(found)
    if any(value is not None and value < threshold for value in known):
        return False
    return None if None in known else True
