"""What the timings of the sampler add up to; the timing itself is no test."""

import pytest

from rcca_cli import models
from rcca_cli.bench.speed import rollout
from rcca_cli.bench.speed.rollout import MAIN, Case, Turn
from rcca_cli.models import peer


def test_the_ratio_is_of_the_medians_of_tokens_a_processor_second():
    turns = [Turn(MAIN, "ours", 2, 100, cpu, 9.0) for cpu in (1.0, 2.0, 50.0)]
    turns += [Turn(MAIN, "generate", 2, 100, cpu, 1.0) for cpu in (4.0, 5.0, 6.0)]
    turns += [Turn("small", "ours", 1, 10, 1.0, 1.0), Turn("small", "generate", 1, 10, 1.5, 1.0)]
    found = rollout.summary(turns)
    assert found["cases"][MAIN] == {"ours": 50.0, "generate": 20.0, "ratio": 2.5}
    assert (found["ratio"], found["least"]) == (2.5, 1.5)


@pytest.mark.slow
def test_both_sides_give_the_same_answers_as_long_as_they_are():
    policy = models.load("embedded")
    requests = ["a timer", "a quiz with three questions", "a tip calculator"]
    prompts = [policy.prompt_ids([{"role": "user", "content": f"Please write {words}."}]) for words in requests]
    case = Case("small", policy, prompts, copies=2, batch=4, tokens=200)
    ours = rollout.ours(case)
    assert ours == rollout.theirs(case)
    assert len({len(answer) for answer in ours}) > 1
    endless = Case("endless", peer.endless(policy), prompts[:2], copies=1, batch=2, tokens=150)
    assert rollout.ours(endless) == rollout.theirs(endless)
    assert {len(answer) for answer in rollout.theirs(endless)} == {150}
