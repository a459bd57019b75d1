"""The command as its users call it: real processes, a real browser, a judge that is a real server with a script."""

import json
import signal
import threading

import orjson
import pytest

from rcca_cli.bench.artifacts import stage
from rcca_cli.bench.artifacts.referee import Limits
from rcca_cli.browser import harness
from rcca_cli.errors import ItemsFailed, RccaError
from tests import conftest
from tests.bench.artifacts.helpers import COUNTER, marked, row, say
from tests.bench.artifacts.shapes import SVG, block
from tests.rollout.server import serving


@pytest.fixture
def rows_file(tmp_path):
    """Three rows: a page, a drawing, an empty answer."""
    rows = [row(1), row(2, answer=block("svg", SVG), difficulty="hard"), row(3, answer="")]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    return tmp_path / "rows.json"


def test_without_a_model_every_row_comes_back_with_the_official_fields_and_ours(rcca, rows_file, tmp_path):
    words = ["bench", "artifacts", str(rows_file), "--columns", "qvl", "--report", str(tmp_path / "r.json")]
    ended = rcca(*words)
    assert ended.code == 0, ended.stderr
    page, drawing, empty = ended.records
    assert page["question"] == row()["question"]
    assert float(page["qvl_ans"]) == page["artifacts"]["score"] > 80
    assert page["qvl_reason"].startswith("Marked by rcca's own measurements")
    assert [one["artifacts"]["extract_status"] for one in ended.records] == ["ok", "wrapped_svg", "none"]
    assert empty["artifacts"]["score"] == 0.0
    assert page["artifacts"].keys() == drawing["artifacts"].keys() == empty["artifacts"].keys()
    assert "no --model" in ended.stderr
    figures = orjson.loads((tmp_path / "r.json").read_bytes())
    scores = [one["artifacts"]["score"] for one in ended.records]
    assert figures["avg"] == pytest.approx(sum(scores) / 3)
    assert (figures["n"], figures["errors"]) == (3, 0)


@pytest.mark.slow
def test_killed_and_called_again_it_pays_for_no_answer_twice(rcca, rows_file, tmp_path):
    answered, reached, released = [], threading.Event(), threading.Event()

    def judge(request):
        if answered and not released.is_set():
            reached.set()
            released.wait(120)
        answered.append(request["messages"])
        return say(marked())

    with serving(judge) as server:
        words = ["bench", "artifacts", str(rows_file), "-m", "judge", "--base-url", server.url]
        words += ["-o", str(tmp_path / "out.jsonl"), "--connections", "1", "--price-in", "1", "--price-out", "1"]
        with conftest.start(*words) as process:
            assert reached.wait(120)
            process.kill()
        reached.clear()
        with conftest.start(*words) as process:  # what was paid is known; the second request goes out again
            assert reached.wait(120)
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
            assert b"the same call again goes on" in process.stderr.read()
        released.set()
        first = answered[0]
        ended = rcca(*words)
        assert ended.code == 0, ended.stderr
        assert sum(messages == first for messages in answered) == 1
        assert not (tmp_path / "out.jsonl.partial").exists()
        lines = (tmp_path / "out.jsonl").read_bytes().strip().split(b"\n")
        scores = [orjson.loads(line)["artifacts"]["score"] for line in lines]
        assert scores == [70.0, 70.0, 0.0]
        before = len(server.asked)
        again = rcca(*words)
        assert (again.code, len(server.asked)) == (0, before)
        assert "0 calls" not in again.stderr


