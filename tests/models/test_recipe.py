"""The recipe of the embedded policy: a few steps of it, on a model too small to learn anything; and that it learns."""

import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean

import pytest
import torch

from rcca_cli import models, seeds
from rcca_cli.bench.credit import tasks
from rcca_cli.synth import app
from rcca_cli.train import answers

RECIPES = Path(__file__).parents[2] / "recipes"
sys.path.insert(0, str(RECIPES))
import policy  # noqa: E402 - a script beside the package
import policy_card  # noqa: E402

SMALL = policy.Recipe(
    steps=3, batch=4, vocabulary=400, hidden=32, layers=1, heads=2, intermediate=32, context=4096, warm_up=1
)


@pytest.fixture(scope="module")
def tokenizer():
    return policy.make_tokenizer(SMALL, [text for pair in islice(policy.pairs(SMALL, "train"), 30) for text in pair])


def fresh(recipe, tokenizer):
    return models.Policy(policy.make_model(recipe, tokenizer), tokenizer, "fresh")


def trained(tokenizer):
    made = fresh(SMALL, tokenizer)
    losses = policy.train(SMALL, made)
    assert len(losses) == SMALL.steps
    return made.model.state_dict()


def test_the_same_recipe_gives_the_same_weights(tokenizer):
    first, second = trained(tokenizer), trained(tokenizer)
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_training_and_measuring_use_other_tasks():
    held_out = [app.make(seeds.derive(0, "held-out"), index).prompt for index in range(3)]
    assert held_out != [prompt for prompt, _ in islice(policy.pairs(SMALL, "train"), 3)]


def test_a_policy_can_learn_from_its_own_set_of_tasks_alone():
    learned = [pair for pair, _ in islice(policy.pairs(replace(SMALL, own_tasks=1), "train"), 20)]
    made = (app.make(seeds.derive(SMALL.seed, "train"), index, styles=(0,)) for index in range(100))
    assert learned == [one.prompt for one in made if tasks.set_of(one) == "sft"][:20]


def test_a_policy_says_what_tasks_it_was_taught(tokenizer, tmp_path):
    own = replace(SMALL, own_tasks=1)
    policy.save(fresh(own, tokenizer), tmp_path)
    told = models.load(str(tmp_path)).model.config.taught
    assert told == {"seed": 0, "tasks": 12, "set": "sft"}
    made = (app.make(seeds.derive(0, "train"), index, styles=(0,)) for index in range(100))
    learned = [tasks.identity(one) for one in made if tasks.set_of(one) == "sft"][:12]
    assert tasks.taught(told["seed"], told["tasks"], told["set"]) == set(learned)


def test_every_pair_is_learned_once_as_the_policy_will_sample_it(tokenizer):
    learned = answers.read(policy.solutions(SMALL), fresh(SMALL, tokenizer)).learned
    assert len({answer.id for answer in learned}) == SMALL.steps * SMALL.batch
    for answer, (prompt, text) in zip(learned, policy.pairs(SMALL, "train"), strict=False):
        assert tokenizer.decode(answer.prompt) == f"{policy.USER}{prompt}{policy.ASSISTANT}"
        assert tokenizer.decode(answer.tokens) == f"{text}{policy.END}"


def test_a_broken_answer_is_a_shorter_one():
    text = app.make(1, 2, styles=(0,)).render().text
    for seed in range(20):
        assert len(policy.broken(text, Random(seed))) < len(text)


def test_the_bugs_of_a_rendering_are_read_back_from_its_text():
    for index in range(20):
        made = app.make(5, index, styles=(0,))
        rendered = made.imperfect(seeds.generator(index), 0.3)
        bugs = policy_card.bugs_of(made, rendered.text)
        assert {(item, kind) for item, kinds in bugs.items() for kind in kinds} == {
            (fault["rubric"], fault["failure"]) for fault in rendered.truth
        }
    assert policy_card.bugs_of(made, "something else") is None


@pytest.mark.slow
def test_a_short_run_of_the_recipe_learns():
    recipe = replace(policy.Recipe(), steps=60, warm_up=10)
    texts = [text for pair in islice(policy.pairs(recipe, "train"), 2000) for text in pair]
    losses = policy.train(recipe, fresh(recipe, policy.make_tokenizer(recipe, texts)))
    assert mean(losses[:5]) > 6
    assert mean(losses[-10:]) < 2
