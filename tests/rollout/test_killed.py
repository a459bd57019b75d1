"""`kill -9` of `rollout` at any moment, then `--resume`: the bytes of an undisturbed call."""

import orjson
import pytest

from rcca_cli.models.save import save
from tests.killing import hundred_kills, killed_and_resumed, moments, undisturbed
from tests.models import tiny
from tests.rollout.tasks import task


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rollout")
    save(tiny.policy(), folder / "policy")
    tasks = [task(f"t{number}", "timer " * (number % 3 + 1)) for number in range(12)]
    (folder / "tasks.jsonl").write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in tasks))
    sampled = ("--model", str(folder / "policy"), "-g", "3", "--window", "2", "--max-new-tokens", "40")
    return ("rollout", str(folder / "tasks.jsonl"), *sampled, "-o", "out.jsonl")


@pytest.mark.slow
def test_a_call_killed_again_and_again_is_continued_bit_for_bit(words, forks, tmp_path):
    whole = undisturbed(forks, words, tmp_path / "whole")
    assert len(whole.files["out.jsonl"].splitlines()) == 36
    (times,) = moments(1, whole.seconds, trials=1, kills=6)
    assert any(killed_and_resumed(forks, words, tmp_path / "cut", whole, times))


@pytest.mark.slow
def test_a_hundred_kills_at_random_moments_change_nothing(words, forks, tmp_path):
    assert hundred_kills(forks, words, tmp_path) == 100
