"""The signs and corners of the algorithm (docs/align.md), each as a law or a value worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.credit import Member, Options, Place, Verdict, calibration, token_advantages
from rcca_cli.credit.advantages import sequence_advantages
from rcca_cli.credit.item import item_advantages, item_credit

WEIGHTS = {"a": 1.0, "b": 0.6, "c": 0.3}
ALONE = Options(sequence_share=0.0, eta=1.0)  # the localised term by itself


def spot(token, size, confidence=None, absent=False, share=1.0):
    alpha = np.zeros(size)
    alpha[token] = share
    return Place(alpha, confidence, absent)


def held(place, weight=1.0, gamma=1.0):
    return Verdict(True, weight, gamma, place)


def broken(place, weight=1.0, gamma=1.0):
    return Verdict(False, weight, gamma, place)


# A_seq and A_ir -------------------------------------------------------------------------------------------------------


def test_a_group_of_nearly_equal_rewards_is_not_blown_up():
    assert sequence_advantages([0.50, 0.52]).tolist() == pytest.approx([-0.1, 0.1])  # σ = .01, taken as .1


def test_rewards_that_differ_by_rounding_alone_are_equal():
    assert sequence_advantages([0.1 + 0.2, 0.3]).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ([True, False, False, False], [1, -1 / 3, -1 / 3, -1 / 3]),  # rare success
        ([True, True, True, False], [1 / 3, 1 / 3, 1 / 3, -1]),  # rare failure
        ([True, False], [1, -1]),
        ([True, True], [0, 0]),
        ([False], [0]),  # nothing to compare with
    ],
)
def test_the_others_are_the_baseline(passed, expected):
    place = spot(0, 2, 1.0)
    members = [{"r": held(place) if one else broken(place)} for one in passed]
    assert [row["r"] for row in item_advantages(members)] == pytest.approx(expected)


def test_members_without_a_verdict_are_no_part_of_an_item_s_group():
    """γ is the mean of those that have one: (1 + .5 + .6) / 3 = .7; the baseline is of the two others."""
    members = [
        {"r": held(spot(0, 2), gamma=1.0)},
        {"r": broken(spot(0, 2), gamma=0.5)},
        {},
        {"r": broken(spot(0, 2), gamma=0.6)},
    ]
    rows = item_advantages(members)
    assert rows[2] == {}
    assert [row["r"] for row in rows if row] == pytest.approx([0.7, -0.35, -0.35])


# The sign table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("above", [True, False])
def test_the_sign_table(above):
    """Span of a failed item, of a passed one (others failed it), of one that all pass, and code of no item.

    λ = .5, η = 1, c = 1, ω = 1/3, T̄·α = 3 of at most 4 tokens: L = ±1 on a span.
    """
    one = {"failed": broken(spot(0, 4, 1.0)), "passed": held(spot(1, 4)), "all": held(spot(2, 4))}
    other = {"failed": held(spot(0, 4)), "passed": broken(spot(1, 4, 1.0)), "all": held(spot(2, 4))}
    members = [Member(float(above), 4, one), Member(float(not above), 4, other)]
    found = token_advantages(members, Options(sequence_share=0.5, eta=1.0))[0].advantages
    sequence = 0.5 if above else -0.5
    on_a_span = 0.5 * 4 / 3  # (1 − λ)·ω·T̄·α
    assert found.tolist() == pytest.approx([sequence - on_a_span, sequence + on_a_span, sequence, sequence])
    if above:
        assert found[0] < found[3] < found[1]  # reinforced less (here reversed), and reinforced most
    else:
        assert found[0] < found[3] < 0 < found[1]  # pushed down hardest, and protected


@pytest.mark.parametrize(("reward", "expected"), [(1.0, [1.0, 1.0, 1.2]), (0.0, [-3.0, -1.5, -1.0])])
def test_the_sign_rule_of_the_paper(reward, expected):
    direct, context = np.array([True, False, False]), np.array([False, True, False])
    members = [Member(reward, 3, direct=direct, context=context), Member(1 - reward, 3)]
    assert token_advantages(members, Options("paper"))[0].advantages.tolist() == pytest.approx(expected)
    mean = token_advantages(members, Options("paper", mean_one=True))[0]
    assert mean.weights.mean() == pytest.approx(1)
    assert (mean.advantages / mean.advantages[0]).tolist() == pytest.approx([e / expected[0] for e in expected])


def test_the_paper_weighs_an_average_answer_by_one():
    members = [Member(0.5, 2, direct=np.array([True, False])), Member(0.5, 2)]
    credit = token_advantages(members, Options("paper"))[0]
    assert (credit.weights.tolist(), credit.advantages.tolist()) == ([1, 1], [0, 0])


# Mass -----------------------------------------------------------------------------------------------------------------


@st.composite
def spread_out(draw):
    """Groups in which no token holds much, so that the cap does not act, and everything has a place."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    members = []
    for _ in range(draw(st.integers(2, 5))):
        size = draw(st.integers(20, 40))
        items = {}
        for name in "abc":
            alpha = random.uniform(0.5, 1.0, size)
            place = Place(alpha / alpha.sum(), random.random())
            items[name] = Verdict(bool(draw(st.booleans())), WEIGHTS[name], 1.0, place)
        members.append(Member(random.uniform(0, 1), size, items))
    return members


