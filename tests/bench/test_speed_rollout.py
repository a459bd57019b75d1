"""What the timings of the sampler add up to; the timing itself is no test."""

from rcca_cli.bench import benchmark
from rcca_cli.bench.speed import rollout
from rcca_cli.bench.speed.rollout import MAIN, Case, Turn
from rcca_cli.models import peer
from tests.models import tiny


def test_the_ratio_is_of_the_medians_of_tokens_a_processor_second():
    turns = [Turn(MAIN, "ours", 2, 100, cpu, 9.0) for cpu in (1.0, 2.0, 50.0)]
    turns += [Turn(MAIN, "generate", 2, 100, cpu, 1.0) for cpu in (4.0, 5.0, 6.0)]
    turns += [Turn("small", "ours", 1, 10, 1.0, 1.0), Turn("small", "generate", 1, 10, 1.5, 1.0)]
    found = rollout.summary(turns)
    assert found["cases"][MAIN] == {"ours": 50.0, "generate": 20.0, "ratio": 2.5}
    assert (found["ratio"], found["least"]) == (2.5, 1.5)


def test_both_sides_give_the_same_answers_as_long_as_they_are():
    policy = tiny.policy(tiny.llama(14))
    prompts = [[5, 6, 7], [8, 9, 10, 11], [12], [4, 5], [6, 9]]
    case = Case("tiny", policy, prompts, copies=2, batch=4, tokens=30)
    ours = rollout.ours(case)
    assert ours == rollout.theirs(case)
    assert len({len(answer) for answer in ours}) > 1
    endless = Case("tiny", peer.endless(policy), prompts[:2], copies=1, batch=2, tokens=30)
    assert {len(answer) for answer in rollout.theirs(endless)} == {30}


def test_the_part_is_found_by_its_name():
    assert benchmark.find("speed", "rollout").write is rollout.write
