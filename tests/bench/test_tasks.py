"""The embedded tasks: MiniAppBench's fields, every class and level, and requests that say what the checks rely on."""

import json
from collections import Counter
from importlib import resources

import pytest

from rcca_cli import checks
from rcca_cli.bench.miniapp import load

RECORDS = load.tasks()
FILES = {
    path.name: json.loads(path.read_text())
    for path in resources.files("rcca_cli.bench.miniapp").joinpath("tasks").iterdir()
}
ITEMS = [(record["group"], item) for record in RECORDS for item in record["task"]["rubric"]]
CLASSES = {"Science", "Games", "Tools", "Humanities", "Lifestyle", "Visualization"}


def words(value):
    """The fixed words by which the steps in `value` find things: names, labels and the words before a number."""
    if isinstance(value, list):
        return {word for one in value for word in words(one)}
    if not isinstance(value, dict):
        return set()
    own = {value[key] for key in ("name", "label", "placeholder", "after") if isinstance(value.get(key), str)}
    return {word for word in own if "{" not in word} | words(list(value.values()))


def test_there_are_two_tasks_of_every_class_and_four_of_every_level():
    assert Counter(record["task"]["class"] for record in RECORDS) == dict.fromkeys(CLASSES, 2)
    assert Counter(record["task"]["level"] for record in RECORDS) == {"Easy": 4, "Mid": 4, "Hard": 4}


def test_a_file_has_the_six_fields_and_a_rubric():
    for task in FILES.values():
        assert set(task) == {"index", "class", "subclass", "query", "level", "eval-reference", "rubric"}
        assert set(task["eval-reference"]) == {"intention", "static", "dynamic"}
    assert sorted(task["index"] for task in FILES.values()) == list(range(1, 13))


def test_every_rubric_has_five_to_eight_items_of_both_kinds_and_known_parents():
    for record in RECORDS:
        rubric = record["task"]["rubric"]
        assert 5 <= len(rubric) <= 8
        assert {item["kind"] for item in rubric} == {"initial", "interaction"}
        known = set()
        for item in rubric:
            assert set(item["parents"]) <= known, item["id"]
            known.add(item["id"])


@pytest.mark.parametrize(("group", "item"), ITEMS, ids=[f"{group}-{item['id']}" for group, item in ITEMS])
def test_a_check_parses_and_has_at_least_two_cases(group, item):
    assert len(checks.parse(item["check"]).cases) >= 2


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["group"])
def test_the_request_names_whatever_the_checks_look_for(record):
    query = record["task"]["prompt"][0]["content"]
    looked_for = words([json.loads(item["check"])["steps"] for item in record["task"]["rubric"]])
    assert not {word for word in looked_for if word not in query}


def test_a_task_says_which_version_it_is():
    assert len({record["task"]["config"] for record in RECORDS}) == 12
    assert RECORDS[0]["id"] == "miniapp:projectile"
