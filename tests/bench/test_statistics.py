"""Intervals, against values worked out by hand or known from tables."""

import pytest

from rcca_cli.bench.statistics import mean, rate, share


def test_wilson_for_half_of_ten():
    # (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96, n = 10, p = 0.5
    found = share(5, 10)
    assert (found.value, found.n) == (0.5, 10)
    assert found.low == pytest.approx(0.2366, abs=1e-4)
    assert found.high == pytest.approx(0.7634, abs=1e-4)


def test_wilson_at_the_ends_stays_a_share_and_is_not_empty():
    assert share(0, 12).low == 0.0
    assert share(0, 12).high == pytest.approx(0.2425, abs=1e-4)
    assert share(12, 12).high == 1.0
    assert share(12, 12).low == pytest.approx(1 - 0.2425, abs=1e-4)


def test_nothing_known_is_not_zero():
    assert share(0, 0).value is None
    assert mean({"a": []}).value is None


def test_the_mean_is_over_apps_and_the_interval_draws_whole_tasks():
    found = mean({"a": [1.0, 1.0, 1.0], "b": [0.0]})
    assert (found.value, found.n) == (0.75, 4)
    # Two tasks: a draw is (a, a), (a, b), (b, a) or (b, b), so the interval reaches from 0 to 1.
    assert (found.low, found.high) == (0.0, 1.0)


def test_equal_tasks_leave_no_doubt_and_one_task_says_nothing_about_others():
    assert (mean({"a": [0.5], "b": [0.5]}).low, mean({"a": [0.5], "b": [0.5]}).high) == (0.5, 0.5)
    assert mean({"a": [0.2, 0.4]}).low is None


def test_the_same_values_give_the_same_interval():
    values = {name: [float(index % 3)] for index, name in enumerate("abcdefghij")}
    assert mean(values) == mean(values)


def test_one_answer_a_task_is_wilsons_several_are_a_bootstrap_over_tasks():
    assert rate({"a": [1.0], "b": [0.0], "c": [1.0]}) == share(2, 3)
    several = {"a": [1.0, 1.0], "b": [0.0, 0.0], "c": [1.0, 0.0]}
    assert rate(several) == mean(several)


def test_answers_that_are_all_alike_leave_as_much_in_doubt_as_there_are_tasks():
    found = rate({"a": [0.0, 0.0], "b": [0.0, 0.0]})
    assert (found.value, found.low, found.high, found.n) == (0.0, 0.0, share(0, 2).high, 4)
    assert rate({"a": [1.0, 1.0]}).low == share(1, 1).low
