"""Where the arms put the credit for an item."""

import numpy as np
import pytest

from rcca_cli.bench.credit import placing
from rcca_cli.bench.credit.placing import Outcome
from tests.bench.credit.pages import page

EXACT = Outcome("right", 1.0, 0.9, {"right": 1.0, "scope": 0.0, "elsewhere": 0.0})


def alpha(placed):
    return np.round(placed.place.alpha, 6).tolist()


def test_blame_is_on_the_wrong_place_and_praise_on_all_places_by_their_length():
    failing, holding = page(wrong=["a/state"]), page()
    assert alpha(placing.true(failing, "a")) == [0, 0, 0, 1, 0, 0, 0]
    long, short = len('<p id="a">one</p>'), len("let x = 1;")
    assert alpha(placing.true(holding, "a")) == pytest.approx(
        [long / (long + short), 0, 0, short / (long + short), 0, 0, 0], abs=1e-6
    )


def test_each_of_several_faults_counts_the_same():
    assert alpha(placing.true(page(wrong=["a/text", "a/state"]), "a")) == [0.5, 0, 0, 0.5, 0, 0, 0]


def test_an_omission_is_blamed_on_the_token_that_was_written_instead():
    left = page(left_out=["a/state"])
    found = placing.true(left, "a")
    assert left.answer.text[slice(*left.answer.record["rollout"]["offsets"][3])] == "let yy = 22;\n"
    assert alpha(found) == [0, 0, 0, 1, 0, 0]
    assert found.place.absent


def test_what_the_generator_does_not_know_is_placed_nowhere():
    one = page(wrong=["a/text"])
    blind = placing.Judged(one.answer, None)
    for way in (placing.true, placing.drawn, placing.shuffled, placing.of_like_length):
        assert way(blind, "a").place.alpha is None


def test_an_outcome_that_is_right_is_at_the_true_place_with_its_confidence():
    found = placing.landed(page(wrong=["a/state"]), "a", EXACT)
    assert alpha(found) == [0, 0, 0, 1, 0, 0, 0]
    assert found.place.confidence == 0.9


def test_an_outcome_shares_its_mass_between_the_place_its_scope_and_the_rest():
    mass = {"right": 0.5, "scope": 0.3, "elsewhere": 0.2}
    found = alpha(placing.landed(page(wrong=["a/state"]), "a", Outcome("right", 1.0, 0.9, mass)))
    assert found[3] == 0.5
    assert found[4] == pytest.approx(0.3)  # the script's other statement
    assert sum(found[:3]) == pytest.approx(0.2)


def test_without_another_unit_in_the_scope_its_share_goes_to_the_rest():
    mass = {"right": 0.5, "scope": 0.5, "elsewhere": 0.0}
    found = alpha(placing.landed(page(wrong=["b/text"]), "b", Outcome("right", 1.0, 0.9, mass)))
    assert sum(found) == pytest.approx(1)


def test_nowhere_is_nowhere():
    outcome = Outcome("none", 1.0, 0.0, dict.fromkeys(placing.PARTS, 0.0))
    assert placing.landed(page(wrong=["a/state"]), "a", outcome).place.alpha is None


def test_the_same_mistake_is_made_in_answers_that_are_alike():
    afar = Outcome("elsewhere", 1.0, 0.5, {"right": 0.0, "scope": 0.0, "elsewhere": 1.0})
    found = {tuple(alpha(placing.landed(page(number, wrong=["a/state"]), "a", afar))) for number in range(8)}
    assert len(found) == 1


def test_outcomes_are_drawn_as_often_as_they_were_measured():
    often = [Outcome("right", 0.7, 1.0, {}), Outcome("none", 0.3, 0.0, {})]
    drawn = [placing.pick(often, page(number).rng("a", "outcome")).place for number in range(400)]
    assert drawn.count("right") / 400 == pytest.approx(0.7, abs=0.07)


def test_another_items_place_is_taken_in_the_share_of_cases_asked_for():
    swapped = placing.wrong(0.3)
    pages = [page(number, wrong=["a/state", "b/text"]) for number in range(300)]
    away = sum(alpha(swapped(one, "b")) == [0, 0, 0, 1, 0, 0, 0] for one in pages)
    assert away / 300 == pytest.approx(0.3, abs=0.08)
    assert alpha(placing.wrong(1.0)(pages[0], "b")) == [0, 0, 0, 1, 0, 0, 0]
    assert alpha(placing.wrong(0.0)(pages[0], "b")) == [0, 1, 0, 0, 0, 0, 0]


def test_a_random_unit_is_never_the_true_one_and_not_always_the_same():
    found = [alpha(placing.of_like_length(page(number, wrong=["b/text"]), "b")) for number in range(40)]
    assert {one[1] for one in found} == {0}
    assert len({tuple(one) for one in found}) > 1


def test_shuffling_moves_the_tokens_of_the_page_and_keeps_their_numbers():
    one = page(wrong=["a/state"])
    before, after = placing.drawn(one, "a").place.alpha, placing.shuffled(one, "a").place.alpha
    if before is not None:
        assert sorted(before) == sorted(after)


def test_every_outcome_of_the_table_is_a_share_and_each_kind_adds_up_to_one():
    table = placing.confusion()
    assert set(table) == {"exception", "dead", "silent", "visual", "absent", "passed"}
    for rows in table.values():
        assert sum(row.share for row in rows) == pytest.approx(1, abs=1e-3)
        for row in rows:
            assert sum(row.mass.values()) == pytest.approx(0 if row.place == "none" else 1, abs=1e-3)