def test_what_would_be_paid_is_told_before(rcca, rows_file, tmp_path):
    words = ["bench", "artifacts", str(rows_file), "-m", "judge", "--price-in", "1", "--price-out", "2", "--dry-run"]
    ended = rcca(*words)
    assert (ended.code, ended.stdout) == (0, b"")
    assert "3 items (1 ok, 1 wrapped_svg, 1 none)" in ended.stderr
    assert "2 calls of the judge" in ended.stderr
    assert rcca(*words, "-o", str(tmp_path / "out.jsonl")).code == 0
    assert list(tmp_path.iterdir()) == [rows_file]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"compat": "official"}, "its judge is a model"),
        ({"compat": "new"}, "there are fixed, official"),
        ({"columns": "gpt"}, "there are gemini, qvl"),
        ({"base_urls": ("http://gpu",)}, "which of its models"),
        ({"limits": Limits(8192, 4096)}, "less than 6144 tokens"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is(given, problem):
    with pytest.raises(RccaError, match=problem):
        stage.Options(**given)


def test_a_judge_that_is_not_there_leaves_the_run_incomplete(tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(row(answer="No page.")))
    options = stage.Options(
        (str(tmp_path / "rows.jsonl"),), model="judge", base_urls=("http://127.0.0.1:9/v1",), attempts=1
    )
    with pytest.raises(
        ItemsFailed, match="1 of 1 items have no score; the same call again asks for 1 of them once more"
    ):
        stage.write(options, str(tmp_path / "out.jsonl"))
    written = orjson.loads((tmp_path / "out.jsonl").read_bytes())
    assert (written["artifacts"]["trouble"], written["gemini_ans"]) == ("judge_unanswered", None)


@pytest.mark.slow
def test_no_file_but_its_own_is_in_a_page_s_official_pictures(tmp_path):
    (tmp_path / "secret.html").write_text("<body style='background: red'><h1>secret</h1></body>")
    pictures = []
    for name in ("secret", "nothing"):
        folder = tmp_path / name
        folder.mkdir()
        page = folder / "html.html"
        page.write_text(f'<p>A</p><iframe src="file://{tmp_path}/{name}.html"></iframe>')
        taken = harness.taken(page, folder, 60_000)
        assert (len(taken.shots), taken.problem) == (3, None)
        pictures.append(taken.shots[0].read_bytes())
    assert pictures[0] == pictures[1]


@pytest.mark.slow
def test_the_official_way_shows_three_pictures_of_a_page_and_none_of_a_drawing(rcca, rows_file, tmp_path):
    secret = COUNTER.replace("<h1>", '<iframe src="file:///etc/hostname"></iframe><h1>')
    rows = [row(1), row(2, answer=block("svg", SVG)), row(3, answer=""), row(4, answer=block("html", secret))]
    rows_file.write_text("\n".join(map(json.dumps, rows)))
    replies = {
        1: '"Overall Score": "85/100"',
        2: '"Overall Score" : 72',
        3: '{"Overall Score": "5"}',
        4: '"Overall Score": 40',
    }

    def judge(request):
        (message,) = request["messages"]
        pictures = [part for part in message["content"] if part["type"] == "image_url"]
        text = message["content"][0]["text"]
        number = 4 if "iframe" in text else 2 if "<svg" in text else 1 if "Increase</button>" in text else 3
        assert len(pictures) == (3 if number in (1, 4) else 0)
        return say(replies[number])

    with serving(judge) as server:
        words = ["--compat", "official", "-m", "judge", "--base-url", server.url, "--step-seconds", "60"]
        ended = rcca("bench", "artifacts", str(rows_file), *words, timeout=600)
        assert len(server.asked) == 1 + 4 + 1 + 1
    assert ended.code == 1
    assert [one["gemini_ans"] for one in ended.records] == ["85", None, "5", "40"]
    assert "AVG 43.3333, Error count 1" in ended.stderr
    assert ended.records[0]["artifacts"]["shots"] == 3


def test_an_answer_that_the_model_never_gave_is_not_known_and_nobody_is_asked(tmp_path):
    task, lost = row(1), {"id": "artifacts:1/0", "group": "artifacts:1", "task": {"index": 1}, "rollout": None}
    (tmp_path / "tasks.json").write_text(json.dumps([task]))
    (tmp_path / "rows.jsonl").write_text(json.dumps(lost | {"error": "no reply"}))
    tasks = str(tmp_path / "tasks.json")
    options = stage.Options(
        (str(tmp_path / "rows.jsonl"),), tasks, model="judge", base_urls=("http://127.0.0.1:9/v1",), attempts=1
    )
    with pytest.raises(ItemsFailed, match=r"1 of 1 items have no score$"):
        stage.write(options, str(tmp_path / "out.jsonl"))
    written = orjson.loads((tmp_path / "out.jsonl").read_bytes())["artifacts"]
    assert (written["score"], written["failure"]) == (None, None)
    assert (written["trouble"], written["why"]) == ("unanswered", "no reply")
