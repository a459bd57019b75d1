"""The estimator test: its sums are unbiased, and what is known comes out."""

from itertools import permutations

import numpy as np
import pytest

from rcca_cli.bench.credit import estimator
from rcca_cli.bench.credit.estimator import Sums, figures
from rcca_cli.train import gradient
from rcca_cli.train.batch import groups
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.bench.credit.pages import page
from tests.train.helpers import lines, logprobs, random_records, tiny_model, tiny_policy


def summed(vectors):
    found = Sums()
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
    found = figures("it", summed([(2.0, 0.0)] * 3), [1.0, 1.0, 1.0], summed([(1.0, 0.0)] * 2))
    assert (found.cosine_of_mean, found.bias, found.noise) == (1.0, 0.0, 0.0)


def test_half_of_an_arm_that_points_half_aside_is_bias():
    found = figures("it", summed([(1.0, 1.0)] * 3), [0.7, 0.7, 0.7], summed([(1.0, 0.0)] * 2))
    assert found.cosine_of_mean == pytest.approx(0.5**0.5)
    assert found.bias == pytest.approx(0.5)


def test_an_arm_that_is_noise_alone_says_nothing_of_its_bias():
    found = figures("it", summed([(1.0, 0.0), (-1.0, 0.0)]), [1.0, -1.0], summed([(1.0, 0.0)] * 2))
    assert (found.cosine_of_mean, found.bias, found.noise) == (None, None, None)


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
