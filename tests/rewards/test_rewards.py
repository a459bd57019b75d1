import doctest
import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.rewards import REWARDS
from rcca_cli.rewards.hierarchical import BANDS, functional_score
from rcca_cli.rewards.rubric import creditable, holds

LEVELS = list(BANDS)
REWARD = REWARDS["hierarchical"]


def item(name, importance="essential", parents=()):
    return {"id": name, "importance": importance, "parents": list(parents)}


def verdict(name, passed, severity=1.0):
    return {"rubric": name, "passed": passed, "severity": severity}


@st.composite
def judged(draw):
    """(level, verdicts, rubric, gates) with parents, nulls and severities of every kind."""
    names = [f"r{number}" for number in range(draw(st.integers(1, 5)))]
    some = st.lists(st.sampled_from(names), max_size=2)
    rubric = [item(n, draw(st.sampled_from(["essential", "important", "optional"])), draw(some)) for n in names]
    verdicts = [
        verdict(name, draw(st.sampled_from([True, False, False, None])), draw(st.sampled_from([0.5, 1.0])))
        for name in names
    ]
    level = draw(st.sampled_from(LEVELS))
    gates = [{"level": name, "passed": name != level, "progress": draw(st.floats(-1, 2))} for name in LEVELS[:3]]
    return level, verdicts, rubric, gates


@pytest.mark.parametrize("name", ["hierarchical", "flat", "all_pass", "rubric", "circles"])
def test_the_worked_examples(name):
    assert doctest.testmod(importlib.import_module(f"rcca_cli.rewards.{name}")).failed == 0


@given(judged(), judged())
def test_a_later_level_always_beats_an_earlier_one(one, other):
    rewards = REWARD(*one), REWARD(*other)
    if None not in rewards and LEVELS.index(one[0]) < LEVELS.index(other[0]):
        assert rewards[0] < rewards[1]


@given(judged(), st.sampled_from(list(REWARDS)))
def test_a_reward_is_finite_in_its_band_or_not_known(case, name):
    reward = REWARDS[name](*case)
    assert reward is None or (isinstance(reward, float) and -1 <= reward <= 1)
    low, high = BANDS[case[0]]
    if name == "hierarchical" and reward is not None:
        assert low <= reward <= high


@given(judged(), st.sampled_from(list(REWARDS)), st.data())
def test_passing_one_more_item_never_costs(case, name, data):
    level, verdicts, rubric, gates = case
    place = data.draw(st.integers(0, len(verdicts) - 1))
    better = [v | {"passed": True} if n == place and v["passed"] is False else v for n, v in enumerate(verdicts)]
    before, after = REWARDS[name](*case), REWARDS[name](level, better, rubric, gates)
    if None not in (before, after):
        assert after >= before


def test_the_functional_score_by_hand():
    rubric = [item("a"), item("b", "important"), item("c", "optional")]
    verdicts = [verdict("a", False, 0.5), verdict("b", True), verdict("c", False)]
    assert functional_score(verdicts, rubric) == pytest.approx(0.8 * (1 - (0.5 + 0.3) / 1.9))
    assert REWARD("functional", verdicts, rubric, []) == pytest.approx(0.463158)
    assert REWARD("runtime", verdicts, rubric, []) == pytest.approx(-0.4 + 0.2 * 0.463158, abs=1e-6)


def test_a_failing_parent_fails_its_children_but_leaves_them_without_credit():
    rubric = [item("a"), item("b", parents=["a"]), item("c", parents=["b"]), item("d")]
    verdicts = [verdict("a", False), verdict("b", True), verdict("c", True), verdict("d", True)]
    assert holds(rubric, verdicts) == {"a": False, "b": False, "c": False, "d": True}
    assert creditable(rubric, verdicts) == {"a": False, "b": None, "c": None, "d": True}
    assert REWARD("functional", verdicts, rubric, []) == pytest.approx(0.8 * (1 - (1 + 0.5 + 0.5) / 4))


