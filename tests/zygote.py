"""A process that has imported what takes seconds, and forks a real `rcca` for each line that it reads.

So a test can start, kill and resume a command a hundred times in the time that torch takes to be imported a few
times. The command is a process of its own, with its own files and its own end, in every way but its beginning.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import Ended


@dataclass
class Command:
    """`rcca WORDS` under way; what it writes goes to files."""

    zygote: "Zygote"
    pid: int
    out: Path
    err: Path

    def ends_within(self, seconds: float) -> bool:
        """Wait for so long at most; whether it has ended."""
        handle = os.pidfd_open(self.pid)
        try:
            return bool(select.select([handle], [], [], seconds)[0])
        finally:
            os.close(handle)

    def kill(self) -> None:
        """`kill -9`; it is not yet reaped, so the number is still its own."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self, seconds: float = 120) -> Ended:
        """How it ended: its exit code, or minus the signal; it must within so many seconds."""
        assert self.ends_within(seconds), f"still running: {self.err.read_text()}"
        code = self.zygote.ask({"wait": self.pid})
        return Ended(code, self.out.read_bytes(), self.err.read_text())


class Zygote:
    """The process that forks, and how to talk to it."""

    def __init__(self, process: "subprocess.Popen[bytes]", folder: Path) -> None:
        self.process = process
        self.folder = folder
        self.count = 0

    def ask(self, request: dict[str, Any]) -> int:
        """Its answer: one number."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> int:
        """The next number that it writes."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def start(self, *words: str, cwd: Path, stdin: str = os.devnull, **environment: str) -> Command:
        """`rcca WORDS` under way in `cwd`, reading the file `stdin`."""
        self.count += 1
        out, err = self.folder / f"{self.count}.out", self.folder / f"{self.count}.err"
        request = {"words": words, "cwd": str(cwd), "in": stdin, "out": str(out), "err": str(err)}
        return Command(self, self.ask(request | {"environment": environment}), out, err)

    def run(self, *words: str, cwd: Path, **more: str) -> Ended:
        """`rcca WORDS`, to its end."""
        return self.start(*words, cwd=cwd, **more).wait()


@contextlib.contextmanager
def zygote(folder: Path) -> Iterator[Zygote]:
    """A zygote, of which nothing is left afterwards."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.zygote"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    ) as process:
        try:
            forks = Zygote(process, folder)
            forks.answer()  # it is ready
            yield forks
        finally:
            process.kill()


def serve() -> None:
    """Fork and reap, as asked on standard input."""
    import torch.distributed.fsdp
    import torch.distributed.tensor  # noqa: F401

    import rcca_cli.cli
    import rcca_cli.rollout.stage
    import rcca_cli.train.stage
    from rcca_cli import models
    from tests.train.helpers import saved_policy  # sets one thread: none may be there when a process is forked

    with tempfile.TemporaryDirectory() as folder:
        models.load(saved_policy(Path(folder)))  # imports the rest
    rcca_cli.cli.build()
    answers = os.dup(1)
    os.write(answers, b"0\n")
    for raw in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(raw)
        if "wait" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        elif not (answer := os.fork()):
            os.close(answers)
            become(request)
        os.write(answers, f"{answer}\n".encode())


def become(request: dict[str, Any]) -> None:
    """Be `rcca WORDS` from here on."""
    from rcca_cli import cli

    os.chdir(request["cwd"])
    os.environ |= request["environment"]
    for number, (name, flags) in enumerate((("in", os.O_RDONLY), ("out", os.O_WRONLY), ("err", os.O_WRONLY))):
        os.dup2(os.open(request[name], flags | (os.O_CREAT if number else 0), 0o666), number)
    sys.argv = ["rcca", *request["words"]]
    code = 70
    try:
        cli.main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
