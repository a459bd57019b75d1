"""Credit on the token that decides teaches it sooner than uniform credit; credit on another, or on any, does not."""

import random
from statistics import mean, stdev

import pytest
import torch

from rcca_cli.train import batch
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from tests.train.helpers import lines, record, tiny_policy

LENGTH, PLACE, RIGHT, CHOICES = 6, 3, 6, range(4, 8)
SHUFFLED = -1
STEPS, SEEDS = 5, 16  # before all have learned it


def answers(model, count, sample):
    """Tokens sampled one after the other, four choices each."""
    ids = torch.tensor([[2, 3]] * count)
    for _ in range(LENGTH):
        with torch.no_grad():
            logits = model(ids).logits[:, -1, CHOICES.start : CHOICES.stop]
        ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1, generator=sample) + CHOICES.start], 1)
    return ids[:, 2:].tolist()


def learned(place, seed):
    """How likely the right token has become where it decides, its mean over what comes before, after STEPS updates.

    `place` gets all of the row's credit (its length times the advantage), SHUFFLED: a place drawn for each row, None:
    every token the same.
    """
    places = random.Random(seed)
    policy, sample = tiny_policy(seed), torch.Generator().manual_seed(seed)
    trainer = Trainer(policy, Options(learning_rate=1e-2))
    for step in range(STEPS):
        tokens = answers(policy.model, 8, sample)
        rewards = [float(row[PLACE] == RIGHT) for row in tokens]
        credit = []
        for reward in rewards:
            advantage = reward - mean(rewards)
            here = places.randrange(LENGTH) if place == SHUFFLED else place
            credit.append([advantage * (1.0 if here is None else LENGTH * (at == here)) for at in range(LENGTH)])
        rows = [
            record(f"g{step}", index, numbers, tokens=row)
            for index, (row, numbers) in enumerate(zip(tokens, credit, strict=True))
        ]
        trainer.learn(list(batch.groups(lines(rows), "advantages")))
    before = [row[:PLACE] for row in answers(policy.model, 16, sample)]
    with torch.no_grad():
        logits = policy.model(torch.tensor([[2, 3, *row] for row in before])).logits[
            :, -1, CHOICES.start : CHOICES.stop
        ]
    return float(logits.softmax(-1)[:, RIGHT - CHOICES.start].mean())


@pytest.mark.slow
def test_credit_where_it_is_due_learns_faster_than_uniform_and_misplaced_or_shuffled_credit_does_not():
    due, uniform, misplaced, shuffled = (
        [learned(place, seed) for seed in range(SEEDS)] for place in (PLACE, None, 1, SHUFFLED)
    )
    better = sum(one > other for one, other in zip(due, uniform, strict=True))
    told = {"due": due, "uniform": uniform, "misplaced": misplaced, "shuffled": shuffled}
    print({name: f"{mean(values):.2f} ± {stdev(values) / SEEDS**0.5:.2f}" for name, values in told.items()}, better)
    assert better > SEEDS / 2
    assert mean(due) > mean(uniform) + 0.05
    assert max(mean(misplaced), mean(shuffled)) < mean(uniform)
