import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.credit import Member, Options, Place, Verdict, advantages, calibration, token_advantages
from rcca_cli.credit.item import item_credit

NOWHERE = Place(None)


def on(token, size=4, confidence=None, absent=False):
    """All of the credit on one token."""
    alpha = np.zeros(size)
    alpha[token] = 1.0
    return Place(alpha, confidence, absent)


def everywhere(size=4):
    return Place(np.full(size, 1 / size))


def verdict(passed, place, weight=1.0, gamma=1.0):
    return Verdict(passed, weight, gamma, place)


def four(**given):
    """Two answers that pass and two that fail one item, whose credit is on the second of their four tokens."""
    passed, failed = {"r": verdict(True, on(1))}, {"r": verdict(False, on(1, confidence=0.5))}
    direct = np.array([False, True, False, False])
    context = np.array([False, False, True, False])
    marked = {"direct": direct, "context": context}
    return [
        Member(1.0, 4, passed, **marked, **given),
        Member(0.0, 4, failed, **marked, **given),
        Member(0.0, 4, failed, **marked, **given),
        Member(1.0, 4, passed, **marked, **given),
    ]


def test_the_worked_example():
    assert doctest.testmod(advantages).failed == 0


def test_uniform_is_the_sequence_advantage_on_every_token():
    credits = token_advantages(four(), Options(mode="uniform"))
    assert [credit.advantage for credit in credits] == [1, -1, -1, 1]
    assert credits[1].advantages.tolist() == [-1, -1, -1, -1]
    assert credits[1].weights.tolist() == [1, 1, 1, 1]


def test_paper_weighs_by_the_sign_of_the_sequence():
    above, below, *_ = token_advantages(four(), Options(mode="paper"))
    assert above.weights.tolist() == [1.2, 1, 1, 1.2]
    assert below.weights.tolist() == [1, 3, 1.5, 1]
    assert below.advantages.tolist() == [-1, -3, -1.5, -1]
    _, below, *_ = token_advantages(four(), Options(mode="paper", mean_one=True))
    assert below.weights.tolist() == pytest.approx([1 / 1.625, 3 / 1.625, 1.5 / 1.625, 1 / 1.625])


def test_rubric_puts_each_item_on_its_place():
    # A_r = ±2/3 (leave one out), c = 0.5, T̄·α = 4 on one token: L = ±4/3 there
    above, below, *_ = token_advantages(four(), Options(mode="rubric", sequence_share=0.8, eta=1.0))
    high = 0.8 + 0.2 * 4 / 3
    assert above.advantages.tolist() == pytest.approx([0.8, high, 0.8, 0.8])
    assert below.advantages.tolist() == pytest.approx([-0.8, -high, -0.8, -0.8])
    assert below.items == pytest.approx({"r": -2 / 3})
    assert below.weights.mean() == pytest.approx(1)
    assert below.weights[1] == pytest.approx(high / ((3 * 0.8 + high) / 4))


def test_a_passed_item_protects_its_code_in_a_bad_answer():
    bad = {"a": verdict(True, on(0)), "b": verdict(False, on(3, confidence=1.0))}
    good = {"a": verdict(False, on(0, confidence=1.0)), "b": verdict(True, on(3))}
    first, _ = token_advantages([Member(0.0, 4, bad), Member(1.0, 4, good)], Options(sequence_share=0.0, eta=1.0))
    assert first.advantages.tolist() == pytest.approx([2.0, 0, 0, -2.0])  # ω = 1/2, A = ±1, T̄·α = 4


def test_each_item_counts_by_its_weight():
    def both(a, b):
        return {"a": verdict(a, on(0, confidence=1.0), 1.0), "b": verdict(b, on(1, confidence=1.0), 0.3)}

    members = [Member(0.0, 4, both(False, False)), Member(1.0, 4, both(True, True))]
    first, _ = token_advantages(members, Options(sequence_share=0.0, eta=1.0))
    assert first.advantages[:2].tolist() == pytest.approx([-4 / 1.3, -4 * 0.3 / 1.3])


