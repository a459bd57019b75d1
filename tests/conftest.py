"""What several parts of the tests share: running `rcca` as a process."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, settings

# Laws do not depend on how busy the machine is, nor on the day. To search on: pytest --hypothesis-profile=explore
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("explore"), derandomize=True)
settings.load_profile("same")

RCCA = [sys.executable, "-m", "rcca_cli"]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in self.stdout.split(b"\n") if line]


def run_rcca(
    *arguments: str, stdin: bytes | Sequence[dict[str, Any]] = b"", cwd: Any = None, timeout: float = 300
) -> Ended:
    """`rcca ARGUMENTS` as a process of its own, with these bytes or records on standard input."""
    fed = stdin if isinstance(stdin, bytes) else b"".join(orjson.dumps(record) + b"\n" for record in stdin)
    # A coverage or colour setting of whoever runs the tests must not change what we see.
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    done = subprocess.run(
        [*RCCA, *arguments],
        input=fed,
        capture_output=True,
        cwd=cwd,
        env=environment,
        timeout=timeout,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr.decode())


@contextlib.contextmanager
def start(*arguments: str, cwd: Any = None) -> Iterator["subprocess.Popen[bytes]"]:
    """`rcca ARGUMENTS` under way, of which nothing is left afterwards."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*RCCA, *arguments], cwd=cwd, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture(scope="session")
def rcca() -> Any:
    """Run `rcca` as a process: `rcca("judge", "-", stdin=records)`."""
    return run_rcca


@pytest.fixture(scope="session")
def forks(tmp_path_factory: Any) -> Any:
    """Run `rcca` as a process that has torch imported already: `forks.run("train", path, cwd=folder)`."""
    from tests.zygote import zygote

    with zygote(tmp_path_factory.mktemp("zygote")) as started:
        yield started
