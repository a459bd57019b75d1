"""What the page shows of one record: its entry in the index, and everything about it once it is opened."""

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
TITLE = 100  # characters of the request that stand for it in the index
MARK = "\nThe request:\n"  # in the prompts of `bench miniapp`
NO_ANSWER = "no answer"  # the level, in the index, of a record whose rollout failed
SIGNS = {True: "+", False: "-", None: "?"}


def summary(record: Json, file: str = "") -> Json:
    """One entry of the index; `file` is where the record came from.

    `verdicts` has one sign an item of `items`: + passed, - failed, ? not known. `scale` is the largest credit of any
    token, in absolute value; `local` the same of its difference to the whole answer's.
    """
    judge, align = record.get("judge") or {}, record.get("align") or {}
    advantages, own = align.get("advantages") or [], align.get("advantage") or 0.0
    passed = {row["rubric"]: row["passed"] for row in judge.get("verdicts") or []}
    items = [item["id"] for item in record["task"]["rubric"]]
    return {
        "id": record["id"],
        "group": record["group"],
        "file": file,
        "mode": align.get("mode"),
        "title": shortened(request(record)),
        "class": record["task"].get("class"),
        "level": NO_ANSWER if record["rollout"] is None else judge.get("level"),
        "reward": judge.get("reward"),
        "items": items,
        "verdicts": "".join(SIGNS[passed.get(name)] for name in items) if judge else "",
        "failures": sorted({row["failure"] for row in judge.get("verdicts") or [] if row["failure"]}),
        "scale": round(max((abs(value) for value in advantages), default=0.0), 4),
        "local": round(max((abs(value - own) for value in advantages), default=0.0), 4),
    }


def detail(record: Json, pictures: Sequence[Json] = ()) -> Json:
    """Everything that is shown of an opened record. Places are code points of `text`, as in the record."""
    rollout, judge, align = (record.get(key) or {} for key in ("rollout", "judge", "align"))
    return {
        "id": record["id"],
        "prompt": "\n\n".join(message["content"] for message in record["task"]["prompt"]),
        "class": record["task"].get("class"),
        "difficulty": record["task"].get("level"),
        "error": None if rollout else str(record.get("error") or "there is no answer"),
        "model": rollout.get("model"),
        "finish": rollout.get("finish_reason"),
        "text": rollout.get("text", ""),
        "tokens": rollout.get("tokens", []),
        **spans(rollout.get("offsets", [])),
        "advantage": align.get("advantage"),
        "advantages": rounded(align.get("advantages")),
        "weights": rounded(align.get("weights")),
        "mode": align.get("mode"),
        "unmatched": align.get("unmatched"),
        "artifact": judge.get("artifact"),
        "browser": (judge.get("environment") or {}).get("browser"),
        "gates": [gate(row) for row in judge.get("gates") or []],
        "items": items(record["task"]["rubric"], judge.get("verdicts") or [], align.get("spans") or []),
        "pictures": list(pictures),
    }


def request(record: Json) -> str:
    """What the last user's turn of the prompt asks for, without fixed words that end in a line "The request:"."""
    turns = record["task"]["prompt"]
    said = str(next((turn["content"] for turn in reversed(turns) if turn["role"] == "user"), ""))
    return said.partition(MARK)[2].strip() or said


def shortened(text: str) -> str:
    """The beginning of `text`, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= TITLE else line[: TITLE - 1] + "…"


def spans(offsets: Sequence[Sequence[int]]) -> Json:
    """Token spans as lengths, and gaps from the end before (mostly 0): a third of the size when packed.

    >>> spans([[0, 4], [4, 9], [11, 12]])
    {'lengths': [4, 5, 1], 'gaps': [0, 0, 2]}
    """
    before = [0, *(end for _, end in offsets[:-1])]
    gaps = [start - end for (start, _), end in zip(offsets, before, strict=False)]
    return {"lengths": [end - start for start, end in offsets], "gaps": gaps if any(gaps) else []}


def rounded(values: list[float] | None) -> list[float] | None:
    """Four decimals: all that can be seen, at a third of the size."""
    return None if values is None else [round(value, 4) for value in values]


def gate(row: Json) -> Json:
    """A gate, with its place if it has one."""
    return {key: row.get(key) for key in ("level", "passed", "diagnosis", "start", "end")}


def items(rubric: Sequence[Json], verdicts: Sequence[Json], placed: Sequence[Json]) -> list[Json]:
    """Each requirement with its verdict and the places held responsible for it.

    Where nothing is aligned yet, the places are those that the judge's own evidence points to.
    """
    verdict_by_id = {verdict["rubric"]: verdict for verdict in verdicts}
    return [_item(item, verdict_by_id.get(item["id"]) or {}, placed) for item in rubric]


def _item(item: Json, verdict: Json, placed: Sequence[Json]) -> Json:
    own = [_span(span) for span in placed if span["rubric"] == item["id"]]
    told = {key: verdict.get(key) for key in ("passed", "severity", "failure", "confidence", "diagnosis", "error")}
    asked = {key: item[key] for key in ("id", "requirement", "kind", "importance", "parents")}
    places = own or [_evidence(found) for found in verdict.get("evidence") or []]
    return asked | {"judged": bool(verdict)} | told | {"places": places}


def _span(span: Json) -> Json:
    """A place that `align` holds responsible: `what` it is, `why` (who pointed to it), and how sure that is."""
    place = {key: span[key] for key in ("start", "end", "mass", "advantage", "confidence")}
    return place | {"what": span["unit"], "why": ", ".join(span["sources"])}


def _evidence(found: Json) -> Json:
    place = {"start": found["start"], "end": found["end"], "what": found["kind"], "why": found["detail"]}
    return place | {"mass": None, "advantage": None, "confidence": None}
