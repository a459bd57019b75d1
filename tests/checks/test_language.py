"""What a check may say, and what it is told when it says something else."""

import doctest
import json

import pytest

from rcca_cli import checks
from rcca_cli.checks import judging, keys, targets, words

BUTTON = {"role": "button", "name": "Add"}


def check(*steps, cases=({"a": 1}, {"a": 2})):
    return json.dumps({"cases": list(cases), "steps": list(steps)})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "check: not JSON"),
        ("[]", "check: expected an object"),
        ('{"cases": [{}, {}], "step": []}', "check.step: no such key"),
        (check({"expect": "text", "contains": "x"}, cases=({"a": 1},)), "check.cases: expected at least two"),
        (check({"expect": "text", "contains": "x"}, cases=({"a": 1}, {"a": 1})), "two cases are the same"),
        (check({"expect": "text", "contains": "x"}, cases=({"a": 1}, {"b": 1})), "check.cases[1]: has other names"),
        (
            check({"expect": "text", "contains": "x"}, cases=({"a": []}, {"a": 1})),
            "check.cases[0].a: expected a string",
        ),
        (check({"do": "click", "target": BUTTON}), "check.steps: expects nothing"),
        (check({"do": "clik", "target": BUTTON}, {"expect": "text", "contains": "x"}), "check.steps[0]: do: no 'clik'"),
        (check({"expect": "txt"}), "check.steps[0]: expect: no 'txt'"),
        (check({"expect": "text", "do": "click"}), "check.steps[0]: expected an object with either"),
        (check({"expect": "text", "contians": "x"}), "check.steps[0]: contians: text has no such key"),
        (check({"expect": "text"}), "check.steps[0]: text: needs exactly one of contains"),
        (check({"expect": "text", "contains": "x", "lacks": "y"}), "needs exactly one of"),
        (check({"expect": "text", "contains": "{b}"}), "check.steps[0]: {b}: no such name in the cases"),
        (check({"expect": "text", "contains": " "}), "check.steps[0]: contains: expected words"),
        (
            check({"do": "press", "key": "Entre"}, {"expect": "text", "lacks": "x"}),
            "check.steps[0]: key: no key 'Entre'",
        ),
        (
            check({"expect": "visible", "target": {"role": "button", "name": "{n}"}}, cases=({"n": "Add"}, {"n": ""})),
            "check.steps[0]: target: name: '' does not fit",
        ),
        (
            check({"do": "drag", "target": BUTTON, "dx": 1e300}, {"expect": "text", "contains": "x"}),
            "check.steps[0]: dx: expected -10000 to 10000 pixels",
        ),
        (check({"expect": "text", "matches": "("}), "check.steps[0]: matches: not a regular expression"),
        (check({"expect": "visible", "target": {}}), "check.steps[0]: target: a target has exactly one of"),
        (check({"expect": "visible", "target": {"text": "a", "css": "b"}}), "exactly one of"),
        (check({"expect": "visible", "target": {"role": "button", "nam": "b"}}), "target: nam: no such key"),
        (check({"expect": "visible", "target": {"css": "b", "name": "c"}}), "name: goes with role only"),
        (check({"expect": "visible", "target": []}), "not an empty list"),
        (check({"expect": "visible", "target": {"text": "a", "within": {"x": 1}}}), "exactly one of"),
        (check({"do": "wait", "ms": 600_001}, {"expect": "text", "contains": "x"}), "ms: expected 0 to 600000"),
        (check({"expect": "number", "left": "n", "op": "==", "right": 1}), "left: nothing was read as 'n'"),
        (check({"expect": "count", "target": BUTTON, "equals": "two"}), "equals: expected a whole number"),
        (check({"expect": "count", "target": BUTTON, "equals": "{a}"}, cases=({"a": 1}, {"a": "x"})), "(case 1)"),
    ],
)
def test_an_error_names_the_place(text, problem):
    with pytest.raises(checks.CheckError) as caught:
        checks.parse(text)
    assert problem in str(caught.value)


def test_a_case_fills_the_steps_and_keeps_types():
    steps = [
        {"do": "type", "target": {"label": "{name} field"}, "text": "{a}"},
        {"do": "read", "as": "n", "what": "count", "target": {"css": "li"}},
        {"expect": "number", "left": "n", "op": "==", "right": "{a}"},
        {"expect": "text", "matches": r"\d{3} {name}"},
    ]
    cases = checks.parse(check(*steps, cases=({"a": 3, "name": "x"}, {"a": 4.5, "name": "y"}))).cases
    typed, _, number, text = (step.arguments for step in cases[1].steps)
    assert typed["target"] == [{"label": "y field"}]
    assert typed["text"] == "4.5"
    assert number["right"] == 4.5
    assert text["matches"] == r"\d{3} y"


def test_only_looking_is_passive():
    looking = check({"do": "read", "as": "n", "what": "text"}, {"expect": "visible", "target": BUTTON})
    acting = check({"do": "wait", "ms": 1}, {"expect": "visible", "target": BUTTON})
    assert all(map(checks.is_passive, checks.parse(looking).cases))
    assert not any(map(checks.is_passive, checks.parse(acting).cases))


@pytest.mark.parametrize(
    ("text", "part", "there"),
    [
        ("Count: 1", "count: 1", True),
        ("Count: 12", "Count: 1", False),
        ("Count: 1.5", "Count: 1", False),
        ("Count: 1.", "Count: 1", True),
        ("1,234 items", "1", False),
        ("1,234 items", "234", False),
        ("Total -5", "5", False),
        ("Total −5", "-5", True),
        ("2026-01-05", "05", True),
        ("Address", "Add", False),
        ("Add a\n  task", "add a task", True),
        ("$12.30", "12.30", True),
        ("45%", "45%", True),
        ("It’s done", "it's done", True),
        ("straße", "STRASSE", True),
    ],
)
def test_words_and_numbers_are_whole(text, part, there):
    assert words.holds(text, part) is there


@pytest.mark.parametrize(
    ("text", "after", "value"),
    [
        ("Total: $1,234.50", None, 1234.5),
        ("-$5", None, -5.0),
        ("$-5", None, -5.0),
        ("5 - 3", None, 5.0),
        ("H2O: 7", None, 7.0),
        ("range 3-4", "range", 3.0),
        ("Tip: 3.00 Total: 23.00", "Total", 23.0),
        (".5 l", None, 0.5),
        ("25:00", None, 25.0),
        ("none", None, None),
        ("Tip: 3", "Total", None),
    ],
)
def test_the_first_number_is_found(text, after, value):
    assert words.number(text, after) == value


@pytest.mark.parametrize(
    ("target", "phrase"),
    [
        ([BUTTON], "the button “Add”"),
        ([{"role": "textbox"}], "the text field"),
        ([{"label": "Bill"}], "the field labelled “Bill”"),
        ([{"text": "Total"}], "the text “Total”"),
        ([{"placeholder": "Task"}], "the field with the placeholder “Task”"),
        ([{"testid": "x"}], "the element with test id “x”"),
        ([{"css": ".x"}], "the element “.x”"),
        (
            [{"role": "button", "name": "×", "nth": -1, "within": [{"role": "list"}]}],
            "the last of the button “×” in the list",
        ),
        (None, "the page"),
    ],
)
def test_a_target_reads_as_a_user_would_say_it(target, phrase):
    assert targets.phrase(target) == phrase


@pytest.mark.parametrize("module", [keys, words, targets, judging])
def test_the_examples_in_the_code_hold(module):
    assert doctest.testmod(module).failed == 0
