"""A check that no app could pass, because it is wrong itself: refused, or not known; never the app's failure."""

import json

import pytest

from rcca_cli import checks
from tests.judge.records import SHOWS, TODO, answer, item, record

SEEN = {"expect": "visible", "target": {"role": "button"}}
PRESS = {"do": "click", "target": {"role": "button", "name": "Add"}}


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"do": "click", "target": {"css": "##"}}, "no CSS selector: ##"),
        ({"expect": "hidden", "target": {"css": "li:nope(1)"}}, "no CSS selector: li:nope(1)"),
        ({"expect": "hidden", "target": {"text": "x", "within": {"css": "["}}}, "no CSS selector: ["),
        (
            {"expect": "style", "target": {"role": "button"}, "property": "colr", "equals": "red"},
            "no CSS property: colr",
        ),
    ],
)
def test_what_only_a_browser_knows_to_be_wrong_is_not_known_and_says_why(judged, step, why):
    judge = judged(record(answer(TODO), item("wrong", step, SEEN), item("late", PRESS, step, SEEN), SHOWS))
    assert [verdict["passed"] for verdict in judge["verdicts"]] == [None, None, True]
    assert [verdict["error"] for verdict in judge["verdicts"][:2]] == [f"the check is wrong: {why}"] * 2
    assert judge["reward"] is None


def test_a_property_of_the_page_s_own_and_any_selector_of_the_browser_are_right(judged):
    page = answer("<style>:root { --accent: red }</style><p>Hello</p>")
    own = {"expect": "style", "target": {"css": ":root"}, "property": "--accent", "equals": "red"}
    seen = {"expect": "visible", "target": {"css": "body:has(> p) p:not(.x):nth-child(1 of p)"}}
    judge = judged(record(page, item("own", own, kind="initial"), item("seen", seen, kind="initial")))
    assert [verdict["passed"] for verdict in judge["verdicts"]] == [True, True]


def test_a_role_that_does_not_exist_is_refused_with_the_one_that_was_meant():
    with pytest.raises(checks.CheckError, match=r"role: there is no role 'buton' \(is it 'button'\?\)"):
        checks.parse(json.dumps({"cases": [{}, {}], "steps": [SEEN | {"target": {"role": "buton"}}]}))
    drawn = {"cases": [{"r": "button"}, {"r": "link"}], "steps": [SEEN | {"target": {"role": "{r}"}}]}
    checks.parse(json.dumps(drawn))
