"""`rcca bench miniapp` as a process: a page that passes, one with a bug, one that hangs, and no page at all."""

import json
import re

import pytest

from rcca_cli.bench import stage
from rcca_cli.bench.miniapp import load
from rcca_cli.errors import ItemsFailed
from tests.browser.packages import mirror_in


def answer(task, html):
    return {"id": task, "text": f"```html\n{html}\n```\n"}


@pytest.fixture(scope="module")
def ended(rcca, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    good = load.page("unit-price", "reference")
    bug = next(one for one in load.bugs("unit-price") if one.rubric == "saving")
    answers = [
        answer("unit-price", good),
        answer("unit-price", good.replace(bug.find, bug.replace)),
        answer("roman", "<!DOCTYPE html><title>x</title><h1>x</h1><script>while(true){}</script>"),
        {"index": 9, "answer": "I cannot write apps."},
    ]
    done = rcca("bench", "miniapp", "--answers", "-", "--report", str(folder / "report.json"), stdin=answers)
    return done, json.loads((folder / "report.json").read_text())


def test_there_is_one_judged_record_an_app_in_order(ended):
    done, _ = ended
    assert [record["id"] for record in done.records] == [
        "miniapp:unit-price/0",
        "miniapp:unit-price/1",
        "miniapp:roman/0",
        "miniapp:water/0",
    ]
    assert [record["judge"]["level"] for record in done.records] == ["functional", "functional", "runtime", "format"]
    assert [record["bench"]["passed"] for record in done.records] == [True, False, False, False]
    assert done.records[1]["bench"]["failed"] == ["saving"]


def test_nothing_unknown_ends_with_0_and_the_report_counts(ended):
    done, report = ended
    assert done.code == 0, done.stderr
    row = report["rows"][0]
    assert (row["passes"], row["passed"]["n"], row["errors"]) == (1, 4, 0)
    assert row["rubric"]["value"] == (1 + 7 / 8) / 4
    assert len(report["missing"]) == len(load.names()) - 3


def test_the_table_is_on_standard_error(ended):
    done, _ = ended
    assert re.search(r"all +1 of 4 +25 \[5, 70\]", done.stderr)
    assert "Not comparable with the MiniAppBench leaderboard" in done.stderr
    assert "\x1b" not in done.stderr


def test_the_tasks_can_be_answered_elsewhere(rcca):
    done = rcca("bench", "miniapp", "--tasks")
    assert len(done.records) == len(load.names())
    assert {"prompt", "rubric"} <= set(done.records[0]["task"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("miniapp", "--answers", "embedded:mine"),
            "rcca bench miniapp: --answers embedded:mine: there are references",
        ),
        (
            ("miniapp", "--answers", "embedded:bugs:x"),
            "rcca bench miniapp: --answers embedded:bugs:x: no such task",
        ),
        (("miniapp", "--report", "figures.xlsx"), "rcca bench miniapp: --report figures.xlsx: cannot tell the format"),
    ],
)
def test_mistakes_are_told_before_any_work(rcca, arguments, message):
    done = rcca("bench", *arguments)
    assert (done.code, done.stdout) == (2, b"")
    assert done.stderr.startswith(message)


def test_answers_that_must_come_to_something_say_whether_they_did(rcca):
    done = rcca("bench", "miniapp", "--answers", "embedded:bugs:unit-price")
    assert done.code == 0, done.stderr
    n = len(load.bugs("unit-price"))
    assert f"expected of these answers: {n} of {n} came to just that." in done.stderr
    assert [record["truth"][0]["rubric"] for record in done.records] == [bug.rubric for bug in load.bugs("unit-price")]
    assert all(record["truth"][0]["rubric"] in record["bench"]["failed"] for record in done.records)


def test_windows_keep_what_came_before_some_answers_failed():
    def sampled():
        yield from ({"id": str(number)} for number in range(5))
        raise ItemsFailed("1 of 5 answers could not be had")

    assert [[record["id"] for record in window] for window in stage.windows(sampled(), 2)] == [
        ["0", "1"],
        ["2", "3"],
        ["4"],
    ]


def test_an_app_that_needs_a_library_is_judged_with_the_mirror_and_not_known_without(rcca, tmp_path):
    needs = '<script src="https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3"></script><script>tinyLib.version</script>'
    answers = [answer("unit-price", load.page("unit-price", "reference").replace("</body>", needs + "</body>"))]
    command = ("bench", "miniapp", "--answers", "-")
    without = rcca(*command, stdin=answers)
    mirrored = rcca(*command, "--cdn", str(mirror_in(tmp_path)), stdin=answers)
    assert (without.code, without.records[0]["bench"]["passed"]) == (1, None)
    assert (mirrored.code, mirrored.records[0]["bench"]["passed"]) == (0, True)
