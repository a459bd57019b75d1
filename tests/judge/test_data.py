"""Data drawn when an answer is judged: an app that knows by heart what was typed last time fails."""

import json

import pytest

from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line
from rcca_cli.judge import data, stage
from rcca_cli.judge.court import Court
from tests.judge.records import SHOWS, TODO, answer, record

STEPS = [
    {"do": "type", "target": {"label": "Task"}, "text": "{task}"},
    {"do": "click", "target": {"role": "button", "name": "Add"}},
    {"expect": "visible", "target": {"role": "listitem", "name": "{task}"}},
]
ADDS = SHOWS | {"id": "adds", "check": json.dumps({"draw": {"task": {"kind": "words"}}, "steps": STEPS})}


def passed(court, page, seed=0, name="t1/0"):
    judge = Court(court.machine, seed, 0.0, "hierarchical", "test")
    return stage.judged(Line(record(page, ADDS, name=name), "in.jsonl", 1), judge)["judge"]["verdicts"][0]["passed"]


def drawn(seed=0, name="t1/0"):
    one = record(answer(TODO), ADDS, name=name)
    return [case.values["task"] for case in data.cases(one, ADDS, seed)]


def test_an_app_that_knows_last_times_words_fails(court):
    known = " ".join(f"<li hidden>{text}</li>" for text in drawn())
    learnt = """for (const item of list.children) if (item.textContent === task.value) item.hidden = false;"""
    page = answer(TODO.replace('<ul id="list">', f'<ul id="list">{known}').replace("list.append(item);", learnt))
    assert passed(court, page)
    assert not passed(court, page, seed=1)
    assert not passed(court, page, name="t2/0")
    honest = answer(TODO)
    assert passed(court, honest)
    assert passed(court, honest, seed=1)


def test_all_answers_to_one_task_are_judged_with_the_same_data():
    assert drawn(name="t1/0") == drawn(name="t1/7") != drawn(name="t2/0")
    assert drawn(seed=1) != drawn()


def test_data_is_drawn_alike_when_only_some_items_are_judged():
    alone = record(answer(TODO), ADDS)
    assert data.cases(alone, ADDS, 0) == data.cases(record(answer(TODO), SHOWS, ADDS), ADDS, 0)


def test_a_draw_that_is_none_is_an_error_of_the_input(court):
    broken = ADDS | {"check": json.dumps({"draw": {"task": {"kind": "song"}}, "steps": STEPS})}
    with pytest.raises(RecordError, match=r"in.jsonl:1: task.rubric.0.check.draw.task: kind: no 'song'"):
        stage.judged(Line(record(answer(TODO), broken), "in.jsonl", 1), court)
