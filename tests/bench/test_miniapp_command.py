"""`rcca bench miniapp` as a process: a page that passes, one with a bug, one that hangs, and no page at all."""

import json
import re

import pytest

from rcca_cli.bench.miniapp import load, sampling
from rcca_cli.errors import ItemsFailed
from tests.browser.packages import mirror_in


def answer(task, html):
    return {"id": task, "text": f"```html\n{html}\n```\n"}


@pytest.fixture(scope="module")
def ended(rcca, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    good = load.page("unit-price", "reference")
    bug = next(one for one in load.bugs("unit-price") if one.rubric == "unit-prices")
    answers = [
        answer("unit-price", good) | {"usage": {"prompt_tokens": 9, "completion_tokens": 1200}, "seconds": 4.5},
        answer("unit-price", good.replace(bug.find, bug.replace)),
        answer("roman", "<!DOCTYPE html><title>x</title><h1>x</h1><script>while(true){}</script>"),
        {"index": 9, "answer": "I cannot write apps."},
        {"index": 4, "text": None, "error": "generation failed"},
    ]
    wanted = ("--index", "4-9", "--level", "Easy", "--level", "Hard", "--report", str(folder / "report.json"))
    kinds = ("--class", "Tools", "--class", "Humanities", "--class", "Lifestyle", "--class", "Games")
    done = rcca("bench", "miniapp", "--answers", "-", *wanted, *kinds, stdin=answers)
    return done, json.loads((folder / "report.json").read_text())


def test_there_is_one_record_an_answer_in_order(ended):
    done, _ = ended
    assert [record["id"] for record in done.records] == [
        "miniapp:unit-price/0",
        "miniapp:unit-price/1",
        "miniapp:roman/0",
        "miniapp:water/0",
        "miniapp:snake/0",
        "miniapp:kanban/0",  # which nobody answers
    ]
    levels = [record["judge"] and record["judge"]["level"] for record in done.records]
    assert levels == ["functional", "functional", "runtime", "format", None, None]
    assert [record["bench"]["passed"] for record in done.records] == [True, False, False, False, None, None]
    assert (done.records[-1]["rollout"], done.records[-1]["bench"]["error"]) == (None, "no answer")
    assert "unit-prices" in done.records[1]["bench"]["failed"]


def test_each_record_says_its_scores_tokens_seconds_and_judge(ended):
    done, _ = ended
    first, *_, last, _ = (record["bench"] for record in done.records)
    assert (first["intention"], first["static"], first["dynamic"]) == (1.0, 1.0, 1.0)
    assert (first["tokens"], first["seconds"], first["error"]) == (1200, 4.5, None)
    assert first["judging"] > 0
    assert first["judge"]["kind"] == "checks"
    assert first["judge"]["browser"] == done.records[0]["judge"]["environment"]["browser"]
    assert (last["error"], last["judge"], last["answered"]) == ("generation failed", None, False)


def test_an_answer_that_could_not_be_had_ends_with_1_and_the_report_has_both_denominators(ended):
    done, report = ended
    assert done.code == 1
    assert "1 of 5 answers could not be had (the reasons are in bench.error)" in done.stderr
    # Asked: snake, unit-price, kanban, roman, water (4 to 9 but Mid); nobody answers kanban.
    assert (report["pass_rate"], report["n"], report["passes"]) == (16.67, 6, 1)
    assert (report["pass_rate_judged"], report["n_judged"]) == (25.0, 4)
    assert (report["missing"], report["unanswered"]) == (["miniapp:kanban"], 1)
    assert report["tasks"]["n"] == 5


def test_the_table_is_on_standard_error(ended):
    done, _ = ended
    assert re.search(r"all +1 of 6 +17 \[\d+, \d+\]", done.stderr)
    assert "Not comparable with the MiniAppBench leaderboard" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_task_written_by_hand_is_asked_as_it_is(rcca, tmp_path):
    counts = {"cases": [{"n": 1}, {"n": 2}], "steps": [{"expect": "text", "contains": "Guests: {n}"}]}
    item = {"id": "counts", "requirement": "It counts", "kind": "interaction", "importance": "essential"}
    task = {
        "prompt": [{"role": "user", "content": "Count guests."}],
        "rubric": [item | {"parents": [], "check": counts}],
    }
    (tmp_path / "mine.json").write_text(json.dumps({"task": task}) + "\n")
    made = rcca("bench", "miniapp", "--tasks", "mine.json", "--write-tasks", cwd=tmp_path)
    (record,) = made.records
    (same,) = rcca("synth", "mine.json", cwd=tmp_path).records
    assert (record["group"], record["task"]["rubric"]) == (same["group"], same["task"]["rubric"])
    assert record["task"]["index"] == 1


def test_a_score_below_what_is_wanted_ends_with_1(rcca):
    done = rcca(
        "bench", "miniapp", "--answers", "-", "--index", "9", "--min-score", "50", stdin=[{"id": "9", "text": ""}]
    )
    assert done.code == 1
    assert done.stderr.splitlines()[-1] == "rcca bench miniapp: pass rate 0 %, wanted: 50 % or more (--min-score)"


def test_the_tasks_can_be_answered_elsewhere_and_asked_again(rcca, tmp_path):
    written = rcca("bench", "miniapp", "--write-tasks", "--limit", "3")
    assert [record["task"]["index"] for record in written.records] == [1, 2, 3]
    (tmp_path / "tasks.jsonl").write_bytes(written.stdout)
    (tmp_path / "theirs.json").write_text(json.dumps([{"index": 7, "query": "A clock.", "level": "Medium"}]))
    again = rcca("bench", "miniapp", "--tasks", "tasks.jsonl", "--write-tasks", cwd=tmp_path)
    assert again.stdout == written.stdout
    (clock,) = rcca("bench", "miniapp", "--tasks", "theirs.json", "--write-tasks", cwd=tmp_path).records
    assert (clock["group"], clock["task"]["level"]) == ("miniappbench:7", "Mid")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--answers", "embedded:mine"), "--answers embedded:mine: there are references"),
        (("--answers", "embedded:bugs:x"), "--answers embedded:bugs:x: no such task"),
        (("--report", "figures.xlsx"), "--report figures.xlsx: cannot tell the format"),
        (("--judge", "model"), "--judge model: which model (name it: --judge-model NAME)"),
        (("--class", "Sience"), "--class sience: there are Science, Games"),
        (("--tasks", "theirs.json"), "--judge checks: none of the 3 items has a check (--judge model with"),
    ],
)
def test_mistakes_are_told_before_any_work(rcca, tmp_path, arguments, message):
    (tmp_path / "theirs.json").write_text(json.dumps([{"index": 7, "query": "A clock."}]))
    done = rcca("bench", "miniapp", *arguments, cwd=tmp_path)
    assert (done.code, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"rcca bench miniapp: {message}")


