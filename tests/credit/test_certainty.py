"""c: what it depends on, and that it is a probability."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.credit import calibration, certainty


def test_the_signs_of_an_attribution():
    mass = np.array([0.5, 0.3, 0.15, 0.05])
    assert certainty.features(mass, {"stack", "lexical"}, 0.0, None, mass) == {
        "heaviest": 0.5,
        "many": pytest.approx(math.log(2)),  # the first two hold 80 %
        "stack": 1.0,
    }


def test_a_quote_agrees_with_the_rest_as_far_as_its_best_unit_does():
    without = np.array([0.6, 0.3, 0.1])
    g = np.array([0.0, 1.0, 0.0])
    found = certainty.features(0.7 * g + 0.3 * without, set(), 0.7, g, without)
    assert found["quoted"] == 0.7
    assert found["agreed"] == pytest.approx(math.log(0.5))


@given(
    st.sampled_from(sorted(calibration.BETA)),
    st.floats(0.001, 1),
    st.floats(0, 8),
    st.sets(st.sampled_from(["stack", "sibling", "omission"])),
)
def test_c_is_a_probability(kind, heaviest, many, pointers):
    found = certainty.confidence(kind, {"heaviest": heaviest, "many": many} | dict.fromkeys(pointers, 1.0))
    assert 0 < found < 1
