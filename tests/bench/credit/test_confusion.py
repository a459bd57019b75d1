"""The table of where credit lands: by hand on a page of a few lines."""

import numpy as np
import pytest

from rcca_cli.align.places import Placed
from rcca_cli.bench.align import confusion
from rcca_cli.bench.align.confusion import Landed, outcomes
from rcca_cli.credit import Place
from tests.bench.credit.pages import page


def landed(alpha, one, item="a"):
    right = [(place.start, place.end) for place in one.own(item)]
    placed = Placed(Place(None if alpha is None else np.array(alpha), 0.8), None)
    return confusion.of(one, item, placed, right)


def test_mass_is_told_apart_by_the_true_place_its_scope_and_the_rest():
    one = page(wrong=["a/state"])
    found = landed([0.1, 0, 0, 0.6, 0.3, 0, 0], one)
    assert found.mass == pytest.approx({"right": 0.6, "scope": 0.3, "elsewhere": 0.1})
    assert (found.kind, found.place, found.confidence) == ("silent", "right", 0.8)


def test_what_is_left_out_counts_at_the_token_that_was_written_instead():
    found = landed([0, 0, 0, 0.5, 0, 0], page(left_out=["a/state"]))
    assert found.mass == pytest.approx({"right": 1.0, "scope": 0.0, "elsewhere": 0.0})


def test_what_was_placed_nowhere_is_nowhere():
    assert landed(None, page(wrong=["a/state"])).place == "none"


def test_outcomes_are_shares_with_the_means_of_their_own():
    right = Landed("silent", {"right": 0.8, "scope": 0.2, "elsewhere": 0.0}, 0.9)
    sure = Landed("silent", {"right": 1.0, "scope": 0.0, "elsewhere": 0.0}, 0.7)
    none = Landed("silent", dict.fromkeys(confusion.PARTS, 0.0), 0.0)
    assert outcomes([right, sure, none, none]) == [
        {"place": "right", "share": 0.5, "confidence": 0.8, "mass": {"right": 0.9, "scope": 0.1, "elsewhere": 0.0}},
        {"place": "none", "share": 0.5, "confidence": 0.0, "mass": dict.fromkeys(confusion.PARTS, 0.0)},
    ]
