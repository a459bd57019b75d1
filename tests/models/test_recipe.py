"""The recipe of the embedded policy: a few steps of it, on a model too small to learn anything."""

import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest
import torch

from rcca_cli import seeds
from rcca_cli.synth import app

RECIPES = Path(__file__).parents[2] / "recipes"
sys.path.insert(0, str(RECIPES))
import policy  # noqa: E402 - a script beside the package
import policy_card  # noqa: E402

SMALL = policy.Recipe(steps=3, batch=4, vocabulary=400, hidden=32, layers=1, heads=2, intermediate=32, warm_up=1)


@pytest.fixture(scope="module")
def tokenizer():
    return policy.make_tokenizer(SMALL, [text for pair in islice(policy.pairs(SMALL, "train"), 30) for text in pair])


def trained(tokenizer):
    model = policy.make_model(SMALL, tokenizer)
    policy.train(SMALL, tokenizer, model)
    return model.state_dict()


def test_the_same_recipe_gives_the_same_weights(tokenizer):
    first, second = trained(tokenizer), trained(tokenizer)
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_training_and_measuring_use_other_tasks():
    held_out = [app.make(seeds.derive(0, "held-out"), index).prompt for index in range(3)]
    assert held_out != [prompt for prompt, _ in islice(policy.pairs(SMALL, "train"), 3)]


def test_the_loss_is_of_answers_only(tokenizer):
    model = policy.make_model(SMALL, tokenizer)
    row = policy.encoded(tokenizer, "a request", "an answer")
    logits_TV = model(torch.tensor([[*row[0], *row[1]]])).logits[0, len(row[0]) - 1 : -1]
    expected = torch.nn.functional.cross_entropy(logits_TV, torch.tensor(row[1]))
    longer = policy.encoded(tokenizer, "a request", "an answer")
    assert policy.loss_of(model, policy.padded([row, longer])).item() == pytest.approx(expected.item(), abs=1e-5)


def test_a_broken_answer_is_a_shorter_one():
    text = app.make(1, 2, styles=(0,)).render().text
    for seed in range(20):
        assert len(policy.broken(text, Random(seed))) < len(text)


def test_an_orthogonal_step_has_singular_values_near_one():
    torch.manual_seed(0)
    values = torch.linalg.svdvals(policy.orthogonal(torch.randn(6, 16)))
    assert values.min() > 0.5
    assert values.max() < 1.3


def test_the_bugs_of_a_rendering_are_read_back_from_its_text():
    for index in range(20):
        made = app.make(5, index, styles=(0,))
        rendered = made.imperfect(seeds.generator(index), 0.3)
        bugs = policy_card.bugs_of(made, rendered.text)
        assert {(item, kind) for item, kinds in bugs.items() for kind in kinds} == {
            (fault["rubric"], fault["failure"]) for fault in rendered.truth
        }
    assert policy_card.bugs_of(made, "something else") is None
