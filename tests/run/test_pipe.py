"""`rcca run` and the pipe do the same work: the same records, the same metrics, the same weights."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.conftest import run_rcca

RUN = ("run", "--out", "out", "--groups", "1", "-g", "2", "--seed", "3", "--lr", "1e-3", "--eval-tasks", "2")
STEP = "out/checkpoint"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of an undisturbed run of two steps, and its metrics."""
    folder = tmp_path_factory.mktemp("run")
    ended = run_rcca(*RUN, "--steps", "2", cwd=folder)
    assert ended.code == 0, ended.stderr
    return folder, ended


def files(folder, *names):
    return {name: (Path(folder) / "out" / name).read_bytes() for name in names}


WRITTEN = ("steps/0001.jsonl", "steps/0002.jsonl", "before.jsonl", "after.jsonl", "summary.json")
WEIGHTS = ("checkpoint/model.safetensors", "checkpoint/optimizer.safetensors", "checkpoint/metrics.jsonl")


@pytest.mark.slow
def test_a_run_says_what_it_did_and_leaves_a_policy(whole):
    folder, ended = whole
    assert [record["step"] for record in ended.records] == [1, 2]
    assert "2 held-out tasks" in ended.stderr
    assert "rcca rollout --model out/checkpoint" in ended.stderr
    summary = orjson.loads((folder / "out" / "summary.json").read_bytes())
    assert 0 <= summary["passed"]["before"]["mean"] <= 1
    models = [
        orjson.loads(line)["rollout"]["model"]
        for step in ("0001", "0002")
        for line in (folder / "out" / "steps" / f"{step}.jsonl").read_bytes().splitlines()
    ]
    assert models == ["embedded", "embedded", STEP, STEP]


@pytest.mark.slow
def test_the_pipe_writes_the_same_bytes(whole, tmp_path):
    folder, ended = whole
    (tmp_path / "out" / "steps").mkdir(parents=True)
    script = ["set -euo pipefail", 'rcca() { "$PYTHON" -m rcca_cli -q "$@"; }', "rcca synth -n 2 --seed 3 > tasks"]
    for step, model, start in ((1, "embedded", ""), (2, STEP, f"--from {STEP}")):
        script += [
            f"sed -n {step}p tasks | rcca rollout -g 2 --seed 3 --model {model} | rcca judge"
            f" | rcca align --sequence-share 0.3 > out/steps/000{step}.jsonl",
            f"rcca train out/steps/000{step}.jsonl {start} --out {STEP} --groups-per-step 1 --lr 1e-3 --epochs 2"
            " --seed 3",
        ]
    environment = os.environ | {"PYTHON": sys.executable}
    piped = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert piped.returncode == 0, piped.stderr.decode()
    assert piped.stdout == ended.stdout
    assert files(tmp_path, *WRITTEN[:2], *WEIGHTS) == files(folder, *WRITTEN[:2], *WEIGHTS)


@pytest.mark.slow
def test_a_run_cut_short_is_continued_to_the_same_end(whole, tmp_path):
    folder, ended = whole
    assert run_rcca(*RUN, "--steps", "1", cwd=tmp_path).code == 0
    (tmp_path / "out" / "steps" / "0002.jsonl.partial").write_text('{"torn')
    resumed = run_rcca(*RUN, "--steps", "2", "--resume", cwd=tmp_path)
    assert resumed.code == 0, resumed.stderr
    assert resumed.stdout == ended.stdout
    assert files(tmp_path, *WRITTEN, *WEIGHTS) == files(folder, *WRITTEN, *WEIGHTS)


def test_a_folder_in_use_is_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    ended = run_rcca(*RUN, "--steps", "1", cwd=tmp_path)
    assert ended.code == 2
    assert "is there already" in ended.stderr


def test_a_run_without_time_for_a_step_says_so_and_names_no_policy(tmp_path):
    ended = run_rcca(*RUN, "--steps", "1", "--minutes", "0.0001", cwd=tmp_path)
    assert ended.code == 0, ended.stderr
    assert "no step fits into --minutes 0.0001" in ended.stderr
    assert "--resume with more --minutes" in ended.stderr
    assert "policy:" not in ended.stderr
    assert not (tmp_path / "out" / "checkpoint").exists()
