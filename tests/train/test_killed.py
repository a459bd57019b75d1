"""`kill -9` at any moment, then `--resume`: the bytes of an undisturbed call."""

import os
from pathlib import Path

import orjson
import pytest

from tests.killing import hundred_kills, killed_and_resumed, moments, undisturbed
from tests.train.helpers import random_records, saved_policy

OPTIONS = ("--groups-per-step", "1", "--lr", "1e-2", "--epochs", "2", "--minibatches", "2")


@pytest.fixture(scope="module")
def aligned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aligned")
    records = random_records(groups=4, name=saved_policy(folder / "policy"))
    path = folder / "aligned.jsonl"
    path.write_bytes(b"".join(orjson.dumps(given) + b"\n" for given in records))
    return str(path)


def test_a_call_killed_again_and_again_is_continued_bit_for_bit(aligned, forks, tmp_path):
    words = ("train", aligned, "--out", "ckpt", *OPTIONS, "--keep")
    whole = undisturbed(forks, words, tmp_path / "whole")
    (times,) = moments(1, whole.seconds, trials=1, kills=4)
    assert any(killed_and_resumed(forks, words, tmp_path / "cut", whole, times))


@pytest.mark.slow
def test_a_hundred_kills_of_train_at_random_moments_change_nothing(aligned, forks, tmp_path):
    words = ("train", aligned, "--out", "ckpt", *OPTIONS)
    assert hundred_kills(forks, words, tmp_path) == 100


def fed(aligned, folder, changes):
    """A file with the first record, changed."""
    record = orjson.loads(Path(aligned).read_bytes().split(b"\n")[0])
    for part, change in changes.items():
        record[part] |= change
    (folder / "fed.jsonl").write_bytes(orjson.dumps(record) + b"\n")
    return str(folder / "fed.jsonl")


def test_rows_without_tokens_stop_with_two_and_their_line(aligned, forks, tmp_path):
    given = fed(aligned, tmp_path, {"rollout": {"tokens": [], "offsets": [], "logprobs": []}})
    ended = forks.run("train", "--out", "ckpt", stdin=given, cwd=tmp_path)
    assert ended.code == 2
    assert ended.stderr.startswith("rcca train: <stdin>:1: rollout.tokens: empty")
    assert not (tmp_path / "ckpt").exists()


def test_weights_of_mode_rubric_stop_with_two_naming_advantages(aligned, forks, tmp_path):
    given = fed(aligned, tmp_path, {"align": {"mode": "rubric"}})
    ended = forks.run("train", "--out", "ckpt", "--credit", "weights", stdin=given, cwd=tmp_path)
    assert ended.code == 2
    assert "advantages" in ended.stderr


def weights(folder):
    return [(Path(folder) / name).read_bytes() for name in ("model.safetensors", "optimizer.safetensors")]


def test_a_checkpoint_that_is_not_gone_on_from_is_not_replaced(aligned, forks, tmp_path):
    first = forks.run("train", aligned, "--out", "ckpt", *OPTIONS, cwd=tmp_path)
    assert first.code == 0
    assert "policy after step 4: ckpt" in first.stderr
    before = weights(tmp_path / "ckpt")
    again = forks.run("train", aligned, "--out", "ckpt", "--lr", "1e-3", cwd=tmp_path)
    assert again.code == 2
    assert again.stderr.splitlines()[-1].startswith("rcca train: ckpt: holds a checkpoint")
    assert weights(tmp_path / "ckpt") == before


def test_a_checkpoint_that_cannot_be_written_is_one_line(aligned, forks, tmp_path):
    (tmp_path / "file").write_text("")
    ended = forks.run("train", aligned, "--out", "file/ckpt", *OPTIONS, cwd=tmp_path)
    assert ended.code == 2
    assert ended.stderr.splitlines()[-1].startswith("rcca train: file/ckpt: cannot be written: ")


def test_two_calls_on_one_folder_are_one_and_a_refusal(aligned, forks, tmp_path):
    os.mkfifo(tmp_path / "slow")
    first = forks.start("train", "slow", "--out", "ckpt", *OPTIONS, cwd=tmp_path)
    with open(tmp_path / "slow", "wb") as pipe:  # opened: the first call is reading, so it holds the folder
        second = forks.run("train", aligned, "--out", "ckpt", *OPTIONS, "--resume", cwd=tmp_path)
        pipe.write(Path(aligned).read_bytes())
    assert second.code == 2
    assert second.stderr.startswith("rcca train: ckpt: another call is writing there")
    assert first.wait().code == 0
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("ckpt")] == ["ckpt"]
