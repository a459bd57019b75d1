"""Scores by hand."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.bench.align import metrics, truth
from rcca_cli.source import Unit


def test_a_score_by_hand():
    lengths = np.array([10.0, 10.0, 20.0, 60.0])
    mass = np.array([0.5, 0.3, 0.15, 0.05])
    held = np.array([False, True, False, False])
    found = metrics.score(lengths, mass, held, 0.7)
    assert found.top == {1: 0.0, 3: 1.0, 5: 1.0}
    assert (found.mass, found.share, found.hit) == (0.3, 0.1, 1.0)
    assert found.iou == 0.5  # the first two units have 80 %, one of them is it


def test_tied_units_come_in_random_order():
    mass = np.array([0.4, 0.2, 0.2, 0.2])
    held = np.array([False, False, True, False])
    assert metrics.top(mass, held, 1) == 0.0
    assert metrics.top(mass, held, 2) == pytest.approx(1 / 3)
    assert metrics.top(mass, held, 3) == pytest.approx(2 / 3)
    assert metrics.top(mass, held, 5) == 1.0


def test_what_nobody_blames_is_not_found():
    assert metrics.top(np.array([1.0, 0.0]), np.array([False, True]), 5) == 0.0


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=1, max_size=5), st.integers(1, 5), st.data())
def test_the_expected_rank_is_the_mean_over_all_orders(values, k, data):
    held = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    mass = np.array(values)
    orders = [order for order in permutations(range(len(values))) if all(np.diff(mass[list(order)]) <= 0)]
    expected = np.mean([held[list(order[:k])].any() for order in orders])
    assert metrics.top(mass, held, k) == pytest.approx(expected)


def test_calibration_by_hand():
    confidence, hit, weight = np.array([0.9, 0.9, 0.2]), np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.0, 2.0])
    # |0.9 - 0.5| of half the weight, |0.2 - 0| of the other half
    assert metrics.calibration_error(confidence, hit, weight) == pytest.approx(0.3)


def test_skill_is_measured_against_the_rate_of_each_kind():
    hit, weight = np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4)
    kinds = ["silent", "silent", "dead", "dead"]
    base = np.array([0.5, 0.5, 1.0, 1.0])
    assert metrics.brier_skill(base, hit, weight, kinds) == pytest.approx(0.0)
    assert metrics.brier_skill(hit, hit, weight, kinds) == pytest.approx(1.0)


def units(*places, scope=(0, 1000)):
    return [Unit("statement", start, end, *scope, "") for start, end in places]


def test_what_is_wrong_is_in_the_units_it_touches():
    assert truth.holding(units((0, 10), (12, 20), (22, 30)), [(15, 25)]).tolist() == [False, True, True]


def test_what_is_between_two_units_is_in_the_nearest():
    assert truth.holding(units((0, 10), (18, 30)), [(12, 13)]).tolist() == [True, False]


def test_what_was_left_out_of_a_large_scope_is_at_its_place():
    assert truth.holding(units((0, 10), (12, 20), (22, 30), (40, 50)), [(21, 21)]).tolist() == [
        False,
        True,
        True,
        False,
    ]


def test_what_was_left_out_of_a_function_is_in_the_function():
    inside = units((5, 10), (12, 20), scope=(4, 25))
    assert truth.holding([*units((0, 3)), *inside], [(11, 11)]).tolist() == [False, True, True]
