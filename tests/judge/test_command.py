"""`rcca judge` as a process: exit codes, resume after a kill, and nothing left behind."""

import os
import signal
import subprocess
import sys
import time

import orjson
import pytest

from rcca_cli.browser import processes
from tests.judge.records import ADDS, SHOWS, TODO, answer, record

RECORDS = [
    record(answer(TODO if number % 3 else TODO.replace("append", "remove")), SHOWS, ADDS, name=f"t1/{number}")
    for number in range(5)
]


def started(*arguments, cwd, stdin=subprocess.DEVNULL):
    command = [sys.executable, "-m", "rcca_cli", "judge", *arguments]
    return subprocess.Popen(command, cwd=cwd, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def browsers(pid):
    """The browsers that a process has started."""
    return [one for one in processes.descendants(pid) if "--rcca-browser" in processes.command(one)]


def gone(pids):
    """Whether all these processes end within ten seconds."""
    deadline = time.monotonic() + 10
    while any(processes.command(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in RECORDS))
    return tmp_path


def test_a_killed_judge_is_resumed_to_the_same_bytes_and_leaves_no_browser(rcca, folder):
    whole = rcca("judge", "in.jsonl", "--jobs", "2", cwd=folder)
    assert whole.code == 0, whole.stderr

    killed = started("in.jsonl", "-o", "out.jsonl", "--jobs", "2", cwd=folder)
    partial = folder / "out.jsonl.partial"
    while killed.poll() is None and not (partial.exists() and partial.read_bytes().count(b"\n") >= 2):
        time.sleep(0.01)
    left = browsers(killed.pid)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert left
    assert not (folder / "out.jsonl").exists()

    resumed = rcca("judge", "in.jsonl", "-o", "out.jsonl", "--jobs", "2", "--resume", cwd=folder)
    assert resumed.code == 0, resumed.stderr
    assert (folder / "out.jsonl").read_bytes() == whole.stdout
    assert gone(left)


def test_a_reader_that_leaves_early_and_a_signal_end_it_quietly(folder):
    reading = started("in.jsonl", "--jobs", "2", cwd=folder)
    assert orjson.loads(reading.stdout.readline())["id"] == "t1/0"
    left = browsers(reading.pid)
    reading.stdout.close()
    assert reading.wait(timeout=60) == 141
    assert gone(left)

    endless = started("-", cwd=folder, stdin=subprocess.PIPE)
    endless.stdin.write(orjson.dumps(RECORDS[0]) + b"\n")
    endless.stdin.flush()
    assert endless.stdout.readline()
    left = browsers(endless.pid)
    endless.send_signal(signal.SIGTERM)
    assert endless.wait(timeout=60) == 143
    assert endless.stderr.read() == b""
    assert gone(left)
    endless.stdin.close()
    for stream in (endless.stdout, endless.stderr, reading.stderr):
        stream.close()


def test_a_browser_that_is_not_there_is_said_so(rcca, folder):
    ended = rcca("judge", "in.jsonl", "--browser", str(folder / "none"), cwd=folder)
    assert ended.code == 2
    assert "no such browser" in ended.stderr


def test_the_environment_of_a_proxy_or_display_changes_nothing(rcca, monkeypatch):
    before = rcca("judge", stdin=RECORDS[:1])
    monkeypatch.setitem(os.environ, "HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setitem(os.environ, "DISPLAY", ":77")
    monkeypatch.setitem(os.environ, "TZ", "Asia/Tokyo")
    assert rcca("judge", stdin=RECORDS[:1]).stdout == before.stdout


def test_a_reward_that_is_none_is_said_so(rcca, folder):
    ended = rcca("judge", "in.jsonl", "--reward", "best", cwd=folder)
    assert (ended.code, ended.stderr) == (2, "rcca judge: --reward best: there are hierarchical, flat, all-pass\n")
