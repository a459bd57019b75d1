"""Finished answers find their task, however it is named."""

import pytest

from rcca_cli.bench import answers
from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line
from tests.bench.canned import RECORDS

TASKS = list(RECORDS.values())


def read(*records):
    lines = [Line(record, "answers.jsonl", number) for number, record in enumerate(records, 1)]
    return [line.record for line in answers.read(lines, TASKS)]


@pytest.mark.parametrize(
    "given",
    [
        {"id": "water", "text": "x"},
        {"id": "miniapp:water", "answer": "x"},
        {"id": "miniapp:water/3", "text": "x"},
        {"task": "water", "text": "x"},
        {"index": 9, "text": "x"},
        {"index": "9", "text": "x"},
        {"group": "miniapp:water", "id": "miniapp:water/0", "rollout": {"text": "x"}},
    ],
)
def test_a_task_is_named_or_numbered(given):
    (record,) = read(given)
    assert (record["id"], record["group"], record["rollout"]["text"]) == ("miniapp:water/0", "miniapp:water", "x")
    assert record["task"] == RECORDS["water"]["task"]


def test_answers_to_one_task_are_its_samples():
    found = read({"id": "water", "text": "a"}, {"id": "roman", "text": "b"}, {"id": "water", "text": "c"})
    assert [record["id"] for record in found] == ["miniapp:water/0", "miniapp:roman/0", "miniapp:water/1"]


def test_what_is_known_of_the_tokens_is_kept():
    rollout = {"text": "ab", "tokens": [1, 2], "offsets": [[0, 1], [1, 2]], "model": "m"}
    (record,) = read({"group": "miniapp:water", "rollout": rollout})
    assert record["rollout"]["tokens"] == [1, 2]
    assert record["rollout"]["logprobs"] == []


def test_an_answer_that_could_not_be_had_is_kept_as_such():
    lost, other = read(
        {"id": "miniapp:water/0", "rollout": None, "error": "no reply"}, {"id": "water", "rollout": None}
    )
    assert (lost["rollout"], lost["error"], other["error"]) == (None, "no reply", "there is no answer")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": "nobody", "text": "x"}, "answers.jsonl:1: not an answer to a task of this benchmark: 'nobody'"),
        ({"text": "x"}, "answers.jsonl:1: not an answer to a task of this benchmark: ''"),
        ({"id": "water"}, "answers.jsonl:1: expected the answer as a string: 'text', 'answer' or 'rollout.text'"),
    ],
)
def test_other_lines_are_refused_with_their_place(given, message):
    with pytest.raises(RecordError) as error:
        read(given)
    assert str(error.value) == message
