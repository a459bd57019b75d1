"""What is judged on the load that was looked at first, and what on a load of its own."""

import pytest

from tests.judge.records import SHOWS, answer, item, record

PRESS = {"do": "click", "target": {"role": "button", "name": "Add"}}
BUTTON = '<button onclick="said.textContent = word()">Add</button><p id=said></p><script>{}</script>'
AGE = "const word = () => performance.now() > 1000 ? 'looked at before' : 'new';"


def says(word):
    return item("says", PRESS, {"expect": "visible", "target": {"text": word}})


def passed(judge):
    return [verdict["passed"] for verdict in judge["verdicts"]]


def test_the_first_cases_go_on_with_a_page_on_which_nothing_waits(judged):
    assert passed(judged(record(answer(BUTTON.format(AGE)), SHOWS, says("looked at before")))) == [True, True]


@pytest.mark.parametrize(
    "restless",
    [
        "setInterval(() => {}, 5000);",
        "setTimeout(() => {}, 30000);",
        "setTimeout(() => {}, 500);",
        "throw 1;",
    ],
)
def test_where_time_could_change_something_each_case_has_its_own_load(judged, restless):
    page = answer(BUTTON.format(AGE) + f"<script>{restless}</script>")
    assert passed(judged(record(page, SHOWS, says("new")))) == [True, True]


def test_what_one_item_does_is_not_there_for_the_next(judged):
    counts = "let n = 0; const word = () => `pressed ${++n}`;"
    twice = item("twice", PRESS | {"count": 2}, {"expect": "visible", "target": {"text": "pressed 2"}})
    judge = judged(record(answer(BUTTON.format(counts)), says("pressed 1"), twice, says("pressed 1") | {"id": "again"}))
    assert passed(judge) == [True, True, True]