@pytest.mark.slow
def test_answers_that_must_come_to_something_say_whether_they_did(rcca):
    done = rcca("bench", "miniapp", "--answers", "embedded:bugs:unit-price")
    assert done.code == 0, done.stderr
    n = len(load.bugs("unit-price"))
    assert f"expected of these answers: {n} of {n} came to just that." in done.stderr
    assert "no answer" not in done.stderr  # the other tasks were not asked
    assert [record["truth"][0]["rubric"] for record in done.records] == [bug.rubric for bug in load.bugs("unit-price")]
    assert all(record["truth"][0]["rubric"] in record["bench"]["failed"] for record in done.records)


def test_windows_keep_what_came_before_some_answers_failed():
    def sampled():
        yield from ({"id": str(number)} for number in range(5))
        raise ItemsFailed("1 of 5 answers could not be had")

    assert [[record["id"] for record in window] for window in sampling.together(sampled(), 2)] == [
        ["0", "1"],
        ["2", "3"],
        ["4"],
    ]


def test_files_beside_the_page_are_judged_as_part_of_it(rcca):
    page = load.page("unit-price", "reference")
    head, _, rest = page.partition("<script>")
    code, _, tail = rest.rpartition("</script>")
    text = f"#### `index.html`\n\n```html\n{head}<script src='app.js'></script>{tail}\n```\n"
    text += f"\n#### `app.js`\n\n```js\n{code}\n```\n"
    done = rcca("bench", "miniapp", "--answers", "-", "--index", "5", stdin=[{"index": 5, "text": text}])
    (record,) = done.records
    assert record["bench"]["every"] is True
    assert record["original"] == text


@pytest.mark.slow
def test_an_app_that_needs_a_library_is_judged_with_the_mirror_and_not_known_without(rcca, tmp_path):
    needs = '<script src="https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3"></script><script>tinyLib.version</script>'
    answers = [answer("unit-price", load.page("unit-price", "reference").replace("</body>", needs + "</body>"))]
    command = ("bench", "miniapp", "--answers", "-", "--index", "5")
    without = rcca(*command, stdin=answers)
    mirrored = rcca(*command, "--cdn", str(mirror_in(tmp_path)), stdin=answers)
    assert (without.code, without.records[0]["bench"]["passed"]) == (1, None)
    assert (mirrored.code, mirrored.records[0]["bench"]["passed"]) == (0, True)
