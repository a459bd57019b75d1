"""MiniAppBench's own file of tasks, in every spelling, and the choice of some of them."""

import json

import pytest

from rcca_cli.bench.miniapp import tasks, theirs
from rcca_cli.errors import RccaError, RecordError
from tests.bench.canned import RECORDS

REFERENCE = {"intention": ["A timeline editor"], "static": ["A canvas", "A zoom"], "dynamic": ["Nodes can be dragged"]}
ROW = {
    "index": 137,
    "class": "Tools",
    "subclass": "Schedule",
    "query": "An editor for timelines.",
    "level": "Mid",
    "eval-reference": json.dumps(REFERENCE),
}


def read(tmp_path, text):
    path = tmp_path / "tasks.json"
    path.write_text(text)
    return tasks.read(str(path))


def one(tmp_path, **changed):
    (found,) = read(tmp_path, json.dumps([ROW | changed]))
    return found["task"]


def items(task):
    return {item["id"]: item["requirement"] for item in task["rubric"]}


@pytest.mark.parametrize("text", [json.dumps([ROW], indent=2), json.dumps([ROW]), json.dumps(ROW) + "\n"])
def test_a_file_is_an_array_or_json_lines(tmp_path, text):
    (record,) = read(tmp_path, text)
    task = record["task"]
    assert (record["id"], record["group"]) == ("miniappbench:137", "miniappbench:137")
    assert (task["class"], task["subclass"], task["level"], task["index"]) == ("Tools", "Schedule", "Mid", 137)
    assert items(task) == {
        "intention-1": "A timeline editor",
        "static-1": "A canvas",
        "static-2": "A zoom",
        "dynamic-1": "Nodes can be dragged",
    }
    assert {item["check"] for item in task["rubric"]} == {None}
    assert [item["kind"] for item in task["rubric"]] == ["initial"] * 3 + ["interaction"]


def test_the_request_stands_at_the_end_of_one_turn_that_asks_for_their_form(tmp_path):
    (turn,) = one(tmp_path)["prompt"]
    assert turn["role"] == "user"
    assert turn["content"].endswith("\n\nAn editor for timelines.")
    assert "#### `index.html`" in turn["content"]


@pytest.mark.parametrize(
    "spelling",
    [
        {"eval-reference": REFERENCE},
        {"eval_reference": REFERENCE},
        {"eval_reference": json.dumps(REFERENCE)},
        {"reference": json.dumps(REFERENCE)},
        {"eval-reference": {name.title(): values for name, values in REFERENCE.items()}},
        {
            "eval-reference": {
                "intention": "A timeline editor",
                "static": "- A canvas\n- A zoom",
                "dynamic": REFERENCE["dynamic"],
            }
        },
        {
            "eval-reference": {
                "intention": ["A timeline editor"],
                "static": "1. A canvas\n2) A zoom",
                "dynamic": [{"id": 1, "description": "Nodes can be dragged"}],
            }
        },
    ],
)
def test_a_reference_is_read_however_it_is_spelt(tmp_path, spelling):
    row = {key: value for key, value in ROW.items() if key != "eval-reference"} | spelling
    (record,) = read(tmp_path, json.dumps([row]))
    assert items(record["task"]) == items(one(tmp_path))


def test_a_number_that_begins_a_sentence_is_no_bullet():
    assert theirs.sentences("2 buttons are there\n3. A box") == ["2 buttons are there", "A box"]


def test_without_a_reference_each_dimension_asks_for_the_plain_thing(tmp_path):
    for missing in ({"eval-reference": None}, {"eval-reference": ""}, {"eval-reference": "{}"}):
        task = one(tmp_path, **missing)
        assert items(task) == {f"{name}-1": words for name, words in theirs.PLAIN.items()}
    half = one(tmp_path, **{"eval-reference": {"static": ["A canvas"]}})
    assert list(items(half)) == ["intention-1", "static-1", "dynamic-1"]
    assert items(half)["dynamic-1"] == theirs.PLAIN["dynamic"]


@pytest.mark.parametrize("loose", ["Look at the zoom.", ["Look at the zoom."]])
def test_a_reference_without_dimensions_speaks_for_all(tmp_path, loose):
    found = items(one(tmp_path, **{"eval-reference": loose}))
    assert list(found) == ["intention-1", "static-1", "dynamic-1"]
    assert all(words.endswith("A reference says: Look at the zoom.") for words in found.values())


def test_medium_is_mid_and_numbers_may_be_strings(tmp_path):
    task = one(tmp_path, level="Medium", index="137")
    assert (task["level"], task["index"]) == ("Mid", 137)
    assert one(tmp_path, level=None)["level"] == "unknown"
    assert [one(tmp_path, index=given)["index"] for given in ("007", 7.0, " 7 ", None)] == [7, 7, 7, 1]


