"""Every spelling of a row, and what is refused."""

import json

import pytest

from rcca_cli.bench.artifacts import rows
from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line
from tests.bench.artifacts.helpers import CHECKLIST, QUESTION, row


def read(record, known=None):
    return rows.item(Line(record, "rows.jsonl", 3), known)


@pytest.mark.parametrize(
    ("more", "answer"),
    [
        ({"answer": "a"}, "a"),
        ({"answer": "a", "output": "b"}, "b"),
        ({"answer": "a", "output": "b", "model_infer_result": "c"}, "c"),
        ({"answer": "a", "output": ""}, "a"),
        ({"answer": None}, ""),
        ({"answer": ["a"]}, None),
    ],
)
def test_the_first_answer_that_says_something_counts(more, answer):
    assert read(row() | more).answer == answer


@pytest.mark.parametrize("name", rows.QUESTION)
def test_a_question_has_four_names(name):
    record = {key: value for key, value in row().items() if key != "question"}
    assert read(record | {name: "Make it."}).question == "Make it."


def test_an_array_and_lines_are_the_same(tmp_path):
    records = [row(1), row(2)]
    (tmp_path / "a.json").write_text("\ufeff" + json.dumps(records, indent=1))
    (tmp_path / "b.json").write_text("\n".join(map(json.dumps, records)) + "\n")
    found = [[line.record for line in rows.read(str(tmp_path / name))] for name in ("a.json", "b.json")]
    assert found == [records, records]


def test_a_row_without_checklist_gets_it_from_the_data_set():
    known = {"7": {key: value for key, value in row(7).items() if key != "answer"}}
    found = read({"index": 7, "answer": "a"}, known)
    assert (found.checklist, found.question, found.primary) == (CHECKLIST, QUESTION, "Utility Tools")


def test_a_record_of_rollout_is_a_row_too():
    known = {"7": row(7)}
    record = {"id": "x/0", "task": {"index": 7}, "rollout": {"text": "An answer.", "model": "m"}}
    assert (read(record, known).answer, read(record, known).lost) == ("An answer.", None)


def test_an_answer_that_the_model_never_gave_is_no_answer_to_judge():
    record = {"id": "x/0", "task": {"index": 7}, "rollout": None, "error": "the server was silent"}
    found = read(record, {"7": row(7)})
    assert (found.index, found.answer, found.lost) == (7, "", "the server was silent")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"checklist": None}, "rows.jsonl:3: no checklist .*--tasks"),
        ({"checklist": CHECKLIST[:9]}, "a list of 10 objects"),
        ({"checklist": [*CHECKLIST[:9], {"id": 9}]}, r"checklist\[9\]"),
        ({"checklist": [*CHECKLIST[:9], {"criterion": "It runs"}]}, r"checklist\[9\]"),
        ({"checklist": [*CHECKLIST[:9], {"maxScore": 10, "name": "It runs"}]}, r"checklist\[9\]"),
        ({"index": None}, "index: expected a number"),
        ({"question": ""}, "no question"),
    ],
)
def test_what_cannot_be_judged_is_refused_by_its_place(change, problem):
    with pytest.raises(RecordError, match=problem):
        read(row() | change)


def test_only_the_first_hyphen_ends_the_primary_class():
    assert read(row() | {"class": "Web Applications-E-commerce/Shops"}).primary == "Web Applications"
    assert read(row() | {"difficulty": "mid"}).difficulty == "medium"


def test_a_sample_has_each_stratum_in_proportion_whatever_the_order():
    items = [read(row(number, difficulty="easy" if number % 4 else "hard")) for number in range(40)]
    drawn = rows.sampled(items, 8, seed=1)
    assert [one.difficulty for one in drawn].count("hard") == 2
    assert len(drawn) == 8
    backwards = rows.sampled(items[::-1], 8, seed=1)
    assert {one.index for one in backwards} == {one.index for one in drawn}
    assert {one.index for one in rows.sampled(items, 8, seed=2)} != {one.index for one in drawn}
    assert len(rows.sampled(items, 100, seed=1)) == 40
