"""The stages on Ray Data with two actors of this machine, of which one dies on the way."""

import importlib.util
import json
import os
import signal

import pytest

from rcca_cli import scale
from rcca_cli.browser import processes
from rcca_cli.errors import RccaError

pytestmark = pytest.mark.slow
if importlib.util.find_spec("ray") is None:
    pytest.skip("the extra `scale` is not installed: Ray is NOT tested", allow_module_level=True)


@pytest.fixture(scope="module")
def ray():
    import ray

    ray.init(num_cpus=4, object_store_memory=100 << 20, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def rollouts(rcca, tmp_path_factory):
    """Twelve answers to three tasks, in two files."""
    folder = tmp_path_factory.mktemp("rollouts")
    made = rcca("synth", "-n", "3", "--solutions", "all").stdout.splitlines(keepends=True)
    lines = [line for line in made if line][:12]
    for name, part in (("1", lines[:5]), ("2", lines[5:])):
        (folder / f"{name}.jsonl").write_bytes(b"".join(part))
    return folder


def workers(name):
    """The process ids of the actors whose work has this name, below this process: others may use Ray as well."""
    below = ((pid, processes.command(pid)) for pid in processes.descendants(os.getpid()))
    return [pid for pid, words in below if words.startswith("ray::") and name in words]


def test_an_actor_that_is_killed_loses_nothing_and_doubles_nothing(ray, rcca, rollouts, tmp_path):
    judged = scale.judge(scale.read(str(rollouts)), actors=(2, 2), cpus=1, batch=1, jobs=1)
    found, killed = [], 0
    for row in judged.iter_rows():
        found.append(json.loads(row["line"]))
        if len(found) == 2:
            killed = workers("Judge")[0]  # the other one may not have begun yet
            os.kill(killed, signal.SIGKILL)
    while killed in workers("Judge"):  # a process that is killed takes a moment to end
        pass
    files = sorted(str(path) for path in rollouts.iterdir())
    assert found == rcca("judge", *files).records


def test_aligned_groups_are_those_of_the_pipe(ray, rcca, rollouts, tmp_path):
    files = sorted(str(path) for path in rollouts.iterdir())
    judged = tmp_path / "judged.jsonl"
    judged.write_bytes(rcca("judge", *files).stdout)
    scale.write(scale.align(scale.read(str(judged)), tokenizer="embedded"), str(tmp_path / "aligned.jsonl"))
    ours = [json.loads(line) for line in (tmp_path / "aligned.jsonl").read_text().splitlines()]
    theirs = rcca("align", "--tokenizer", "embedded", str(judged)).records
    assert sorted(ours, key=lambda one: one["id"]) == sorted(theirs, key=lambda one: one["id"])


def test_what_a_model_answers_is_what_it_answers_in_the_pipe(ray, rcca, tmp_path):
    (tmp_path / "tasks.jsonl").write_bytes(rcca("synth", "-n", "2").stdout)
    options = {"group_size": 2, "max_new_tokens": 40}
    scale.write(scale.rollout(scale.read(str(tmp_path / "tasks.jsonl")), **options), str(tmp_path / "answers.jsonl"))
    ours = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    command = ("rollout", "-g", "2", "--max-new-tokens", "40", str(tmp_path / "tasks.jsonl"))
    assert ours == rcca(*command).records


def test_a_line_that_is_no_record_is_one_line(ray, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"id": "a"}\n')
    with pytest.raises(RccaError, match="a:1: group: expected a string"):
        scale.write(scale.align(scale.read(str(tmp_path / "bad.jsonl"))), str(tmp_path / "aligned.jsonl"))
    assert not (tmp_path / "aligned.jsonl").exists()
