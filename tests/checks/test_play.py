"""How a case is played: on a page made of answers, without a browser."""

import asyncio
import json
from dataclasses import dataclass

from rcca_cli import checks

SEEN = {
    "found": 1,
    "visible": 1,
    "alternative": 0,
    "text": "Count: 1",
    "value": None,
    "enabled": True,
    "checked": None,
    "focused": False,
    "attribute": None,
    "style": None,
    "same": [],
    "x": 0.0,
    "y": 0.0,
    "width": 10.0,
    "height": 10.0,
}
NOTHING = SEEN | {"found": 0, "visible": 0, "alternative": None, "text": None}
BUTTON = {"role": "button", "name": "Add"}


@dataclass
class Touch:
    problem: str | None = None
    detail: str | None = None
    alternative: int | None = 0
    idle: bool = False


class Page:
    """Answers each look and click from a list, and keeps what it was asked."""

    def __init__(self, looks=(), touches=(), late=0):
        self.late = late
        self.looks = list(looks)
        self.touches = list(touches)
        self.asked = []

    async def look(self, queries):
        self.asked.append(("look", len(queries)))
        return [self.looks.pop(0) for _ in queries]

    async def linger(self, times):
        return times < self.late

    async def click(self, target, count):
        self.asked.append(("click", target[0]["name"], count))
        return self.touches.pop(0) if self.touches else Touch()

    async def wait(self, ms):
        self.asked.append(("wait", ms))


def play(page, *steps):
    case = checks.parse(json.dumps({"cases": [{}, {}], "steps": list(steps)})).cases[0]
    return asyncio.run(checks.play(page, case))


def test_looks_between_two_actions_are_one():
    page = Page(looks=[SEEN] * 3)
    outcome = play(
        page,
        {"expect": "text", "contains": "Count: 1"},
        {"do": "read", "as": "n", "what": "number"},
        {"do": "click", "target": BUTTON, "count": 2},
        {"expect": "visible", "target": BUTTON},
        {"expect": "number", "left": "n", "op": "==", "right": 1},
    )
    assert outcome.passed
    assert page.asked == [("look", 2), ("click", "Add", 2), ("look", 1)]
    assert outcome.did == ["double-clicked the button “Add”"]


def test_it_stops_at_the_first_step_that_fails():
    page = Page(looks=[SEEN, SEEN | {"text": "Count: 2"}])
    outcome = play(
        page,
        {"expect": "text", "contains": "Count: 1"},
        {"do": "click", "target": BUTTON},
        {"expect": "text", "contains": "Count: 3"},
        {"do": "wait", "ms": 10},
    )
    assert (outcome.passed, outcome.kind, outcome.step, outcome.last_act) == (False, "unmet", 2, 1)
    assert outcome.diagnosis == "clicked the button “Add”: expected “Count: 3” in the page, found “Count: 2”"
    assert page.asked == [("look", 1), ("click", "Add", 1), ("look", 1)]


def test_what_is_missing_before_an_action_is_absent_and_after_it_was_not_made():
    before = play(Page(looks=[NOTHING]), {"expect": "visible", "target": BUTTON})
    after = play(Page(looks=[NOTHING]), {"do": "click", "target": BUTTON}, {"expect": "visible", "target": BUTTON})
    assert before.kind == "absent"
    assert after.kind == "unmet"


def test_an_action_that_cannot_be_done_says_why():
    for problem, kind, words in (
        ("absent", "absent", "there is nothing that matches"),
        ("covered", "unable", "it is covered by <div>"),
        ("disabled", "unable", "it is disabled"),
    ):
        page = Page(touches=[Touch(problem, "<div>")])
        outcome = play(page, {"do": "click", "target": BUTTON}, {"expect": "text", "contains": "x"})
        assert (outcome.kind, outcome.step) == (kind, 0)
        assert outcome.diagnosis == f"could not click the button “Add”: {words}"


def test_only_what_was_done_counts_as_an_action():
    page = Page(looks=[SEEN], touches=[Touch(), Touch(idle=True)])
    steps = [{"do": "click", "target": BUTTON}] * 2 + [{"do": "wait", "ms": 5}, {"expect": "text", "contains": "Count"}]
    assert play(page, *steps).last_act == 0


def test_looks_of_things_are_visual_and_their_state_is_not():
    wrong = SEEN | {"style": "red", "same": [False]}
    style = {"expect": "style", "target": BUTTON, "property": "color", "equals": "blue"}
    hidden = SEEN | {"visible": 0}
    click = {"do": "click", "target": BUTTON}
    assert play(Page([wrong]), style).kind == "visual"
    assert play(Page([wrong]), click, style).kind == "visual"
    assert play(Page([hidden]), {"expect": "visible", "target": BUTTON}).kind == "visual"
    assert play(Page([hidden]), click, {"expect": "visible", "target": BUTTON}).kind == "unmet"
    assert play(Page([SEEN]), {"expect": "hidden", "target": BUTTON}).kind == "unmet"


def test_what_comes_late_is_waited_for_and_no_longer_than_the_page_says():
    step = {"expect": "visible", "target": BUTTON}
    assert play(Page([NOTHING, NOTHING, SEEN], late=2), step).passed
    assert play(Page([NOTHING, NOTHING, SEEN], late=1), step).kind == "absent"
