"""The fit: its slope is that of its value, and it finds weights that were put in."""

import numpy as np
import pytest

from rcca_cli.bench.align import fit
from rcca_cli.credit import calibration
from rcca_cli.credit.fusion import Features
from rcca_cli.credit.unit_map import UnitMap
from rcca_cli.source import Unit


def seen(rng, size=12):
    units = UnitMap([Unit("statement", 10 * n, 10 * n + 9, 0, 1000, "") for n in range(size)])
    scores = {"lexical": rng.random(size), "spec": rng.random(size)}
    return Features(units, units.lengths, rng.choice([1.0, 0.6], size), np.zeros(size, bool), scores)


def choices(beta, count=250):
    """Failures whose fault is drawn with the probability that `beta` gives each unit."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(count):
        one = seen(rng)
        weight = one.lengths * np.exp(sum(beta.get(name, 0) * score for name, score in one.scores.items()))
        held = np.zeros(weight.size, bool)
        held[rng.choice(weight.size, p=weight / weight.sum())] = True
        found.append(fit.Choice("silent", one, held, 1.0))
    return found


def test_the_slope_is_that_of_the_value():
    (one,) = choices({"lexical": 2.0}, 1)
    columns, matrix, base = fit.table(one, {("silent", "lexical"): 0, ("silent", "spec"): 1})
    assert columns.tolist() == [0, 1]
    values = np.array([0.7, 0.2])
    value, slope = fit.likelihood(one, matrix, base, values)
    for place in range(2):
        step = np.eye(2)[place] * 1e-6
        assert (fit.likelihood(one, matrix, base, values + step)[0] - value) / 1e-6 == pytest.approx(
            slope[place], abs=1e-4
        )


def test_weights_go_from_those_in_use_to_those_that_were_put_in():
    used = calibration.BETA["silent"]["lexical"]
    less, more = (fit.weights(choices({"lexical": put}))["BETA"]["silent"] for put in (0.0, used + 3))
    assert less.get("lexical", 0.0) < used < more["lexical"]


def test_the_share_of_a_quote_is_how_often_it_is_right():
    rows = np.array([(7.0, 0.0, 1.0, 1.0), (3.0, 1.0, 0.0, 1.0)])  # weight, b, g, factor
    losses = {c: fit.mixture_loss(c, rows) for c in (0.5, 0.6, 0.7, 0.8, 0.9)}
    assert min(losses, key=losses.get) == 0.7


def test_a_trial_leaves_no_trace():
    before = calibration.MASK_POWER
    with fit.trial({"MASK_POWER": 9.0}):
        assert calibration.MASK_POWER == 9.0
    assert before == calibration.MASK_POWER