@given(spread_out())
def test_the_mass_of_an_item_is_its_advantage(members):
    """Σ_t of an item's credit in one answer is T̄·c·A where the cap does not act: nothing is lost, nothing doubled."""
    mean_size = np.mean([member.size for member in members])
    for name in "abc":
        advantages = [row[name] for row in item_advantages([member.items for member in members])]
        trust = [m.items[name].place.confidence for m in members if not m.items[name].passed]
        for index, part in item_credit(members, name, "items"):
            assert part.sum() == pytest.approx(mean_size * np.mean(trust) * advantages[index])


@given(spread_out())
def test_the_localised_term_of_a_group_sums_to_zero(members):
    credits = token_advantages(members, Options(sequence_share=0.0, eta=0.01))  # too small to be clipped
    assert sum(credit.advantages.sum() for credit in credits) == pytest.approx(0, abs=1e-9)


def test_no_token_holds_more_than_the_cap():
    one = Member(0.0, 1000, {"r": broken(spot(3, 1000, 1.0))})
    other = Member(1.0, 1000, {"r": held(spot(3, 1000))})
    first, _ = token_advantages([one, other], ALONE)
    assert first.advantages[3] == -min(calibration.KAPPA, calibration.CLIP)
    assert np.count_nonzero(first.advantages) == 1  # what the cap cuts is dropped, not spread


def test_what_the_cap_cuts_of_one_side_the_other_gives_up():
    """The failing side keeps κ = 8 of 100; the passing one is spread and would keep 100: it is scaled to 8 in all."""
    size = 100
    members = [
        Member(0.0, size, {"r": broken(spot(0, size, 1.0))}),
        Member(1.0, size, {"r": held(Place(np.full(size, 1 / size)))}),
    ]
    (_, down), (_, up) = item_credit(members, "r", "items")
    assert down.sum() == -calibration.KAPPA
    assert up.sum() == pytest.approx(calibration.KAPPA)


# Axes -----------------------------------------------------------------------------------------------------------------


def test_each_item_lands_on_its_own_tokens_whatever_the_numbers_of_answers_items_and_tokens():
    """Three answers of 5, 6 and 7 tokens, four items: item k of answer i fails iff k == i, and is on token k of it.

    T̄ = 6, ω = 1/4, c = 1. Items 0–2 fail in one answer of three: A = −1 there, +1/2 in the others; item 3 in none.
    """
    sizes = [5, 6, 7]
    members = [
        Member(0.5, size, {f"r{k}": broken(spot(k, size, 1.0)) if k == i else held(spot(k, size)) for k in range(4)})
        for i, size in enumerate(sizes)
    ]
    credits = token_advantages(members, ALONE)
    for i, (size, credit) in enumerate(zip(sizes, credits, strict=True)):
        expected = [-1.5 if k == i else 0.75 if k < 3 else 0.0 for k in range(size)]
        assert credit.advantages.tolist() == pytest.approx(expected)
        assert credit.items == pytest.approx({f"r{k}": -1.0 if k == i else 0.5 if k < 3 else 0.0 for k in range(4)})


@given(spread_out(), st.permutations("abc"))
def test_names_and_order_of_the_items_do_not_matter(members, names):
    renamed = dict(zip("abc", names, strict=True))
    others = [
        Member(m.reward, m.size, dict(sorted((renamed[name], verdict) for name, verdict in m.items.items())))
        for m in members
    ]
    for one, other in zip(token_advantages(members, Options()), token_advantages(others, Options()), strict=True):
        np.testing.assert_allclose(one.advantages, other.advantages, atol=1e-9)


# Places that are lost, or left out on purpose -------------------------------------------------------------------------


def test_an_answer_that_lost_most_of_its_places_keeps_its_own_advantage():
    lost, found = broken(Place(None), 1.0), broken(spot(0, 4, 1.0), 0.6)
    others = {"a": held(spot(0, 4), 1.0), "b": held(spot(0, 4), 0.6)}
    first, _ = token_advantages([Member(0.0, 4, {"a": lost, "b": found}), Member(1.0, 4, others)], ALONE)
    assert first.advantages.tolist() == [-1, -1, -1, -1]  # λ = 1: 1.0 of 1.6 is lost
    lighter = {"a": broken(Place(None), 0.6), "b": broken(spot(0, 4, 1.0), 1.0)}
    first, _ = token_advantages([Member(0.0, 4, lighter), Member(1.0, 4, others)], ALONE)
    assert first.advantages[3] == 0  # 0.6 of 1.6 is not most of it


