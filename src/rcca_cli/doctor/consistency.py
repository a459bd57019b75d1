"""What a schema cannot say: lengths that must match, offsets that must lie in the text, names that must exist."""

from collections.abc import Iterator
from typing import Any

from rcca_cli.checks import rubric as rubrics

Json = dict[str, Any]


def problems(record: Json) -> Iterator[str]:
    """What is wrong with a record of the right shape, as `place: what`."""
    rubric = record["task"]["rubric"]
    yield from (f"task.rubric.{problem}" for problem in rubrics.problems(rubric))
    rollout, judge, align = (record.get(key) for key in ("rollout", "judge", "align"))
    names = {item["id"] for item in rubric}
    length = len(rollout["text"]) if rollout else 0
    if rollout:
        yield from _tokens(rollout)
    if judge:
        yield from _judge(judge, names, length)
    if align:
        yield from _align(align, names, length, len(rollout["tokens"]) if rollout else 0)


def _tokens(rollout: Json) -> Iterator[str]:
    count = len(rollout["tokens"])
    for key in ("offsets", "logprobs"):
        if rollout[key] and len(rollout[key]) != count:
            yield f"rollout.{key}: {len(rollout[key])} for {count} tokens"
    if count and not rollout["offsets"]:
        yield f"rollout.offsets: none for {count} tokens"
    length, last = len(rollout["text"]), 0
    for number, span in enumerate(rollout["offsets"]):
        if len(span) != 2 or not 0 <= span[0] <= span[1] <= length or span[0] < last:
            yield f"rollout.offsets.{number}: {span} is no span of the text, or out of order"
            return
        last = span[0]


def _judge(judge: Json, names: set[str], length: int) -> Iterator[str]:
    yield from _floats(judge, "judge", "reward")
    if judge["artifact"]:
        yield from _span(judge["artifact"], "judge.artifact", length)
    seen: set[str] = set()
    for number, verdict in enumerate(judge["verdicts"]):
        place = f"judge.verdicts.{number}"
        if verdict["rubric"] not in names or verdict["rubric"] in seen:
            yield f"{place}.rubric: {verdict['rubric']!r} is no item of the rubric, or judged twice"
        seen.add(verdict["rubric"])
        if verdict["passed"] is None and not verdict["error"]:
            yield f"{place}.error: not known, without a reason"
        for index, evidence in enumerate(verdict["evidence"]):
            yield from _span(evidence, f"{place}.evidence.{index}", length)


def _align(align: Json, names: set[str], length: int, tokens: int) -> Iterator[str]:
    yield from _floats(align, "align", "advantage")
    for key in ("advantages", "weights"):
        # Of an answer known as text only, `align --tokenizer` gives the credit of tokens that are not recorded.
        if align[key] is not None and tokens and len(align[key]) != tokens:
            yield f"align.{key}: {len(align[key])} for {tokens} tokens"
    for number, span in enumerate(align["spans"]):
        place = f"align.spans.{number}"
        if span["rubric"] not in names | {rubrics.GATE}:
            yield f"{place}.rubric: {span['rubric']!r} is no item of the rubric"
        yield from _span(span, place, length)


def _floats(value: Json, place: str, key: str) -> Iterator[str]:
    """A whole number would give the column another type in some rows than in others."""
    if isinstance(value[key], int):
        yield f"{place}.{key}: {value[key]} is an integer (write {float(value[key])})"


def _span(value: Json, place: str, length: int) -> Iterator[str]:
    if not 0 <= value["start"] <= value["end"] <= length:
        yield f"{place}: {value['start']} to {value['end']} is no span of a text of {length} characters"
