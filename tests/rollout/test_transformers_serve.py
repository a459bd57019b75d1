"""A real server: `transformers serve` with the embedded policy, which tells texts and no tokens."""

import os
import re
import subprocess
import sys

import pytest

from rcca_cli.models.load import EMBEDDED
from rcca_cli.rollout.stage import Options, run
from tests.rollout.tasks import lines, task

pytestmark = pytest.mark.slow
TASKS = [task(name, f'Please write one self-contained HTML page titled "{name} Counter".') for name in ("Bird", "Cup")]


@pytest.fixture(scope="module")
def url():
    pytest.importorskip("fastapi", reason="transformers serve needs rcca[test]")
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", str(EMBEDDED), "--port", "0"]
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    child = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert child.stderr is not None
    try:
        said = ""
        for line in child.stderr:
            said += line
            if found := re.search(r"running on (http://[\w.:]+)", line):
                yield found[1] + "/v1"
                break
        else:
            pytest.fail(f"the server ended: {said[-500:]}")
    finally:
        child.terminate()
        child.communicate()


def test_greedy_answers_are_those_of_our_own_sampler(url):
    ours = [one["rollout"]["text"] for one in run(lines(*TASKS), Options(temperature=0))]
    served = Options(backend="openai", model=str(EMBEDDED), base_urls=(url,), temperature=0, jobs=1)
    theirs = [one["rollout"] for one in run(lines(*TASKS), served)]
    assert [one["text"] for one in theirs] == ours
    assert {one["finish_reason"] for one in theirs} == {"stop"}
    assert theirs[0]["sampling"]["min_p"] is None


def test_sampled_answers_follow_their_seeds(url):
    served = Options(backend="openai", model=str(EMBEDDED), base_urls=(url,), group_size=4, jobs=1)
    first, again = ([one["rollout"]["text"] for one in run(lines(TASKS[0]), served)] for _ in range(2))
    assert first == again
    assert len(set(first)) > 1