def test_our_own_rubric_in_their_fields_is_taken_as_it_is(tmp_path):
    check = {"cases": [{}, {}], "steps": [{"expect": "visible", "target": "zoom"}]}
    rest = {"kind": "initial", "importance": "essential", "parents": []}
    rubric = [{"id": "zoom", "requirement": "There is a zoom", "check": check} | rest]
    task = one(tmp_path, rubric=rubric, targets={"zoom": {"css": "#zoom"}})
    assert json.loads(task["rubric"][0]["check"])["steps"] == [{"expect": "visible", "target": {"css": "#zoom"}}]


def test_records_of_ours_are_tasks_too(tmp_path):
    record = RECORDS["water"]
    (found,) = read(tmp_path, json.dumps(record))
    assert found["task"] == record["task"]
    plain = {"id": "t1", "task": {"prompt": record["task"]["prompt"], "rubric": record["task"]["rubric"]}}
    (found,) = read(tmp_path, json.dumps(plain))
    assert (found["group"], found["task"]["class"], found["task"]["index"]) == ("t1", "unknown", 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([ROW, ROW]), "tasks.json row:2: the task miniappbench:137 (index 137) is there twice"),
        (json.dumps([{"index": 1}]), "tasks.json row:1: expected a task: a string 'query'"),
        (json.dumps([ROW | {"index": 1.5}]), "tasks.json row:1: index: expected a whole number, not '1.5'"),
        (json.dumps([ROW | {"index": 10**30}]), "tasks.json row:1: index: expected a whole number, not '1000"),
        (json.dumps([ROW | {"index": "9" * 5000}]), "tasks.json row:1: index: expected a whole number, not '9999"),
        (json.dumps([ROW | {"eval-reference": "[" * 900 + "]" * 900}]), "tasks.json row:1: the rubric or reference"),
        (
            json.dumps([ROW | {"rubric": [{"id": "a", "check": {"steps": ["go"]}}], "moves": {"go": ["go"]}}]),
            "tasks.json row:1: the rubric or reference goes on in itself",
        ),
        (
            json.dumps(
                [
                    ROW
                    | {"rubric": [{"id": "a", "check": {"steps": [{"do": "click", "target": "x"}]}}]}
                    | {"targets": {"x": {"css": "p", "within": "x"}}}
                ]
            ),
            "tasks.json row:1: the rubric or reference goes on in itself",
        ),
        (
            json.dumps([ROW | {"rubric": [{"id": "a", "check": {"steps": ["go"]}}]}]),
            "tasks.json row:1: rubric: no moves 'go'",
        ),
        (json.dumps([ROW | {"rubric": [{"id": "a", "check": None}]}]), "tasks.json row:1: task.rubric.0."),
        ("[" + '{"a":' * 300 + "1" + "}" * 300 + "]", "tasks.json row:1: nested more than 200 deep"),
        ("[1]", "tasks.json row:1: expected a JSON object, not a number"),
        ("[{", "tasks.json: not JSON: "),
        ("[NaN]", "tasks.json: not JSON: NaN is no number that JSON has"),
        ("", "tasks.json: no tasks in it"),
        ("[]", "tasks.json: no tasks in it"),
    ],
)
def test_a_file_that_holds_no_tasks_is_refused_with_the_place(tmp_path, text, message):
    with pytest.raises((RecordError, RccaError)) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path}/{message}")


def numbers(index="", classes=(), levels=(), limit=None):
    chosen = tasks.Choice.of(index, classes, levels, limit).of_tasks(list(RECORDS.values()))
    return [record["task"]["index"] for record in chosen]


def test_tasks_are_chosen_by_number_class_and_level():
    assert numbers("3,5-7") == [3, 5, 6, 7]
    assert numbers(limit=2) == [1, 2]
    lifestyle = [one["task"]["index"] for one in RECORDS.values() if one["task"]["class"] == "Lifestyle"]
    assert numbers(classes=["lifestyle"]) == lifestyle
    assert numbers("1-12", ["lifestyle"], ["easy"]) == [9]
    assert numbers("1-12", ["lifestyle"], ["easy", "Medium"]) == [9, 10]


def test_a_choice_of_nothing_is_an_error():
    with pytest.raises(RccaError, match=r"none of the .* tasks is chosen"):
        numbers("9999")
    with pytest.raises(RccaError, match="--index 1-x: expected numbers and ranges"):
        numbers("1-x")
    for bad in ("²", "9" * 5000, "1-", "-1", "1-2-3"):
        with pytest.raises(RccaError, match="expected numbers and ranges"):
            numbers(bad)
