"""What an evaluator's references come to, worked out by hand over three statements of the same length."""

import numpy as np
import pytest

from rcca_cli.credit import Mark, UnitMap, calibration, fuse, quoted
from rcca_cli.source import Unit

# The first two are in one function, the third is in another.
UNITS = UnitMap(
    [
        Unit("statement", 0, 10, 0, 20, ""),
        Unit("statement", 10, 20, 0, 20, ""),
        Unit("statement", 20, 30, 20, 30, ""),
    ]
)


def quote(start, end, score=1.0, of=0):
    return Mark(start, end, "quote", score, "quote", of)


def ran(start, end, score):
    return Mark(start, end, "mask", score, "coverage")


def shares(*marks, kind="silent"):
    return fuse(UNITS, marks, kind).mass.tolist()


def test_a_quote_holds_its_trust_and_the_rest_goes_by_evidence():
    trust = calibration.QUOTE["silent"]
    rest = (1 - trust) / 3
    assert shares(quote(0, 10)) == pytest.approx([trust + rest, rest, rest])


def test_a_passed_item_has_no_quotes():
    assert shares(quote(0, 10), kind="passed") == pytest.approx([1 / 3] * 3)


def test_the_places_of_one_reference_share_what_it_is_worth():
    trust = 0.5 * calibration.QUOTE["silent"]
    rest = (1 - trust) / 3
    assert shares(quote(0, 10, 0.5), quote(20, 30, 0.5)) == pytest.approx([trust / 2 + rest, rest, trust / 2 + rest])


def test_of_ambiguous_places_the_likelier_has_more():
    """m is 1 and .6, squared 1 and .36: their parts are as 1 + .3 to .36 + .3."""
    found = quoted.places(UNITS, [quote(0, 10), quote(20, 30)], np.array([1.3, 1.0, 0.66]))
    assert [quality for quality, _ in found] == [1.0]
    assert found[0][1].tolist() == pytest.approx([1.3 / 1.96, 0, 0.66 / 1.96])
    mass = shares(quote(0, 10), quote(20, 30), ran(0, 20, 1.0), ran(20, 30, 0.6))
    trust = calibration.QUOTE["silent"]
    b = np.array([1, 1, 0.36]) / 2.36
    assert mass == pytest.approx((trust * found[0][1] + (1 - trust) * b).tolist())


def test_the_surest_of_several_references_counts_most():
    """Qualities 1 and .6: the places of the second have .36 of 1.36 of what is quoted."""
    trust = calibration.QUOTE["silent"]
    rest = (1 - trust) / 3
    mass = shares(quote(0, 10, 1.0, of=0), quote(20, 30, 0.6, of=1))
    assert mass == pytest.approx([trust / 1.36 + rest, rest, trust * 0.36 / 1.36 + rest])


@pytest.mark.parametrize(("kind", "factor"), [("silent", 1 / 3), ("exception", 1 / 3), ("dead", 1.0), ("visual", 1.0)])
def test_code_that_never_ran_is_believed_a_third(kind, factor):
    marks = [quote(20, 30), ran(0, 20, 1.0), ran(20, 30, 0.15)]
    (trust,) = quoted.trust(UNITS, marks, quoted.places(UNITS, marks[:1], np.ones(3)), kind)
    assert trust == pytest.approx(calibration.QUOTE[kind] * factor)


def test_each_reference_is_believed_by_its_own_code():
    marks = [quote(0, 10, of=0), quote(20, 30, of=1), ran(0, 20, 1.0), ran(20, 30, 0.15)]
    trust = quoted.trust(UNITS, marks, quoted.places(UNITS, marks[:2], np.ones(3)), "silent")
    assert trust == pytest.approx([calibration.QUOTE["silent"], calibration.QUOTE["silent"] / 3])


def test_under_an_exception_a_quote_in_the_function_of_a_frame_is_believed_more():
    frame = Mark(10, 14, "stack", 1.0, "stack")
    for place, expected in (((0, 10), calibration.QUOTE_AT_FRAME), ((20, 30), calibration.QUOTE["exception"])):
        marks = [quote(*place), frame]
        assert quoted.trust(UNITS, marks, quoted.places(UNITS, marks[:1], np.ones(3)), "exception") == [expected]


def test_a_reference_to_no_unit_is_none():
    assert quoted.places(UNITS, [quote(500, 510)], np.ones(3)) == []
    assert shares(quote(500, 510)) == pytest.approx([1 / 3] * 3)
