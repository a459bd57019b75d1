"""MiniAppBench's scoring rule on our verdicts: an app passes if the least of three scores in [0, 1] is at least 0.8.

Intention: how many requirements find what they need on the page at all. Static: the initial state. Dynamic: the
interactions. A score is one minus the failed share, by importance times severity; the caps are those of the published
rubric. There a judge model gives the scores, so ours are a variant with executed checks, not a reproduction.
"""

from collections.abc import Iterable
from typing import Any

WEIGHT = {"essential": 1.0, "important": 0.6, "optional": 0.3}
THRESHOLD = 0.8
# Published: a page whose core is missing has intention at most 0.4, one with a required element missing static
# below 0.8, one with a required interaction impossible dynamic below 0.5.
CAPS = {"intention": 0.4, "static": 0.75, "dynamic": 0.4}

Pair = tuple[dict[str, Any], dict[str, Any]]  # (item of the rubric, verdict)


def scores(record: dict[str, Any]) -> dict[str, Any]:
    """The three scores and whether the app passes; null for what an unknown verdict leaves open."""
    verdicts = {verdict["rubric"]: verdict for verdict in record["judge"]["verdicts"]}
    pairs = [(item, verdicts[item["id"]]) for item in record["task"]["rubric"] if item["id"] in verdicts]
    broken = any(gate["passed"] is False for gate in record["judge"]["gates"])
    found = {
        "intention": intention(pairs, broken),
        "static": score(pairs, "initial", CAPS["static"]),
        "dynamic": score(pairs, "interaction", CAPS["dynamic"]),
    }
    return found | {"passed": passed(found.values())}


def intention(pairs: list[Pair], broken: bool) -> float | None:
    """The weighted share of requirements whose controls are there; capped if the page did not get through the gates."""
    if not pairs or any(verdict["passed"] is None for _, verdict in pairs):
        return None if pairs else 0.0
    absent = sum(WEIGHT[item["importance"]] for item, verdict in pairs if verdict["failure"] == "absent")
    share = 1 - absent / sum(WEIGHT[item["importance"]] for item, _ in pairs)
    return round(min(share, CAPS["intention"]) if broken else share, 4)


def score(pairs: list[Pair], kind: str, cap: float) -> float | None:
    """One minus the failed share of the items of this kind; at most `cap` if an essential one failed."""
    own = [(item, verdict) for item, verdict in pairs if item["kind"] == kind]
    if not own or any(verdict["passed"] is None for _, verdict in own):
        return None if own else 0.0
    failed = [(item, verdict) for item, verdict in own if not verdict["passed"]]
    lost = sum(WEIGHT[item["importance"]] * verdict["severity"] for item, verdict in failed)
    share = 1 - lost / sum(WEIGHT[item["importance"]] for item, _ in own)
    essential = any(item["importance"] == "essential" for item, _ in failed)
    return round(min(share, cap) if essential else share, 4)


def passed(found: Iterable[float | None]) -> bool | None:
    """Whether the least score reaches the threshold, as far as it is known."""
    known = list(found)
    if any(value is not None and value < THRESHOLD for value in known):
        return False
    return None if None in known else True
