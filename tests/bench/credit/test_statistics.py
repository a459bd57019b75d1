"""Areas, marks, tests and power of `bench credit`, by hand or against tables."""

import doctest
from itertools import product

import numpy as np
import pytest

from rcca_cli.bench.credit import statistics
from rcca_cli.bench.credit.statistics import Reached, flips, paired, ratio, reached, seeds_needed


def test_the_examples_hold():
    assert doctest.testmod(statistics).failed == 0


def test_a_paired_difference_by_hand():
    # mean 3, sd sqrt(2.5), t = 3 / (1.5811 / sqrt 5) = 4.2426; t(0.975, 4) = 2.7764
    found = paired([1, 2, 3, 4, 5])
    assert found.mean == 3
    assert found.sd == pytest.approx(1.5811, abs=1e-4)
    assert (found.low, found.high) == (pytest.approx(3 - 2.7764 * 0.70711, abs=1e-3), pytest.approx(4.9632, abs=1e-3))
    assert found.p_t == pytest.approx(0.01324, abs=1e-4)
    assert found.p_flip == 2 / 32  # all signs the same


def test_more_designs_make_the_interval_wider():
    # t(1 - 0.05/4/2, 4) = t(0.99375, 4) = 4.3147
    found = paired([1, 2, 3, 4, 5], designs=4)
    assert found.high - found.mean == pytest.approx(4.3147 * 0.70711, abs=2e-3)


def test_one_seed_has_no_interval():
    assert paired([0.1]).low is None
    assert paired([0.1]).p_flip == 1.0


def test_the_sign_flip_test_is_the_count_over_all_signs():
    values = np.random.default_rng(3).normal(0.4, 1, 9)
    means = [abs(np.dot(signs, values)) for signs in product((1, -1), repeat=9)]
    assert flips(values) == np.mean(np.array(means) >= abs(values.sum()) - 1e-12)


def test_a_mark_is_reached_on_the_line_between_two_points():
    curve = [(0, 0.4), (320, 0.5), (640, 0.7), (960, 0.6)]
    assert reached(curve, 0.6) == Reached(480, False)
    assert reached(curve, 0.8) == Reached(960, True)
    assert reached(curve, 0.3) == Reached(0, False)


def test_a_censored_run_makes_its_ratio_a_bound():
    known, never = Reached(100, False), Reached(400, True)
    found = ratio([known, known], [never, Reached(200, False)])
    assert (found.low, found.bounded) == (None, {"at least": 0, "at most": 1, "neither": 0})
    assert found.high is not None
    found = ratio([never, known], [known, never])
    assert (found.low, found.high) == (None, None)
    assert ratio([never], [never]).n == 0


def test_power_is_that_of_the_tables():
    # d = 0.5: 34 pairs, d = 0.8: 15 pairs, d = 1: 10 pairs for 80 % at 5 % two-sided (Cohen's tables, exact t)
    assert [seeds_needed(1.0, difference) for difference in (0.5, 0.8, 1.0)] == [34, 15, 10]
    assert seeds_needed(0.0) == 2
