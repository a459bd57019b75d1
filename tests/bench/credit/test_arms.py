"""The arms: what each makes of a group."""

import numpy as np
import pytest

from rcca_cli.bench.credit import arms, placing
from rcca_cli.bench.credit.arms import ARMS, credited
from rcca_cli.credit import Options, calibration, token_advantages
from rcca_cli.credit.advantages import items_term
from rcca_cli.errors import RccaError
from rcca_cli.train.batch import read_row
from tests.bench.credit.pages import page
from tests.train.helpers import line


def group():
    """Two good answers, one with a wrong state, one that does not parse."""
    return [page(0), page(1), page(2, wrong=["a/state"]), page(3, level="source")]


def advantages(name, share=0.3, scale=1.0, members=None):
    return [np.array(value["advantages"]) for value in credited(ARMS[name], members or group(), share, scale)]


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_gives_credit_that_train_can_use(name):
    members = group()
    for one, value in zip(members, credited(ARMS[name], members, 0.3, 1.0), strict=True):
        row = read_row(line(one.answer.record | {"align": value}), "advantages")
        assert len(row.advantages) == one.answer.tokens.count
        assert np.isfinite(row.advantages).all()


def test_uniform_is_the_groups_advantage_on_every_token():
    rewards = np.array([1, 1, 0.5, -0.5])
    wanted = (rewards - rewards.mean()) / rewards.std()
    for found, value in zip(advantages("uniform"), wanted, strict=True):
        assert found == pytest.approx(np.full(7, value), abs=1e-6)


def test_the_flat_reward_has_no_bands():
    rewards = np.array([1, 1, 0.5, 0])
    wanted = (rewards - rewards.mean()) / rewards.std()
    assert [found[0] for found in advantages("uniform-flat")] == pytest.approx(wanted, abs=1e-6)


def test_the_gates_channel_comes_on_top_of_the_sequences_advantage():
    # Of the gate "source" three of four pass: 1 - 2/3 each, and 0 - 3/3; the gates before and behind are unanimous.
    added = [found - plain for found, plain in zip(advantages("uniform-gates"), advantages("uniform"), strict=True)]
    wanted = [calibration.MU / 3] * 3 + [-calibration.MU]
    assert [float(term.mean()) for term in added] == pytest.approx(wanted, abs=1e-5)


def test_broadcast_puts_each_items_advantage_on_every_token():
    for found in advantages("broadcast"):
        assert found == pytest.approx(np.full(7, found[0]), abs=1e-6)


def test_the_oracle_blames_the_wrong_line_and_praises_it_where_it_is_right():
    good, _, bad, broken = advantages("oracle", share=0.0, scale=1.0)
    plain = advantages("uniform-gates", share=0.0)
    sequence = advantages("uniform")
    gates = [one - own for one, own in zip(plain, sequence, strict=True)]
    # Item a: v = 1, 1, 0; A = 1 - 1/2, 1 - 1/2, 0 - 1; its weight is half of the rubric's.
    local = bad - gates[2]
    assert np.flatnonzero(np.abs(local) > 1e-5).tolist() == [3]
    assert local[3] < 0
    assert np.flatnonzero(np.abs(good - gates[0]) > 1e-5).tolist() == [0, 3]
    assert broken == pytest.approx(gates[3], abs=1e-5)


def items_alone(name):
    """The items' term of each answer: what an arm adds to the gates' channel."""
    plain, sequence = advantages("uniform-gates", share=0.0), advantages("uniform")
    gates = [one - own for one, own in zip(plain, sequence, strict=True)]
    return [one - own for one, own in zip(advantages(name, share=0.0), gates, strict=True)]


def test_half_of_the_blame_leaves_the_praise_as_it_is():
    for whole, half in zip(items_alone("rubric-simulated"), items_alone("half-blame"), strict=True):
        assert half == pytest.approx(np.where(whole < 0, whole / 2, whole), abs=1e-5)


@pytest.mark.parametrize(("name", "weight"), [("gates-quarter", 0.25), ("gates-one", 1.0)])
def test_the_weight_of_the_gates_is_theirs_alone(name, weight):
    usual, other = advantages("rubric-simulated"), advantages(name)
    gates = [one - own for one, own in zip(advantages("uniform-gates"), advantages("uniform"), strict=True)]
    for one, changed, gate in zip(usual, other, gates, strict=True):
        assert changed - one == pytest.approx(gate * (weight / calibration.MU - 1), abs=1e-5)


def test_more_credit_goes_to_the_less_likely_tokens_of_a_span_and_its_sum_stays():
    one = page(2, wrong=["a/state"])
    one.answer.record["rollout"]["logprobs"] = [-0.1, -0.2, -0.3, -3.0, -0.4, -0.5, -0.6]
    usual, other = (place(one, "b").place.alpha for place in (placing.drawn, placing.entropic))
    assert other.sum() == pytest.approx(usual.sum())
    assert np.flatnonzero(other).tolist() == np.flatnonzero(usual).tolist()
    rank = np.array([1, 2, 3, 7, 4, 5, 6]) / 7
    wanted = usual * (0.5 + rank)
    assert other == pytest.approx(wanted / wanted.sum())


def test_without_structure_there_are_no_gates_and_a_broken_page_is_worth_nothing():
    members = arms.members(ARMS["no-structure"], group())
    assert [member.reward for member in members] == [1, 1, 0.5, 0]
    assert not any(member.gates for member in members)


def test_the_scale_makes_the_localised_term_as_large_as_the_sequences():
    arm, members = ARMS["broadcast"], [page(0), page(1), page(2, wrong=["a/state"]), page(3, wrong=["b/text"])]
    found = arms.scale(arm, [members])
    own = arms.members(arm, members)
    local = np.concatenate(items_term(own)) * found
    uniform = np.concatenate([one.advantages for one in token_advantages(own, Options("uniform"))])
    assert arms.rms(local) == pytest.approx(arms.rms(uniform))


def test_an_arm_without_a_localised_term_needs_no_scale():
    assert arms.scale(ARMS["uniform"], [group()]) == calibration.ETA


def test_arms_are_of_a_tier():
    assert arms.chosen([], "R") == ["uniform-flat", "uniform", "uniform-gates", "broadcast", "rubric"]
    with pytest.raises(RccaError, match="--arms oracle: in tier R there are"):
        arms.chosen(["oracle"], "R")
    for tier in ("Q", "SR", ""):
        with pytest.raises(RccaError, match=f"--tier {tier}: there are S, R"):
            arms.chosen([], tier)
