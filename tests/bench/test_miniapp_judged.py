"""The embedded tasks before the real judge: good apps pass, each bug fails its item, inert pages pass nothing."""

from importlib import resources
from pathlib import Path

import pytest

from rcca_cli import records
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from tests.bench.canned import RECORDS
from tests.bench.mutations import MUTATIONS

REFERENCES = resources.files("rcca_cli.bench.miniapp") / "references"
OTHERS = Path(__file__).parent / "others"
OPTIONS = judge.Options(jobs=2, replay_passes=0.0)
STUB = "<!DOCTYPE html>\n<html><head><title>{0}</title></head><body><h1>{0}</h1>{1}</body></html>\n"


@pytest.fixture(scope="module")
def court():
    with judge.court(OPTIONS) as opened:
        yield opened


def record(task, html, items=None):
    """The task with `html` as its answer; only these items, free of their parents, if any are given."""
    known = RECORDS[task]["task"]
    rubric = [item | {"parents": []} for item in known["rubric"] if item["id"] in items] if items else known["rubric"]
    text = f"Here it is.\n\n```html\n{html}```\n"
    rollout = records.text_only(text, finish_reason="stop")
    return RECORDS[task] | {"id": f"miniapp:{task}/0", "task": known | {"rubric": rubric}, "rollout": rollout}


def passed(court, *records):
    """For each record, item -> passed."""
    lines = [Line(one, "test", number) for number, one in enumerate(records, 1)]
    return [
        {verdict["rubric"]: verdict["passed"] for verdict in judged["judge"]["verdicts"]}
        for judged in judge.run(lines, OPTIONS, court)
    ]


def reference(task):
    return (REFERENCES / f"{task}.html").read_text()


def mutated(task, item):
    old, new = MUTATIONS[task][item]
    assert reference(task).count(old) == 1
    return record(task, reference(task).replace(old, new), [item])


# The second task of each class is left to the long run.
HALF = [pytest.param(task, marks=pytest.mark.slow) if number % 2 else task for number, task in enumerate(RECORDS)]


@pytest.mark.parametrize("task", HALF)
def test_a_good_app_passes_every_item(court, task):
    (found,) = passed(court, record(task, reference(task)))
    assert [item for item, value in found.items() if value is not True] == []


@pytest.mark.parametrize("path", sorted(OTHERS.glob("*.html")), ids=lambda path: path.stem)
def test_an_app_built_quite_differently_passes_every_item_too(court, path):
    (found,) = passed(court, record(path.stem, path.read_text()))
    assert [item for item, value in found.items() if value is not True] == []


@pytest.mark.slow
def test_a_page_that_repeats_the_request_passes_nothing(court):
    pages = []
    for task, known in RECORDS.items():
        words = known["task"]["prompt"][0]["content"].replace("<", "&lt;")
        pages.append(record(task, STUB.format(task, f"<p>{words}</p>")))
    for found in passed(court, *pages):
        assert set(found.values()) == {False}


@pytest.mark.slow
@pytest.mark.parametrize("html", [STUB.format("App", ""), "<!DOCTYPE html>\n<html><body></body></html>\n", ""])
def test_a_page_with_a_title_or_nothing_passes_nothing(court, html):
    for found in passed(court, *(record(task, html) for task in RECORDS)):
        assert set(found.values()) == {False}


@pytest.mark.slow
def test_one_bug_of_each_task_fails_its_item(court):
    chosen = {task: next(reversed(bugs)) for task, bugs in MUTATIONS.items()}
    found = passed(court, *(mutated(task, item) for task, item in chosen.items()))
    assert found == [{item: False} for item in chosen.values()]


def test_there_is_a_bug_for_every_item():
    assert {task: set(bugs) for task, bugs in MUTATIONS.items()} == {
        task: {item["id"] for item in known["task"]["rubric"]} for task, known in RECORDS.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("task", RECORDS)
def test_every_bug_fails_its_item(court, task):
    found = passed(court, *(mutated(task, item) for item in MUTATIONS[task]))
    assert found == [{item: False} for item in MUTATIONS[task]]
