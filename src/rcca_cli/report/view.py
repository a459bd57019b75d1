"""What the page shows of one record: its place in the list, and everything about it once it is opened."""

from typing import Any

Json = dict[str, Any]


def summary(record: Json) -> Json:
    """One entry of the list. `scale` is the largest credit of any token, in absolute value."""
    judge, align = record.get("judge") or {}, record.get("align") or {}
    verdicts = judge.get("verdicts") or []
    return {
        "id": record["id"],
        "group": record["group"],
        "level": judge.get("level"),
        "reward": judge.get("reward"),
        "passed": sum(verdict["passed"] is True for verdict in verdicts),
        "items": len(record["task"]["rubric"]),
        "scale": max((abs(value) for value in align.get("advantages") or []), default=0.0),
    }


def detail(record: Json) -> Json:
    """Everything that is shown of an opened record. Offsets stay code points into `text`."""
    rollout, judge, align = record["rollout"], record.get("judge") or {}, record.get("align") or {}
    return {
        "id": record["id"],
        "prompt": "\n\n".join(message["content"] for message in record["task"]["prompt"]),
        "class": record["task"].get("class"),
        "difficulty": record["task"].get("level"),
        "model": rollout.get("model"),
        "finish": rollout.get("finish_reason"),
        "text": rollout["text"],
        "offsets": rollout["offsets"],
        "advantage": align.get("advantage"),
        "advantages": _rounded(align.get("advantages")),
        "weights": _rounded(align.get("weights")),
        "mode": align.get("mode"),
        "unmatched": align.get("unmatched"),
        "artifact": judge.get("artifact"),
        "gates": judge.get("gates") or [],
        "items": _items(record["task"]["rubric"], judge.get("verdicts") or [], align.get("spans") or []),
    }


def _rounded(values: list[float] | None) -> list[float] | None:
    """Four decimals: all that can be seen, at a third of the size."""
    return None if values is None else [round(value, 4) for value in values]


def _items(rubric: list[Json], verdicts: list[Json], spans: list[Json]) -> list[Json]:
    """Each requirement with its verdict and the places held responsible for it.

    Where nothing is aligned yet, the places are those that the judge's own evidence points to.
    """
    verdict_by_id = {verdict["rubric"]: verdict for verdict in verdicts}
    return [_item(item, verdict_by_id.get(item["id"]) or {}, spans) for item in rubric]


def _item(item: Json, verdict: Json, spans: list[Json]) -> Json:
    places = [_span(span) for span in spans if span["rubric"] == item["id"]]
    return {
        "id": item["id"],
        "requirement": item["requirement"],
        "kind": item["kind"],
        "importance": item["importance"],
        "parents": item["parents"],
        "judged": bool(verdict),
        "passed": verdict.get("passed"),
        "severity": verdict.get("severity"),
        "failure": verdict.get("failure"),
        "diagnosis": verdict.get("diagnosis"),
        "error": verdict.get("error"),
        "places": places or [_evidence(found) for found in verdict.get("evidence") or []],
    }


def _span(span: Json) -> Json:
    return {
        "start": span["start"],
        "end": span["end"],
        "what": span["unit"],
        "why": ", ".join(span["sources"]),
        "mass": span["mass"],
        "advantage": span["advantage"],
    }


def _evidence(found: Json) -> Json:
    place = {"start": found["start"], "end": found["end"], "what": found["kind"], "why": found["detail"]}
    return place | {"mass": None, "advantage": None}
