"""The estimator test: its sums are unbiased, and what is known comes out."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
import torch

from rcca_cli.bench.credit import estimator, kept_sums
from rcca_cli.bench.credit.estimator import Size
from rcca_cli.bench.credit.options import Options as Run
from rcca_cli.bench.credit.sums import Difference, Sums, differences, figures
from rcca_cli.errors import RccaError
from rcca_cli.train import gradient
from rcca_cli.train.batch import groups
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.bench.credit.pages import page
from tests.train.helpers import lines, logprobs, random_records, tiny_model, tiny_policy


def summed(vectors, cosines=()):
    found = Sums(cosines=list(cosines))
    for vector in vectors:
        found.add(np.array(vector, dtype=np.float32))
    return found


def test_squared_length_and_variance_are_unbiased():
    # A gradient that is one of three vectors, drawn twice: over all ordered pairs, equal ones too, the mean is exact.
    possible = [(1.0, 0.0), (0.0, 2.0), (3.0, -1.0)]
    pairs = [*permutations(possible, 2), *((one, one) for one in possible)]
    true = np.mean(possible, axis=0)
    spread = np.mean([np.sum((np.array(one) - true) ** 2) for one in possible])
    assert np.mean([summed(pair).length2 for pair in pairs]) == pytest.approx(true @ true)
    assert np.mean([summed(pair).variance for pair in pairs]) == pytest.approx(spread)


def test_an_arm_that_is_the_gradient_has_neither_bias_nor_noise():
    found = figures("it", summed([(2.0, 0.0)] * 3, [1.0, 1.0, 1.0]), summed([(1.0, 0.0)] * 2))
    assert (found.cosine_of_mean, found.bias, found.noise) == (1.0, 0.0, 0.0)


def test_half_of_an_arm_that_points_half_aside_is_bias():
    found = figures("it", summed([(1.0, 1.0)] * 3, [0.7, 0.7, 0.7]), summed([(1.0, 0.0)] * 2))
    assert found.cosine_of_mean == pytest.approx(0.5**0.5)
    assert found.bias == pytest.approx(0.5)


def test_an_arm_that_is_noise_alone_says_nothing_of_its_bias():
    found = figures("it", summed([(1.0, 0.0), (-1.0, 0.0)], [1.0, -1.0]), summed([(1.0, 0.0)] * 2))
    assert (found.cosine_of_mean, found.bias, found.noise) == (None, None, None)


def test_arms_are_compared_batch_by_batch():
    first, second = Sums(cosines=[0.1, 0.5, 0.3]), Sums(cosines=[0.2, 0.8, 0.5])
    (found,) = differences({"one": first, "other": second})
    assert found == Difference("other", "one", pytest.approx(0.2), pytest.approx(0.1 / 3**0.5))


def test_a_sum_counts_the_cosine_of_each_gradient_and_of_none_where_there_is_no_gradient():
    found = Sums()
    for vector in [(3.0, 4.0), (0.0, 0.0)]:
        found.add(np.array(vector), np.array([1.0, 0.0]))
    assert found.cosines == [0.6, 0.0]


def test_sums_that_were_kept_are_the_same_and_parts_joined_are_the_whole(tmp_path):
    place = tmp_path / "sums.npz"
    assert kept_sums.read(place) == []
    parts = [summed([(1.0, 2.5)], [0.25]), summed([(0.1, 7.0), (3.0, -1.0)], [0.5, 0.125])]
    kept_sums.write(place, [parts[0]])
    (found,) = kept_sums.read(place)
    found.join(parts[1])
    whole = summed([(1.0, 2.5), (0.1, 7.0), (3.0, -1.0)])
    assert (found.count, found.cosines, found.squares) == (3, [0.25, 0.5, 0.125], whole.squares)
    assert found.total == pytest.approx(whole.total)
    assert [path.name for path in tmp_path.iterdir()] == ["sums.npz"]


def test_sums_that_are_torn_say_so_wherever_they_end(tmp_path):
    place = tmp_path / "sums.npz"
    kept_sums.write(place, [summed([(1.0, 2.5)], [0.25])])
    whole = place.read_bytes()
    for end in (0, 1, 40, len(whole) // 2, len(whole) - 1):
        place.write_bytes(whole[:end])
        with pytest.raises(RccaError, match=r"sums.npz: torn \(remove it"):
            kept_sums.read(place)
    for wrong in ({"count": 3}, {"count": [1], "total": [[1.0]], "squares": [1.0], "cosines": [["a"], ["b"]]}):
        np.savez(place, **wrong)
        with pytest.raises(RccaError, match="torn"):
            kept_sums.read(place)


def test_figures_that_are_cut_short_are_not_taken_for_an_estimate(tmp_path):
    place = tmp_path / "estimator-0.jsonl"
    for content in ("", "{}\n", '{"arms": []}\n'):
        place.write_text(content)
        with pytest.raises(RccaError, match=r"estimator-0.jsonl: not the figures of an estimate"):
            estimator.finished(place)
    place.write_text('{"arms": [], "reference": {}, "differences": []}\n')
    assert estimator.finished(place)["arms"] == []


def test_a_reference_of_one_part_is_refused(tmp_path):
    options = Run(groups=8, group_size=8, out=str(tmp_path))
    with pytest.raises(RccaError, match=r"--answers 127: at least two steps of 64 .* 128"):
        estimator.run(("oracle",), options, Size(127, 2))


def test_the_reward_of_the_reference_is_the_pass_share_less_that_of_the_others():
    rows = estimator.rewarded([page(0), page(1, wrong=["a/text"]), page(2, level="source")])
    assert [row["align"]["advantage"] for row in rows] == pytest.approx([1 - 0.25, 0.5 - 0.5, 0 - 0.75])
    assert rows[0]["align"]["advantages"] == [0.75] * 7


def test_the_gradient_is_that_of_the_step_and_changes_nothing():
    records = random_records(model=tiny_model())
    options = Options(learning_rate=1e-3, max_grad_norm=1e9)
    asked, stepped = Trainer(tiny_policy(), options), Trainer(tiny_policy(), options)
    before = {name: weight.detach().clone() for name, weight in asked.parameters.items()}
    found = gradient.gradient(asked, lines(records))
    stepped.learn(list(groups(lines(records), "advantages")))
    wanted = np.concatenate([weight.grad.numpy().ravel() for weight in stepped.parameters.values()])
    assert np.array_equal(found, wanted)
    assert all(bool((weight == before[name]).all()) for name, weight in asked.parameters.items())
    assert np.array_equal(gradient.gradient(asked, lines(records)), found)


def test_log_probabilities_are_the_models_own():
    records = random_records(groups=1, size=2, model=tiny_model())
    found = gradient.logprobs(Trainer(tiny_policy(), Options(learning_rate=1e-3)), lines(records))
    for record, values in zip(records, found, strict=True):
        wanted = logprobs(tiny_model(), record["rollout"]["prompt_ids"], record["rollout"]["tokens"])
        assert values == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("loss", ["dapo", "grpo", "gspo"])
def test_gradients_of_several_credits_are_those_of_each_alone(loss):
    rng = np.random.default_rng(0)
    records = random_records(model=tiny_model())
    trainer = Trainer(tiny_policy(), Options(learning_rate=1e-3, loss=loss, epochs=2))
    trainer.model.double()  # in float32 both are a millionth from the truth, and so from one another

    def drawn(one, share):
        size = len(one["rollout"]["tokens"])
        return (rng.normal(size=size) * (rng.random(size) < share)).tolist()

    def even(one, share):
        return [share] * len(one["rollout"]["tokens"])

    credits = [
        [one | {"align": one["align"] | {"advantages": how(one, share)}} for one in records]
        for how, share in [(drawn, 1.0), (drawn, 0.5), (drawn, 0.1), (drawn, 0.0), (even, 1.0)]
    ]
    found = gradient.gradients(trainer, [lines(some) for some in credits])
    for row, some in zip(found, credits, strict=True):
        wanted = gradient.gradient(trainer, lines(some))
        assert np.linalg.norm(row - wanted) <= 1e-6 * np.linalg.norm(wanted)


def test_an_answer_goes_backward_only_in_the_directions_in_which_credits_differ():
    one, other = torch.tensor([1.0, 1.0, 0.0]), torch.tensor([0.0, 2.0, -1.0])
    slopes = torch.stack([one, other, one - 0.3 * other, 0 * one]).double()
    shares, directions = gradient.independent(slopes)
    assert len(directions) == 2
    assert torch.allclose(shares @ directions, slopes)


SMALL = Run(groups=1, group_size=2, calibration_tasks=1, max_new_tokens=200)
ARMS, SIZE = ("oracle", "uniform-gates"), Size(reference=6, batches=3, together=1)


@pytest.mark.slow
def test_the_report_does_not_depend_on_the_number_of_processes_or_on_a_call_that_was_cut_off(tmp_path):
    options = replace(SMALL, out=str(tmp_path / "first"), cache=str(tmp_path / "judged"))
    found = estimator.run(ARMS, options, SIZE)
    assert [one["batches"] for one in found["arms"]] == [3, 3]
    assert estimator.run(ARMS, replace(options, out=str(tmp_path / "two")), SIZE, at_once=2) == found

    class Cut(Exception):
        pass

    def once(work, wanted):
        yield work(wanted[0])
        raise Cut

    again = replace(options, out=str(tmp_path / "again"))
    scales, sign = estimator.calibrated(ARMS, again)
    path = estimator.place(again, SIZE, scales, sign)
    path.parent.mkdir()
    for _ in range(2):
        with pytest.raises(Cut):
            estimator.measured(again, SIZE, scales, path, once)
    (kept,) = kept_sums.read(estimator.partial(path, "reference"))
    assert kept.count == 2
    assert estimator.run(ARMS, again, SIZE) == found
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert estimator.run(ARMS, again, SIZE) == found