def test_an_unknown_parent_makes_its_children_unknown():
    rubric = [item("a", "optional"), item("b", "optional", ["a"]), *[item(f"e{n}") for n in range(3)]]
    verdicts = [verdict("a", None), verdict("b", True), *[verdict(f"e{n}", True) for n in range(3)]]
    assert holds(rubric, verdicts)["b"] is None
    assert creditable(rubric, verdicts)["b"] is None
    assert REWARD("functional", verdicts, rubric, []) == 1.0


def test_parents_in_a_circle_do_not_hang():
    rubric = [item("a", parents=["b"]), item("b", parents=["a", "a", "gone"])]
    assert holds(rubric, [verdict("a", True), verdict("b", True)]) == {"a": True, "b": True}
    assert holds(rubric, [verdict("a", True), verdict("b", False)]) == {"a": False, "b": False}


def test_what_rests_on_a_circle_rests_on_all_of_it():
    rubric = [item("a", parents=["b"]), item("b", parents=["c"]), item("c", parents=["a", "d"]), item("d")]
    rubric.append(item("e", parents=["a"]))
    known = dict.fromkeys("abcde", True)
    for other, value in (("c", False), ("c", None), ("d", False), ("d", None)):
        held = holds(rubric, [verdict(name, passed) for name, passed in (known | {other: value}).items()])
        assert held == dict.fromkeys("abce", value) | {"d": value if other == "d" else True}


def test_many_parents_cost_no_more_than_there_are():
    rubric = [item(f"r{n}", parents=[f"r{m}" for m in range(n)]) for n in range(60)]
    verdicts = [verdict(f"r{n}", n != 1) for n in range(60)]
    assert list(holds(rubric, verdicts).values()) == [True] + [False] * 59
    assert list(creditable(rubric, verdicts).values()) == [True, False] + [None] * 58
    assert REWARD("functional", verdicts, rubric, []) == pytest.approx(0.8 * (1 - (1 + 58 * 0.5) / 60))


@pytest.mark.parametrize("circle", [False, True])
def test_a_long_chain_of_parents_is_no_trouble(circle):
    rubric = [item(f"r{n}", parents=[f"r{n + 1}"] if n < 4999 else ["r0"] * circle) for n in range(5000)]
    passed = [verdict(f"r{n}", True) for n in range(5000)]
    assert all(holds(rubric, passed).values())
    assert not any(holds(rubric, [*passed[:-1], verdict("r4999", False)]).values())


def test_an_unknown_essential_item_makes_the_reward_unknown():
    rubric = [item("a"), *[item(f"b{n}") for n in range(9)]]
    verdicts = [verdict("a", None), *[verdict(f"b{n}", True) for n in range(9)]]
    assert REWARD("functional", verdicts, rubric, []) is None
    assert REWARDS["flat"]("functional", verdicts, rubric, []) is None


def test_more_than_a_quarter_of_the_weight_unknown_makes_the_reward_unknown():
    rubric = [item("a"), item("b", "optional"), item("c", "optional")]
    assert REWARD("functional", [verdict("a", True), verdict("b", None), verdict("c", True)], rubric, []) == 1.0
    assert REWARD("functional", [verdict("a", True), verdict("b", None)], rubric, []) is None  # 0.6 of 1.6


def test_at_the_runtime_level_what_was_not_tried_is_no_hole():
    assert REWARD("runtime", [verdict("a", None)], [item("a")], []) == -0.4


def test_an_unknown_gate_makes_every_reward_unknown():
    gates = [{"level": "runtime", "passed": None}]
    for reward in REWARDS.values():
        assert reward("functional", [verdict("a", True)], [item("a")], gates) is None


def test_a_gate_behind_a_failed_one_may_be_unknown():
    gates = [{"level": "source", "passed": False}, {"level": "runtime", "passed": None}]
    assert REWARD("source", [], [item("a")], gates) == -0.7


def test_progress_moves_inside_the_band():
    gates = [
        {"level": "format", "passed": True, "progress": 1.0},
        {"level": "source", "passed": False, "progress": 0.75},
    ]
    assert REWARD("source", [], [item("a")], gates) == -0.55
    assert REWARD("format", [], [item("a")], [{"level": "format", "passed": False}]) == -1.0
