"""A run that is told to end does so at once, wherever it is, and leaves nothing running."""

import pytest

from rcca_cli.browser import processes
from tests.conftest import start

RUN = ("run", "--out", "out", "--groups", "2", "-g", "4", "--eval-tasks", "2", "--steps", "3")


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("run.json", marks=pytest.mark.slow),  # the model is being loaded
        pytest.param("before.jsonl.partial", marks=pytest.mark.slow),  # answers are judged
        pytest.param("before.jsonl", id="sampling"),  # answers are sampled, in a thread of their own
        pytest.param("steps/0001.jsonl", marks=pytest.mark.slow),  # the policy is updated
    ],
)
def test_a_run_told_to_end_leaves_nothing_running(tmp_path, moment):
    with start(*RUN, cwd=tmp_path) as process:
        there = [tmp_path / "out" / name for name in (moment, moment.removesuffix(".partial"))]
        while not any(path.exists() for path in there):  # the partial file may be gone between two looks
            assert process.poll() is None, process.stderr.read()
        below = list(processes.descendants(process.pid))
        process.terminate()
        assert process.wait(60) == 143
        said = process.stderr.read()
    assert b"Traceback" not in said
    assert b"terminate called" not in said
    assert not [pid for pid in below if processes.command(pid)]
