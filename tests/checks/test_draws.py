"""Data drawn for a check: what may be said, what comes of it, and that it can be relied on."""

import json

import pytest

from rcca_cli import checks
from rcca_cli.checks import reckoning
from rcca_cli.checks.draws import DRAWS
from rcca_cli.checks.fields import FieldError

EXAMPLES = {
    "integer": {"from": -3, "to": 9},
    "decimal": {"from": 1, "to": 2, "places": 1},
    "choice": {"of": ["a", "b", "c"]},
}
SEES = {"expect": "text", "contains": "{a}"}


def check(draw, *steps, **more):
    return json.dumps({"draw": draw, "steps": list(steps or [SEES])} | more)


def values(text, seed=0, request=""):
    return [dict(case.values) for case in checks.drawn(checks.parse(text), seed, request).cases]


@pytest.mark.parametrize("kind", DRAWS)
def test_every_kind_gives_two_cases_of_different_data_that_depend_on_the_seed_alone(kind):
    text = check({"a": {"kind": kind} | EXAMPLES.get(kind, {})})
    drawn = [values(text, seed) for seed in range(50)]
    assert drawn == [values(text, seed) for seed in range(50)]
    assert all(first["a"] != second["a"] for first, second in drawn)
    assert len({first["a"] for first, _ in drawn}) > 2


def test_a_range_is_kept_with_both_its_ends():
    numbers = {
        case["a"] for seed in range(100) for case in values(check({"a": {"kind": "integer", "from": 2, "to": 5}}), seed)
    }
    assert numbers == {2, 3, 4, 5}
    decimals = [values(check({"a": {"kind": "decimal", "from": 1, "to": 2}}), seed)[0]["a"] for seed in range(50)]
    assert all(1 <= one <= 2 and one == round(one, 2) for one in decimals)


def test_items_that_draw_the_same_under_one_name_get_the_same():
    word, number = {"kind": "words"}, {"kind": "integer", "from": 1, "to": 1000}
    alone, beside = values(check({"a": word}), 7), values(check({"n": number, "a": word}), 7)
    assert [case["a"] for case in alone] == [case["a"] for case in beside]
    renamed = values(check({"b": word}, {"expect": "text", "contains": "{b}"}), 7)
    assert [case["b"] for case in renamed] != [case["a"] for case in alone]


def test_free_text_is_none_that_the_request_or_another_value_holds():
    text = check({"a": {"kind": "name"}})
    first = values(text)[0]["a"]
    assert values(text, request=f"Say “hello, {first.upper()}!”")[0]["a"] != first
    for seed in range(50):
        words = [
            case[name] for case in values(check({"a": {"kind": "word"}, "b": {"kind": "words"}}), seed) for name in "ab"
        ]
        assert not any(one != other and one in other for one in words for other in words)


def test_cases_of_their_own_keep_their_values():
    text = check({"a": {"kind": "word"}}, cases=[{"n": 1}, {"n": 2}, {"n": 3}])
    assert [case["n"] for case in values(text)] == [1, 2, 3]
    assert len({case["a"] for case in values(text)}) == 3


def test_drawing_changes_neither_the_check_nor_one_without_draws():
    plain = checks.parse(json.dumps({"cases": [{"a": "x"}, {"a": "y"}], "steps": [SEES]}))
    assert checks.drawn(plain, 3) is plain
    parsed = checks.parse(check({"a": {"kind": "word"}}))
    before = [dict(case.values) for case in parsed.cases]
    checks.drawn(parsed, 3)
    assert [dict(case.values) for case in parsed.cases] == before


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (check([]), "check.draw: expected an object"),
        (check({"a b": {"kind": "word"}}), "check.draw: expected a name"),
        (check({"a": "word"}), 'check.draw.a: expected an object like {"kind": "words"}'),
        (check({"a": {"kind": "colour"}}), "check.draw.a: kind: no 'colour' (there are word, words,"),
        (check({"a": {"kind": "word", "of": 1}}), "check.draw.a: of: word has no such key"),
        (check({"a": {"kind": "integer", "from": 1}}), "check.draw.a: integer: missing 'to'"),
        (check({"a": {"kind": "integer", "from": 4, "to": 4}}), "check.draw.a: from: must be less than to"),
        (check({"a": {"kind": "choice", "of": ["x"]}}), "check.draw.a: of: expected a list of at least two"),
        (check({"a": {"kind": "choice", "of": [1, 1]}}), "check.draw: there are too few values"),
        (
            check({"a": {"kind": "word"}}, cases=[{"a": 1}, {"a": 2}]),
            "check.draw.a: the cases have a value of that name",
        ),
        (
            check(
                {"n": {"kind": "integer", "from": -9, "to": 9}},
                {"expect": "count", "target": {"css": "li"}, "equals": "{n}"},
            ),
            "check.steps[0]: equals: expected a whole number, not -9",
        ),
        (
            check({"n": {"kind": "integer", "from": 0, "to": 9}}, {"expect": "text", "contains": "{10 / n}"}),
            "check.steps[0]: {10 / n}",
        ),
        ('{"draw": {}, "steps": []}', "check.cases: expected at least two"),
    ],
)
def test_an_error_names_the_place(text, problem):
    with pytest.raises(checks.CheckError) as caught:
        checks.parse(text)
    assert problem in str(caught.value)


def test_a_slot_may_hold_a_sum_of_what_is_drawn():
    steps = [
        {"expect": "text", "contains": "{a * 2} of {(a + 1) / 2}"},
        {"do": "read", "as": "n", "what": "number"},
        {"expect": "number", "left": "n", "op": "==", "right": "{a - 0.5}"},
    ]
    for case in checks.parse(check({"a": {"kind": "integer", "from": 1, "to": 9}}, *steps)).cases:
        a = case.values["a"]
        assert case.steps[0].arguments["contains"] == f"{a * 2} of {(a + 1) / 2:g}"
        assert case.steps[2].arguments["right"] == a - 0.5


@pytest.mark.parametrize("words", ["a.real", "a()", "a ** 2", "b", "a if a else 1", "s + 1", "a +", "1e400 * a", "[a]"])
def test_a_sum_has_numbers_and_names_and_nothing_else(words):
    with pytest.raises(FieldError):
        reckoning.reckon(words, {"a": 2, "s": "text"})
