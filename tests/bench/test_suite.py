"""The laws of the embedded suite: MiniAppBench's fields, classes and levels, and tasks that hold together."""

import json
import re
from collections import Counter
from importlib import resources

import pytest

from rcca_cli import checks
from rcca_cli.bench.miniapp import load, own, shorthand

RECORDS = {record["group"].removeprefix(load.PREFIX): record for record in load.tasks()}
FILES = {
    folder.name: json.loads((folder / "task.json").read_text())
    for folder in resources.files("rcca_cli.bench.miniapp").joinpath("suite").iterdir()
}
ITEMS = [((name, item["id"]), item) for name, record in RECORDS.items() for item in record["task"]["rubric"]]
FIELDS = {"index", "class", "subclass", "query", "level", "eval-reference"}
SUBCLASSES = {
    "Science": {"Chemical", "Biological Systems", "Physics", "Virtual Laboratory", "Geometry"},
    "Games": {"Logic", "Projectile", "Reflex", "Edutainment", "Systemic Simulation", "Casual", "Card"},
    "Tools": {"Schedule", "Creative Tools", "Computational Tools", "Data Lookup"},
    "Humanities": {"Skill Acquisition", "Concept Deconstruction", "Culture"},
    "Lifestyle": {"Health", "Toys", "Roleplay"},
    "Visualization": {"SVG", "Statical", "Art"},
}
COMPLETE = {
    "Games",
    "Humanities",
    "Lifestyle",
    "Science",
    "Tools",
    "Visualization",
}  # the classes that have their ten tasks

by_task = pytest.mark.parametrize("name", RECORDS)


def walked(value):
    """Every object in a check."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walked(one)


def steps(item):
    return json.loads(item["check"])["steps"]


def test_there_are_tasks_of_every_class_and_level():
    classes = Counter(task["class"] for task in FILES.values())
    assert set(classes) == set(SUBCLASSES)
    assert {name: classes[name] for name in COMPLETE} == dict.fromkeys(COMPLETE, 10)
    assert {task["level"] for task in FILES.values()} == {"Easy", "Mid", "Hard"}


@pytest.mark.parametrize("name", sorted(COMPLETE))
def test_a_complete_class_has_every_level_and_subclass(name):
    own_tasks = [task for task in FILES.values() if task["class"] == name]
    assert {task["level"] for task in own_tasks} == {"Easy", "Mid", "Hard"}
    assert {task["subclass"] for task in own_tasks} == SUBCLASSES[name]


def test_a_file_has_the_six_fields_and_a_rubric():
    for task in FILES.values():
        assert set(task) - {"targets", "moves"} == FIELDS | {"rubric"}
        assert set(task["eval-reference"]) == {"intention", "static", "dynamic"}
        assert all(task["eval-reference"].values())
        assert task["subclass"] in SUBCLASSES[task["class"]]


def test_every_index_is_there_once():
    assert sorted(task["index"] for task in FILES.values()) == list(range(1, len(FILES) + 1))
    assert [record["task"]["index"] for record in RECORDS.values()] == list(range(1, len(FILES) + 1))


@by_task
def test_a_rubric_has_five_to_ten_items_of_both_kinds_and_known_parents(name):
    rubric = RECORDS[name]["task"]["rubric"]
    assert 5 <= len(rubric) <= 10
    assert {item["kind"] for item in rubric} == {"initial", "interaction"}
    assert any(item["importance"] == "essential" for item in rubric)
    known = set()
    for item in rubric:
        assert set(item["parents"]) <= known, item["id"]
        known.add(item["id"])


def test_every_check_parses_and_has_at_least_two_cases():
    assert [place for place, item in ITEMS if len(checks.parse(item["check"]).cases) < 2] == []


def test_an_item_that_interacts_does_something():
    for place, item in ITEMS:
        acts = any(step.get("do", "read") != "read" for step in steps(item))
        assert acts or item["kind"] == "initial", place


def test_no_check_names_what_only_an_author_could_have_chosen():
    """Elements by what they are (canvas, svg circle, tbody tr), never by an id, a class or a test id."""
    for place, item in ITEMS:
        for one in walked(steps(item)):
            assert "testid" not in one, place
            css = one.get("css", "")
            assert not re.search(r"[#.]", re.sub(r"\[[^]]*\]", "", css)), place
            assert not re.search(r"\[(id|class)\b", css), place


def test_the_request_names_whatever_the_checks_look_for():
    """Or the check has typed it; of numbers any will do: who asks for "Lamp 1" to "Lamp 25" has named lamp 13."""
    for place, item in ITEMS:
        typed = " ".join(step["text"] for step in steps(item) if step.get("do") == "type")
        query = (RECORDS[place[0]]["task"]["prompt"][0]["content"] + typed).lower()
        query = re.sub(r"\d+", "1", query)
        for one in walked(steps(item)):
            keys = {"label", "placeholder", "after"} | ({"name"} if "role" in one else set())
            words = [one[key] for key in keys if isinstance(one.get(key), str) and "{" not in one[key]]
            assert [word for word in words if re.sub(r"\d+", "1", word.lower()) not in query] == [], place


@by_task
def test_every_name_of_a_target_or_move_is_used(name):
    written = json.dumps(
        [item["check"] for item in FILES[name]["rubric"]] + list(FILES[name].get("moves", {}).values())
    )
    named = [*FILES[name].get("targets", {}), *FILES[name].get("moves", {})]
    assert [one for one in named if json.dumps(one) not in written] == []


@by_task
def test_there_are_two_bugs_an_item_each_at_one_place(name):
    good = load.page(name, "reference")
    bugs = load.bugs(name)
    count = Counter(bug.rubric for bug in bugs)
    rubric = [item["id"] for item in RECORDS[name]["task"]["rubric"]]
    assert set(count) == set(rubric)
    assert [item for item in rubric if count[item] < 2] == []
    assert len({(bug.find, bug.replace) for bug in bugs}) == len(bugs)
    for bug in bugs:
        assert good.count(bug.find) == 1, bug
        assert bug.find != bug.replace
        assert bug.failure in {"exception", "dead", "silent", "visual", "absent"}


@by_task
def test_the_two_good_apps_are_different_work(name):
    first, second = load.page(name, "reference"), load.page(name, "second")
    ids = [set(re.findall(r"""\bid=["']?([\w-]+)""", page)) for page in (first, second)]
    assert len(ids[0] & ids[1]) <= len(ids[0] | ids[1]) / 4
    ours = {line.strip() for line in first.splitlines() if len(line.strip()) > 30}
    theirs = {line.strip() for line in second.splitlines() if len(line.strip()) > 30}
    assert len(ours & theirs - {'<meta name="viewport" content="width=device-width, initial-scale=1">'}) <= 2