def test_the_larger_side_gives_way_when_the_cap_acts():
    passed, failed = (
        Member(1.0, 20, {"r": verdict(True, everywhere(20))}),
        Member(0.0, 20, {"r": verdict(False, on(3, 20, confidence=1.0))}),
    )
    (_, up), (_, down) = item_credit([passed, failed], "r", "items")
    assert down[3] == -calibration.KAPPA
    assert up.tolist() == pytest.approx([calibration.KAPPA / 20] * 20)


def test_sides_that_are_not_balanced_keep_what_the_cap_left_of_them():
    passed = Member(1.0, 20, {"r": verdict(True, everywhere(20))})
    failed = Member(0.0, 20, {"r": verdict(False, on(3, 20, confidence=1.0))})
    (_, up), (_, down) = item_credit([passed, failed], "r", "items", Options(balanced=False))
    assert (up[0], down[3]) == (pytest.approx(1.0), -calibration.KAPPA)


def test_a_higher_cap_lets_a_single_token_have_more_on_both_sides():
    passed = Member(1.0, 20, {"r": verdict(True, on(3, 20))})
    failed = Member(0.0, 20, {"r": verdict(False, on(3, 20, confidence=1.0))})
    for cap in (8.0, 12.0, 32.0):
        (_, up), (_, down) = item_credit([passed, failed], "r", "items", Options(cap=cap))
        assert (up[3], down[3]) == (pytest.approx(min(cap, 20)), pytest.approx(-min(cap, 20)))


def test_half_of_the_blame_is_half_of_it_after_balancing():
    members = [
        Member(1.0, 4, {"r": verdict(True, on(0))}),
        Member(0.0, 4, {"r": verdict(False, on(1, confidence=1.0))}),
    ]
    (_, up), (_, down) = item_credit(members, "r", "items", Options(blame=0.5))
    assert (up[0], down[1]) == (pytest.approx(4.0), pytest.approx(-2.0))


def test_one_trust_for_the_group_is_the_mean_of_the_failing_ones():
    passed = Member(1.0, 4, {"r": verdict(True, on(0))})
    failed = [Member(0.0, 4, {"r": verdict(False, on(0, confidence=c))}) for c in (0.2, 0.6)]
    parts = dict(item_credit([passed, *failed], "r", "items"))
    assert parts[0][0] == pytest.approx(0.4 * 1.0 * 4)
    assert parts[1][0] == parts[2][0] == pytest.approx(0.4 * -0.5 * 4)


def test_an_omission_left_out_on_purpose_does_not_cost_the_siblings():
    passed = Member(1.0, 4, {"r": verdict(True, on(0))})
    absent = Member(0.0, 4, {"r": verdict(False, Place(None, absent=True))})
    assert [index for index, _ in item_credit([passed, absent], "r", "items")] == [0]
    assert item_credit([passed, absent], "r", "items")[0][1][0] == pytest.approx(calibration.PASSED * 4)


def test_a_failure_that_could_not_be_placed_takes_the_praise_with_it():
    passed = Member(1.0, 4, {"r": verdict(True, on(0))})
    lost = Member(0.0, 4, {"r": verdict(False, NOWHERE)})
    assert item_credit([passed, lost], "r", "items")[0][1].tolist() == [0, 0, 0, 0]
    _, second = token_advantages([passed, lost], Options(sequence_share=0.5))
    assert second.advantages.tolist() == [-1, -1, -1, -1]  # all of its failures lack a place: the sequence's own


def test_presence_tokens_hold_more_than_others():
    passed = Member(1.0, 100, {"r": verdict(True, everywhere(100))})
    absent = Member(0.0, 100, {"r": verdict(False, on(7, 100, confidence=1.0, absent=True))})
    (_, up), (_, down) = item_credit([passed, absent], "r", "items")
    assert down[7] == -calibration.KAPPA_PRESENCE
    assert up.tolist() == pytest.approx([1.0] * 100)  # not scaled to the few tokens of the omission


