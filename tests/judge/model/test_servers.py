"""Which server judges is said at the start; one that is not there ends the call at once."""

import json

import pytest

from rcca_cli.chat import Client, Remembering
from rcca_cli.errors import RccaError
from tests.judge.model.scripted import app, say
from tests.rollout.server import serving

DEAD = "http://127.0.0.1:9/v1"  # discard: nothing listens there


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "rollouts.jsonl"
    path.write_text(json.dumps(app()) + "\n")
    return str(path)


@pytest.mark.parametrize("command", ["judge", "miniapp", "artifacts"])
def test_a_dead_server_ends_the_call_with_one_line(rcca, records, tmp_path, command):
    row = {"index": 1, "question": "q", "answer": "```html\n<p>x</p>\n```"}
    row["checklist"] = [{"id": n, "title": "t", "description": "d", "maxScore": 10} for n in range(10)]
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    by = ("--judge", "model", "--judge-model", "m", "--judge-url", DEAD)
    arguments = {
        "judge": ("judge", records, "--model", "m", "--base-url", DEAD),
        "miniapp": ("bench", "miniapp", "--answers", "embedded:references:water", *by),
        "artifacts": ("bench", "artifacts", str(tmp_path / "rows.jsonl"), "--model", "m", "--base-url", DEAD),
    }[command]
    done = rcca(*arguments, timeout=60)
    lines = done.stderr.splitlines()
    assert (done.code, done.stdout) == (2, b"")
    assert f"judge model m at {DEAD}" in lines
    assert [line for line in lines if "Connection error" in line] == [lines[-1]]
    assert "no server of m can be reached" in lines[-1]


def test_kept_replies_need_no_server(tmp_path):
    with serving(say("kept")) as server:
        url = server.url
        first = Remembering(Client(url, "m"), str(tmp_path))
        first.introduce("judge model")
        first.complete([{"role": "user", "content": "a"}])
    again = Remembering(Client(url, "m"), str(tmp_path))
    again.introduce("judge model")
    assert again.complete([{"role": "user", "content": "a"}]).text == "kept"
    with pytest.raises(RccaError, match="can be reached"):
        again.complete([{"role": "user", "content": "b"}])


def test_one_server_of_several_is_enough():
    with serving(say("x")) as server:
        Client([DEAD, server.url], "m").need_server()
    with pytest.raises(RccaError, match="can be reached"):
        Client([DEAD, DEAD], "m").need_server()