def test_an_omission_left_out_on_purpose_does_not_count_as_lost():
    absent = {"a": broken(Place(None, absent=True))}
    first, _ = token_advantages([Member(0.0, 4, absent), Member(1.0, 4, {"a": held(spot(0, 4))})], ALONE)
    assert first.advantages.tolist() == [0, 0, 0, 0]  # never broadcast


def test_an_anchor_holds_half_and_the_praise_is_not_halved():
    """Σ α = .5 on the anchor; c = .5 for the group; T̄ = 4."""
    members = [
        Member(0.0, 4, {"a": broken(spot(2, 4, calibration.ABSENT, absent=True, share=calibration.ANCHOR))}),
        Member(1.0, 4, {"a": held(spot(0, 4))}),
    ]
    (_, down), (_, up) = item_credit(members, "a", "items")
    assert down.sum() == pytest.approx(-4 * 0.5 * 0.5)
    assert up.sum() == pytest.approx(4 * 0.5)


def test_an_omission_is_not_blamed_for_more_than_the_others_are_praised_for():
    """1000 tokens: its one token may hold κ = 20, the passing one's holds 8."""
    members = [
        Member(0.0, 1000, {"a": broken(spot(9, 1000, 1.0, absent=True))}),
        Member(1.0, 1000, {"a": held(spot(3, 1000))}),
    ]
    (_, down), (_, up) = item_credit(members, "a", "items")
    assert up.sum() == pytest.approx(calibration.KAPPA)
    assert down.sum() == pytest.approx(-calibration.KAPPA)


@st.composite
def some_omitted(draw):
    """Answers to one task of any lengths, some of which lack the feature, or fail it without a place."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    members = []
    for kind in draw(
        st.lists(st.sampled_from(["passed", "failed", "lost", "anchored", "omitted"]), min_size=2, max_size=6)
    ):
        size = draw(st.sampled_from([1, 3, 40, 1000]))
        alpha = random.random(size) ** draw(st.sampled_from([0, 1, 30]))
        place = Place(alpha / alpha.sum(), None if kind == "passed" else 0.7)
        if kind == "anchored":
            place = spot(0, size, 0.7, absent=True, share=draw(st.sampled_from([0.5, 1.0])))
        elif kind in ("lost", "omitted"):
            place = Place(None, absent=kind == "omitted")
        members.append(Member(random.random(), size, {"a": Verdict(kind == "passed", 1.0, 1.0, place)}))
    return members


@given(some_omitted())
def test_blame_and_praise_are_equal_but_for_what_is_left_out_on_purpose(members):
    total = sum(part.sum() for _, part in item_credit(members, "a", "items"))
    if any(member.items["a"].place.absent for member in members):
        assert total > -1e-6
    else:
        assert total == pytest.approx(0, abs=1e-6)


# Gates ----------------------------------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), min_size=2, max_size=6), st.integers(0, 2**32))
def test_the_credit_of_a_gate_sums_to_zero_and_is_never_dropped(passed, seed):
    random = np.random.default_rng(seed)
    members = []
    for one in passed:
        size = int(random.integers(3, 30))
        everywhere = np.full(size, 1 / size)
        alpha = everywhere if one else 0.5 * everywhere + 0.5 * np.eye(size)[0]
        members.append(Member(float(one), size, gates={"gate:source": Verdict(one, 1.0, 1.0, Place(alpha))}))
    parts = dict(item_credit(members, "gate:source", "gates"))
    assert sum(part.sum() for part in parts.values()) == pytest.approx(0, abs=1e-9)
    mixed = len(set(passed)) == 2
    assert set(parts) == (set(range(len(passed))) if mixed else set())


def test_a_gate_counts_beside_the_share_of_the_sequence():
    """A = λ·A_seq + μ·L: the gates' channel is not scaled by (1 − λ), by η or by any confidence."""
    everywhere = Place(np.full(4, 0.25))
    members = [Member(r, 4, gates={"gate:run": Verdict(bool(r), 1.0, 1.0, everywhere)}) for r in (0.0, 1.0)]
    first, second = token_advantages(members, Options(sequence_share=1.0, eta=0.0))
    assert first.advantages.tolist() == pytest.approx([-1 - calibration.MU] * 4)
    assert second.advantages.tolist() == pytest.approx([1 + calibration.MU] * 4)
