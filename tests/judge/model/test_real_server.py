"""A real server with a real, very small model: it judges badly, and every answer of its is a row or a reason."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from rcca_cli.judge import verdicts
from tests.judge.model import scripted
from tests.judge.model.scripted import COUNTER, app, asked
from tests.models import smollm2


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """The address of `transformers serve` with SmolLM2-135M, and the model's name there."""
    try:
        folder = str(smollm2.folder())
    except ConnectionError as error:
        pytest.skip(str(error))
    # One thread: on a busy machine several wait for each other.
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", folder, "--host", "127.0.0.1"]
    with (
        (tmp_path_factory.mktemp("server") / "log").open("wb") as log,
        subprocess.Popen(
            [*command, "--port", str(port), "--device", "cpu"], stdout=log, stderr=log, env=environment
        ) as server,
    ):
        try:
            wait(server, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}/v1", folder
        finally:
            server.kill()


def wait(server, url):
    """Until it answers."""
    until = time.monotonic() + 300
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/health") as reply:
            if reply.status == 200:
                return
        time.sleep(0.2)
    raise AssertionError("the server did not start")


@pytest.mark.slow
@pytest.mark.parametrize("tools", [True, False])
def test_a_bad_model_on_a_real_server_gives_rows_or_reasons(court, served, tools):
    url, name = served
    record = app(COUNTER, asked("shows", "It shows a number", kind="initial"))
    how = {"model": name, "base_url": url, "tools": tools, "turns": 2, "max_tokens": 48, "seconds": 300.0}
    judge = scripted.judging(court.machine, **how).judge(record)
    (row,) = judge["verdicts"]
    assert row.keys() == verdicts.verdict("shows", True).keys()
    assert row["passed"] is not None or row["error"].startswith("the judge model")
    assert "gave no answer" not in (row["error"] or "")
