"""Where the credit of a group goes, each cause alone and then together, worked out by hand; and laws of the sums."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.credit import Member, Options, Place, Verdict, calibration, signal, token_advantages
from rcca_cli.credit.advantages import terms

ALONE = Options(sequence_share=0.0, eta=1.0)  # the items' term by itself


def on(token, size=4, confidence=None, absent=False):
    alpha = np.zeros(size)
    alpha[token] = 1.0
    return Place(alpha, confidence, absent)


def everywhere(size=4, confidence=None):
    return Place(np.full(size, 1 / size), confidence)


def held(place, weight=1.0):
    return Verdict(True, weight, 1.0, place)


def broken(place, weight=1.0):
    return Verdict(False, weight, 1.0, place)


NOWHERE = Place(None)
DROPPED = Place(None, absent=True)


def pair(up, down, size=4):
    """One answer that holds items and one that does not, by name or all as `r`; of two, A = ±1."""
    up, down = (one if isinstance(one, dict) else {"r": one} for one in (up, down))
    return [Member(1.0, size, up), Member(0.0, size, down)]


def mass(members, options=ALONE, item="r"):
    """Praise and blame of an item, without what is 0."""
    found = signal.item_masses(members, options)[item]
    return tuple(
        {name: pytest.approx(value) for name, value in asdict(found[sign]).items() if abs(value) > 1e-9}
        for sign in signal.SIGNS
    )


# Mass: due is 4 tokens, as ω = 1 and A = 1 --------------------------------------------------------------------------


def test_all_is_given_where_nothing_is_in_the_way():
    members = pair(held(everywhere()), broken(everywhere(confidence=1.0)))
    assert mass(members) == ({"due": 4, "given": 4}, {"due": 4, "given": 4})


def test_the_share_of_the_items_and_their_scale_are_in_the_mass():
    members = pair(held(everywhere()), broken(everywhere(confidence=1.0)))
    praise, _ = mass(members, Options(sequence_share=0.75, eta=2.0))  # (1 − .75)·2 = .5
    assert praise == {"due": 2, "given": 2}


def test_what_is_unsure_is_held_back_on_both_sides():
    members = pair(held(everywhere()), broken(everywhere(confidence=0.25)))
    assert mass(members) == ({"due": 4, "doubt": 3, "given": 1},) * 2


def test_the_cap_cuts_what_one_token_cannot_hold():
    members = pair(held(on(0, 20)), broken(on(0, 20, 1.0)), 20)
    assert mass(members) == ({"due": 20, "capped": 12, "given": 8},) * 2


def test_the_larger_side_is_scaled_down_to_the_capped_one():
    members = pair(held(everywhere(20)), broken(on(0, 20, 1.0)), 20)
    praise, blame = mass(members)
    assert praise == {"due": 20, "balanced": 12, "given": 8}
    assert blame == {"due": 20, "capped": 12, "given": 8}


def test_blame_without_a_place_takes_the_praise_with_it():
    """c of passes alone is .3: of 4, 2.8 are held back and what is left has no blame to stand against."""
    assert calibration.PASSED == 0.3
    praise, blame = mass(pair(held(everywhere()), broken(NOWHERE)))
    assert praise == {"due": 4, "doubt": 2.8, "balanced": 1.2}
    assert blame == {"due": 4, "unmatched": 4}


def test_an_omission_that_is_dropped_leaves_the_praise():
    praise, blame = mass(pair(held(everywhere()), broken(DROPPED)))
    assert praise == {"due": 4, "doubt": 2.8, "given": 1.2}
    assert blame == {"due": 4, "left_out": 4}


def test_half_of_an_omission_s_blame_on_an_anchor_is_left_out():
    anchor = Place(np.array([0.5, 0, 0, 0]), 1.0, absent=True)
    _, blame = mass(pair(held(everywhere()), broken(anchor)))
    assert blame == {"due": 4, "left_out": 2, "given": 2}


def test_an_answer_that_lost_its_places_gives_nothing_of_what_it_has():
    """a weighs 2 of 3 and has no place, so that b, of weight 1, counts in the other answer alone."""
    up = {"a": held(everywhere(), 2.0), "b": held(everywhere())}
    down = {"a": broken(NOWHERE, 2.0), "b": broken(everywhere(confidence=1.0))}
    members = pair(up, down)
    third = pytest.approx(4 / 3)
    assert mass(members, item="b") == ({"due": third, "given": third}, {"due": third, "lost": third})
    assert mass(members, item="a")[1] == {"due": 8 / 3, "unmatched": 8 / 3}


def test_items_of_opposite_sign_cancel_where_they_meet():
    """ω = 1/2. In the first answer a is +2 and b −2 on token 0; in the second a is −2 there, b +½ on each token."""
    first = {"a": held(on(0)), "b": broken(on(0, confidence=1.0))}
    second = {"a": broken(on(0, confidence=1.0)), "b": held(everywhere())}
    members = [Member(0.0, 4, first), Member(0.0, 4, second)]
    assert mass(members, item="a") == ({"due": 2, "given": 2, "cancelled": 2}, {"due": 2, "given": 2, "cancelled": 0.5})
    assert mass(members, item="b") == ({"due": 2, "given": 2, "cancelled": 0.5}, {"due": 2, "given": 2, "cancelled": 2})


def test_two_praises_share_what_one_blame_cancels():
    """Of three items one fails: ω = 1/3, each 4/3 on token 0. Blame of 4/3 takes 2/3 from each praise."""
    first = {"a": held(on(0)), "b": held(on(0)), "c": broken(on(0, confidence=1.0))}
    second = {"a": broken(on(1, confidence=1.0)), "b": broken(on(2, confidence=1.0)), "c": held(on(3))}
    found = signal.item_masses([Member(0.0, 4, first), Member(0.0, 4, second)], ALONE)
    assert [found[name]["praise"].cancelled for name in "abc"] == pytest.approx([2 / 3, 2 / 3, 0])
    assert [found[name]["blame"].cancelled for name in "abc"] == pytest.approx([0, 0, 4 / 3])


def test_what_the_clip_takes_is_counted_by_sign():
    members = pair(held(on(0, 8)), broken(on(0, 8, 1.0)), 8)  # ±8 on one token of each, and the clip is at 5
    assert signal.clipped(members, ALONE) == {"praise": 3, "blame": 3}
    assert signal.clipped(members, Options(sequence_share=1.0)) == {"praise": 0, "blame": 0}


def test_gates_have_masses_of_their_own():
    """μ = .5, T̄ = 20: the failing page is blamed half on token 0, where the cap leaves 8 of 10.5, and half around."""
    half = Place(np.full(20, 0.025) + np.eye(20)[0] * 0.5, None)
    gates = [{"gate:source": held(everywhere(20))}, {"gate:source": broken(half)}]
    members = [Member(float(1 - n), 20, gates=each) for n, each in enumerate(gates)]
    found = signal.gate_masses(members, ALONE)["gate:source"]
    assert found["blame"].capped == pytest.approx(0.5 * 2.5)
    assert found["praise"].balanced == pytest.approx(0.5 * 2.5)
    assert found["praise"].given == found["blame"].given == pytest.approx(0.5 * 17.5)


# What becomes of verdicts ---------------------------------------------------------------------------------------------


def counts(members, item="r"):
    found = signal.ends(members)[item]
    return found.contrast, dict(found.passed), dict(found.failed)


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        (pair(held(NOWHERE), held(NOWHERE)), ("all_pass", {"same": 2}, {})),
        (pair(broken(NOWHERE), broken(NOWHERE)), ("all_fail", {}, {"same": 2})),
        (pair({"r": held(NOWHERE)}, {}), ("alone", {"alone": 1}, {})),
        (pair(held(on(0)), broken(on(0))), ("contrast", {"placed": 1}, {"placed": 1})),
        (pair(held(NOWHERE), broken(NOWHERE)), ("contrast", {"unmatched": 1}, {"unmatched": 1})),
        (pair(held(on(0)), broken(DROPPED)), ("contrast", {"placed": 1}, {"left_out": 1})),
    ],
)
def test_each_verdict_comes_to_one_end(members, expected):
    assert counts(members) == expected


def test_an_answer_that_lost_its_places_takes_its_placed_verdicts_along():
    up = {"a": held(on(0), 2.0), "b": held(on(0))}
    down = {"a": broken(NOWHERE, 2.0), "b": broken(on(0))}
    assert counts(pair(up, down), "b") == ("contrast", {"placed": 1}, {"lost": 1})


# Laws -----------------------------------------------------------------------------------------------------------------


@st.composite
def groups(draw):
    """Groups of answers to a rubric of three, with verdicts and places of every kind."""
    members = []
    for _ in range(draw(st.integers(1, 5))):
        size = draw(st.integers(1, 12))
        items = {}
        for name, weight in {"a": 1.0, "b": 0.6, "c": 0.3}.items():
            passed = draw(st.sampled_from([True, False, None]))
            if passed is None:
                continue
            absent = not passed and draw(st.booleans())
            token = draw(st.integers(-2, size - 1))
            alpha = None if token == -2 else np.full(size, 1 / size) if token == -1 else np.eye(size)[token]
            confidence = None if passed else draw(st.sampled_from([0.3, 1.0]))
            items[name] = Verdict(passed, weight, draw(st.sampled_from([0.5, 1.0])), Place(alpha, confidence, absent))
        members.append(Member(draw(st.sampled_from([0.0, 0.5, 1.0])), size, items))
    return members


@given(groups(), st.sampled_from([0.0, 0.3, 0.8, 1.0]))
def test_what_is_due_is_the_sum_of_what_becomes_of_it(members, share):
    for signs in signal.item_masses(members, Options(sequence_share=share)).values():
        for found in signs.values():
            parts = asdict(found)
            due, cancelled = parts.pop("due"), parts.pop("cancelled")
            assert due == pytest.approx(sum(parts.values()), abs=1e-9)
            assert min(parts.values()) >= -1e-9
            assert -1e-9 <= cancelled <= parts["given"] + 1e-9


@given(groups())
def test_what_is_given_less_what_is_cancelled_is_the_size_of_the_items_term(members):
    found = signal.item_masses(members, ALONE)
    given = sum(mass.given for signs in found.values() for mass in signs.values())
    cancelled = {sign: sum(signs[sign].cancelled for signs in found.values()) for sign in signal.SIGNS}
    assert cancelled["praise"] == pytest.approx(cancelled["blame"], abs=1e-9)
    sizes = sum(float(np.abs(each.items).sum()) for each in terms(members, ALONE))
    assert given - sum(cancelled.values()) == pytest.approx(sizes, abs=1e-9)


@given(groups())
def test_every_known_verdict_comes_to_exactly_one_end(members):
    for name, found in signal.ends(members).items():
        for passed, ended in ((True, found.passed), (False, found.failed)):
            have = [member.items[name].passed is passed for member in members if name in member.items]
            assert ended.total() == sum(have)


@given(groups(), st.sampled_from([0.0, 0.3, 0.8, 1.0]))
def test_the_share_of_the_sequence_is_found_in_the_advantages(members, share):
    options = Options(sequence_share=share)
    written = [np.round(credit.advantages, 6) for credit in token_advantages(members, options)]
    found = signal.sequence_share(members, written)
    assert signal.is_same(members, written, options if found is None else Options(sequence_share=found))
    assert found is None or found == pytest.approx(share, abs=1e-3)


def test_other_advantages_are_not_taken_for_these():
    members = pair(held(on(0)), broken(on(0, confidence=1.0)))
    written = [credit.advantages for credit in token_advantages(members, Options())]
    assert signal.is_same(members, written, Options())
    assert not signal.is_same(members, [written[0], written[1] * 1.01], Options())
    assert not signal.is_same(members, [written[0], written[1][:3]], Options())