@by_task
@pytest.mark.parametrize("which", ["reference", "second"])
def test_a_good_app_is_one_page_that_loads_nothing(name, which):
    page = load.page(name, which)
    assert page.lower().startswith("<!doctype html>")
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//|\bfetch\(|XMLHttpRequest|@import""", page)
    assert "</html>" in page


def test_a_bug_says_where_it_is():
    for record in own.answers("bugs"):
        (truth,) = record["truth"]
        name = record["group"].removeprefix(load.PREFIX)
        bug = next(one for one in load.bugs(name) if one.replace in record["rollout"]["text"][truth["start"] :])
        there = record["rollout"]["text"][truth["start"] : truth["end"]]
        assert there in {one.replace for one in load.bugs(name) if one.rubric == truth["rubric"]}, bug


def test_a_task_says_which_version_it_is():
    assert len({record["task"]["config"] for record in RECORDS.values()}) == len(RECORDS)
    assert RECORDS["projectile"]["id"] == "miniapp:projectile"


def test_shorthand_is_spelt_out_also_inside_other_targets_and_moves():
    task = {
        "targets": {"card": {"role": "listitem", "name": "{card}"}},
        "moves": {"twice": ["once", "once"], "once": [{"do": "click", "target": "button: Go"}]},
    }
    delete = {"do": "click", "target": {"role": "button", "name": "Delete", "within": "card"}}
    found = shorthand.check(task, {"cases": [{"card": "a"}, {"card": "b"}], "steps": ["twice", delete]})
    go = {"do": "click", "target": {"role": "button", "name": "Go"}}
    card = {"role": "listitem", "name": "{card}"}
    assert found["steps"] == [
        go,
        go,
        {"do": "click", "target": {"role": "button", "name": "Delete", "within": card}},
    ]
    assert found["cases"] == [{"card": "a"}, {"card": "b"}]


@pytest.mark.parametrize("step", ["again", {"do": "click", "target": "cards"}])
def test_a_name_that_means_nothing_is_an_error(step):
    with pytest.raises(ValueError, match=r"no (moves|target)"):
        shorthand.check({"targets": {"card": {"role": "listitem"}}}, {"steps": [step]})