def test_gates_are_a_channel_of_their_own():
    place = Place(0.5 * np.eye(4)[0] + 0.5 * np.full(4, 0.25))
    fails = Member(0.0, 4, gates={"gate:source": verdict(False, place)})
    passes = [Member(0.0, 4, gates={"gate:source": verdict(True, everywhere())}) for _ in range(3)]
    first, second, *_ = token_advantages([fails, *passes], Options())
    assert first.advantages.tolist() == pytest.approx([0.5 * -2.5, -0.25, -0.25, -0.25])
    assert second.advantages.tolist() == pytest.approx([0.5 / 3] * 4)


@pytest.mark.parametrize("mode", ["uniform", "paper", "rubric"])
def test_one_member_alone_has_nothing_to_be_compared_with(mode):
    (credit,) = token_advantages([Member(1.0, 3, {"r": verdict(True, everywhere(3))})], Options(mode=mode))
    assert credit.advantages.tolist() == [0, 0, 0]
    assert credit.weights.tolist() == [1, 1, 1]
    assert token_advantages([], Options(mode=mode)) == []


@pytest.mark.parametrize("mode", ["uniform", "paper", "rubric"])
def test_a_unanimous_group_learns_nothing(mode):
    members = [Member(0.7, 4, {"r": verdict(True, on(0))}) for _ in range(3)]
    for credit in token_advantages(members, Options(mode=mode)):
        assert credit.advantages.tolist() == [0] * 4
        assert credit.weights.tolist() == [1] * 4


def test_advantages_are_clipped():
    members = [
        Member(0.0, 4, {"r": verdict(False, on(0, confidence=1.0))}),
        Member(1.0, 4, {"r": verdict(True, on(0))}),
    ]
    credits = token_advantages(members, Options(sequence_share=0.0, eta=100.0))
    assert credits[0].advantages[0] == -5


@st.composite
def groups(draw):
    """Members of different lengths, with items in any state; every failure has a place and none is an omission."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    members = []
    for _ in range(draw(st.integers(2, 5))):
        size = draw(st.integers(1, 40))
        items = {}
        for name in draw(st.sets(st.sampled_from(["a", "b", "c"]))):
            parts = random.random(size) ** 4 + 1e-3
            items[name] = verdict(draw(st.booleans()), Place(parts / parts.sum(), random.random()), 0.6)
        members.append(Member(random.uniform(-1, 1), size, items))
    return members


@given(groups())
def test_the_credit_of_each_item_sums_to_zero_over_the_group(members):
    for name in ("a", "b", "c"):
        assert sum(part.sum() for _, part in item_credit(members, name, "items")) == pytest.approx(0, abs=1e-9)


@given(groups(), st.sampled_from(["uniform", "paper", "rubric"]), st.randoms())
def test_order_does_not_matter(members, mode, random):
    order = random.sample(range(len(members)), len(members))
    plain = token_advantages(members, Options(mode=mode))
    mixed = token_advantages([members[index] for index in order], Options(mode=mode))
    for place, index in enumerate(order):
        np.testing.assert_allclose(mixed[place].advantages, plain[index].advantages, atol=1e-9)


@given(groups(), st.sampled_from(["uniform", "paper", "rubric"]))
def test_credit_is_finite_and_one_a_token(members, mode):
    for member, credit in zip(members, token_advantages(members, Options(mode=mode)), strict=True):
        assert credit.advantages.shape == credit.weights.shape == (member.size,)
        assert np.isfinite(credit.advantages).all()
        assert (np.abs(credit.advantages) <= 5).all() or mode == "paper"
        assert (credit.weights >= 0).all()
        if mode == "uniform":
            assert (credit.weights == 1).all()
