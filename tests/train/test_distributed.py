"""Several processes on gloo: the weights of one process, its checkpoints, and no end that leaves anyone waiting."""

import socket
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
import safetensors.torch

from tests.train.helpers import random_records, saved_policy

OPTIONS = ("--groups-per-step", "2", "--lr", "1e-3")
NEAR = ("loss", "grad_norm", "ratio_deviation", "kl_sampler", "kl_old", "kl_reference", "clip_frac", "trust")


@pytest.fixture(scope="module")
def aligned(tmp_path_factory):
    """Five groups of uneven answers; with two in a step the last step has one."""
    folder = tmp_path_factory.mktemp("aligned")
    records = random_records(groups=5, name=saved_policy(folder / "policy"))
    return written(folder / "aligned.jsonl", records)


def written(path, records):
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return str(path)


def start(forks, count, *words, cwd):
    """`rcca WORDS` as so many processes, with the variables that a launcher sets."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    return [forks.start(*words, cwd=cwd, RANK=str(rank), LOCAL_RANK=str(rank), **place) for rank in range(count)]


def together(forks, count, *words, cwd):
    """How the first of so many processes ends; the others end likewise, and write nothing."""
    ended = [command.wait() for command in start(forks, count, *words, cwd=cwd)]
    assert [one.code for one in ended] == [0] * count, [one.stderr for one in ended]
    assert [(one.stdout, one.stderr) for one in ended[1:]] == [(b"", "")] * (count - 1)
    return ended[0]


def tensors(folder, name="model"):
    return safetensors.torch.load_file(Path(folder) / f"{name}.safetensors")


def distance(ours, theirs):
    """The largest relative difference of two sets of tensors, each by its norm."""
    assert ours.keys() == theirs.keys()
    return max(float((ours[name] - theirs[name]).norm() / theirs[name].norm().clamp(1e-9)) for name in theirs)


def apart(records, near):
    """The metrics that may differ in their last digits, or those that may not."""
    nears = [{key for key in NEAR if record[key] is not None} for record in records]
    return [{key: one[key] for key in one if (key in there) == near} for one, there in zip(records, nears, strict=True)]


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (2, ("--kl", "0.04")),
        slow(2, ("--loss", "grpo")),
        slow(2, ("--loss", "dr_grpo", "--horizon", "12")),
        slow(2, ("--loss", "bnpo")),
        slow(2, ("--loss", "cispo")),
        slow(2, ("--loss", "sapo")),
        slow(2, ("--loss", "gspo")),
        slow(2, ("--micro-tokens", "40", "--max-grad-norm", "0.1")),
        slow(2, ("--lora", "4")),
        slow(2, ("--checkpointing",)),
        slow(3, ()),
    ],
)
def test_several_processes_have_the_gradient_and_the_weights_of_one(forks, aligned, tmp_path, count, options):
    words = ("train", aligned, *OPTIONS, *options, "--keep", "--out", "ckpt")
    for folder in ("one", "more"):
        (tmp_path / folder).mkdir()
    one = forks.run(*words, cwd=tmp_path / "one")
    more = together(forks, count, *words, cwd=tmp_path / "more")
    assert len(one.records) == 3, one.stderr
    for ours, theirs in zip(apart(more.records, True), apart(one.records, True), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-4, abs=1e-6)
    assert apart(more.records, False) == apart(one.records, False)
    # After one update AdamW's first moment is the gradient, but for a factor.
    gradients, theirs = (moments(tmp_path / folder / "ckpt-step0001") for folder in ("more", "one"))
    assert distance(gradients, theirs) < 1e-6
    name, most = ("adapter_model", 1e-5) if "--lora" in options else ("model", 1e-6)  # adapters begin at 0
    assert distance(*(tensors(tmp_path / folder / "ckpt", name) for folder in ("more", "one"))) < most
    assert others(tmp_path / "more") == others(tmp_path / "one")


def moments(folder):
    return {name: value for name, value in tensors(folder, "optimizer").items() if name.endswith("exp_avg")}


def others(folder):
    """The files of a checkpoint that no weight is in."""
    left = ("metrics.jsonl", "rcca.json")
    files = [path for path in (folder / "ckpt").iterdir() if path.is_file() and path.suffix != ".safetensors"]
    return {path.name: path.read_bytes() for path in files if path.name not in left}


@pytest.mark.slow
def test_more_updates_on_the_same_rows_go_together_too(forks, aligned, tmp_path):
    words = ("train", aligned, *OPTIONS, "--epochs", "2", "--minibatches", "3", "--groups-per-step", "1")
    one = forks.run(*words, "--out", "one", cwd=tmp_path)
    together(forks, 3, *words, "--out", "three", cwd=tmp_path)  # three rows at most in an update, so some have none
    assert sum(record["updates"] for record in one.records) == 30
    assert distance(tensors(tmp_path / "three"), tensors(tmp_path / "one")) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(("first", "then"), [(2, 1), (1, 2)])
def test_a_checkpoint_is_gone_on_from_by_any_number_of_processes(forks, aligned, tmp_path, first, then):
    lines = Path(aligned).read_bytes().splitlines(keepends=True)
    for name, part in (("a", lines[:8]), ("b", lines[8:])):
        (tmp_path / name).write_bytes(b"".join(part))
    forks.run("train", aligned, *OPTIONS, "--out", "whole", cwd=tmp_path)
    together(forks, first, "train", "a", *OPTIONS, "--out", "half", cwd=tmp_path)
    together(forks, then, "train", "b", *OPTIONS, "--from", "half", "--out", "rest", cwd=tmp_path)
    assert distance(tensors(tmp_path / "rest"), tensors(tmp_path / "whole")) < 1e-6
    assert distance(tensors(tmp_path / "rest", "optimizer"), tensors(tmp_path / "whole", "optimizer")) < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("then", [1, 2])
def test_two_processes_that_were_killed_are_resumed_by_any_number(forks, aligned, tmp_path, then):
    words = ("train", aligned, *OPTIONS)
    whole = together(forks, 2, *words, "--out", "whole", cwd=tmp_path)
    commands = start(forks, 2, *words, "--out", "cut", cwd=tmp_path)
    while not (tmp_path / "cut").exists():
        assert not commands[0].ends_within(0.02)
    for command in commands:
        command.kill()
        command.wait()
    resumed = together(forks, then, *words, "--out", "cut", "--resume", cwd=tmp_path)
    assert len(resumed.records) == len(whole.records)
    assert distance(tensors(tmp_path / "cut"), tensors(tmp_path / "whole")) < (1e-6 if then == 1 else 1e-12)


def test_an_error_of_the_first_process_ends_all_with_one_line(forks, aligned, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(Path(aligned).read_bytes() + b"{oops\n")
    first, second = (command.wait() for command in start(forks, 2, "train", "bad.jsonl", *OPTIONS, cwd=tmp_path))
    assert (first.code, second.code, second.stdout, second.stderr) == (2, 2, b"", "")
    assert len(first.records) == 2
    assert first.stderr.splitlines()[-1].startswith("rcca train: bad.jsonl:21:2: not JSON")


@pytest.mark.slow
def test_an_error_that_all_have_is_said_once(forks, aligned, tmp_path):
    record = orjson.loads(Path(aligned).read_bytes().splitlines()[0])
    record["rollout"]["tokens"][0] = 4000
    written(tmp_path / "bad", [record])
    ended = [command.wait() for command in start(forks, 2, "train", "bad", *OPTIONS, cwd=tmp_path)]
    assert [one.code for one in ended] == [2, 2]
    said = [line for one in ended for line in one.stderr.splitlines() if line.startswith("rcca train:")]
    assert len(said) == 1
    assert "token 4000" in said[0]


@pytest.mark.slow
@pytest.mark.parametrize("killed", [0, 1])
def test_a_process_that_is_killed_leaves_no_other_waiting(forks, aligned, tmp_path, killed):
    commands = start(forks, 2, "train", aligned, *OPTIONS, "--epochs", "500", cwd=tmp_path)
    while not (tmp_path / "ckpt").exists():
        assert not commands[0].ends_within(0.02)
    commands[killed].kill()
    commands[killed].wait()
    ended = commands[1 - killed].wait(60)
    assert ended.code == 2
    said = [line for line in ended.stderr.splitlines() if line.startswith("rcca train:")]
    assert len(said) == 1
    assert "has ended" in said[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "launcher",
    [
        ("torch.distributed.run", "--standalone", "--nproc-per-node", "2"),
        (
            "accelerate.commands.launch",
            "--cpu",
            "--num_processes",
            "2",
            "--num_machines",
            "1",
            "--mixed_precision",
            "no",
        ),
    ],
)
def test_launchers_start_it_and_only_the_first_reads_and_writes(forks, aligned, tmp_path, launcher):
    expected = together(forks, 2, "train", aligned, *OPTIONS, "--out", "forked", cwd=tmp_path)
    command = [sys.executable, "-m", *launcher, "-m", "rcca_cli", "train", *OPTIONS, "--out", "launched"]
    with open(aligned, "rb") as lines:
        ended = subprocess.run(command, stdin=lines, capture_output=True, cwd=tmp_path, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert ended.stdout == expected.stdout
    assert distance(tensors(tmp_path / "launched"), tensors(tmp_path / "forked")) < 1e-6


@pytest.mark.slow
def test_a_launched_call_that_fails_says_its_line_once(aligned, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(Path(aligned).read_bytes() + b"{oops\n")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "rcca_cli"]
    ended = subprocess.run(
        [*command, "train", "bad.jsonl", *OPTIONS], capture_output=True, cwd=tmp_path, timeout=300, check=False
    )
    assert ended.returncode != 0
    assert ended.stderr.decode().count("rcca train: ") == 1
    assert b"rcca train: bad.jsonl:21:2: not JSON" in ended.stderr
