"""`kill -9` at any moment, then `--resume`: the weights of an undisturbed call, bit for bit."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.conftest import run_rcca
from tests.train.helpers import random_records, saved_policy

OPTIONS = ("--groups-per-step", "1", "--lr", "1e-2", "--epochs", "2", "--minibatches", "2")


@pytest.fixture
def aligned(tmp_path):
    records = random_records(groups=6, name=saved_policy(tmp_path / "policy"))
    path = tmp_path / "aligned.jsonl"
    path.write_bytes(b"".join(orjson.dumps(given) + b"\n" for given in records))
    return str(path)


def weights(folder):
    return [(Path(folder) / name).read_bytes() for name in ("model.safetensors", "optimizer.safetensors")]


@pytest.mark.slow
def test_a_killed_call_is_continued_bit_for_bit(aligned, tmp_path):
    whole = run_rcca("train", aligned, "--out", "whole", *OPTIONS, cwd=tmp_path)
    assert whole.code == 0, whole.stderr
    command = [sys.executable, "-m", "rcca_cli", "train", aligned, "--out", "cut", *OPTIONS]
    child = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdout is not None
    assert child.stdout.readline()
    assert child.stdout.readline()
    child.kill()  # the third step is on its way
    child.communicate()
    resumed = run_rcca("train", aligned, "--out", "cut", *OPTIONS, "--resume", cwd=tmp_path)
    assert resumed.code == 0, resumed.stderr
    assert resumed.stdout == whole.stdout
    assert weights(tmp_path / "cut") == weights(tmp_path / "whole")
    assert not [name for name in os.listdir(tmp_path) if name.startswith("cut.")]


def test_rows_without_tokens_stop_with_two_and_their_line(aligned, tmp_path):
    record = orjson.loads(Path(aligned).read_bytes().split(b"\n")[0])
    record["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    ended = run_rcca("train", "--out", "ckpt", stdin=[record], cwd=tmp_path)
    assert ended.code == 2
    assert ended.stderr.startswith("rcca train: <stdin>:1: rollout.tokens: empty")
    assert not (tmp_path / "ckpt").exists()


def test_weights_of_mode_rubric_stop_with_two_naming_advantages(aligned, tmp_path):
    record = orjson.loads(Path(aligned).read_bytes().split(b"\n")[0])
    record["align"]["mode"] = "rubric"
    ended = run_rcca("train", "--out", "ckpt", "--credit", "weights", stdin=[record], cwd=tmp_path)
    assert ended.code == 2
    assert "advantages" in ended.stderr


@pytest.mark.slow
def test_a_checkpoint_that_is_not_gone_on_from_is_not_replaced(aligned, tmp_path):
    first = run_rcca("train", aligned, "--out", "ckpt", *OPTIONS, cwd=tmp_path)
    assert first.code == 0
    assert "policy after step 6: ckpt" in first.stderr
    before = weights(tmp_path / "ckpt")
    again = run_rcca("train", aligned, "--out", "ckpt", "--lr", "1e-3", cwd=tmp_path)
    assert again.code == 2
    assert again.stderr.startswith("rcca train: ckpt: holds a checkpoint")
    assert weights(tmp_path / "ckpt") == before


def test_a_checkpoint_that_cannot_be_written_is_one_line(aligned, tmp_path):
    (tmp_path / "file").write_text("")
    ended = run_rcca("train", aligned, "--out", "file/ckpt", *OPTIONS, cwd=tmp_path)
    assert ended.code == 2
    assert ended.stderr.splitlines()[-1].startswith("rcca train: file/ckpt: the checkpoint cannot be written")
