"""The report in four formats, whole or absent."""

import csv
import io
import json

import pytest

from rcca_cli.bench import reports
from rcca_cli.bench.miniapp import load, outcome, report, summary, theirs
from rcca_cli.bench.miniapp.figures import EMBEDDED, Figures, comparable, version
from rcca_cli.bench.miniapp.figures import judged as judged_by
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from tests.bench.canned import judged

HOSTILE = "<img src=x onerror=alert(1)>|\x1b[31m\nmodel"


def figures(subject="embedded"):
    records = [judged("water"), judged("roman", failed=["to-roman"]), judged("snake", unknown=["eats"])]
    outcomes = tuple(outcome.of(record, 0.8, "checks") for record in records)
    tasks = tuple(load.tasks())
    return Figures(subject, EMBEDDED, "checks", 0.8, tasks, outcomes, tuple(summary.rows(outcomes, tasks)))


def test_json_has_the_pass_rate_in_percent_n_and_every_app():
    value, n = json.loads(report.as_json(figures())), len(load.names())
    assert (value["pass_rate"], value["n"], value["passes"]) == (round(100 / n, 2), n, 1)
    assert (value["pass_rate_judged"], value["n_judged"]) == (50.0, 2)
    assert value["pass_rate_interval"][0] < value["pass_rate"] < value["pass_rate_interval"][1]
    assert (len(value["missing"]), value["unanswered"], value["unjudged"]) == (n - 3, 0, 1)
    assert (value["tasks"]["n"], value["threshold"], value["judge"]["kind"]) == (n, 0.8, "checks")
    assert value["apps"][2]["error"] == "the browser was lost"
    assert {row["scope"] for row in value["rows"]} == {"all", "class", "subclass", "level"}
    assert value["published"]["rows"][0]["model"] == "GLM-5"


def test_csv_has_one_line_a_row_and_numbers_in_columns():
    lines = list(csv.DictReader(io.StringIO(report.as_csv(figures()))))
    assert (lines[0]["scope"], lines[0]["passes"], lines[0]["n"]) == ("all", "1", str(len(load.names())))
    assert (lines[0]["judged"], lines[0]["judged_n"], lines[0]["unjudged"]) == ("0.5", "2", "1")


def test_the_notes_say_what_is_missing_and_what_may_not_be_compared():
    notes = " ".join(figures().notes())
    n = len(load.names())
    assert f"{n - 3} of {n} tasks have no answer" in notes
    assert "1 apps could not be judged, by our own fault (most often: the browser was lost)" in notes
    assert "Judged by executed checks." in notes
    assert f"count as failures in pass % (1 of {n}) and are left out of judged (1 of 2)" in notes
    assert "Not comparable with the MiniAppBench leaderboard" in notes


def test_a_judge_model_that_gave_no_verdict_is_named_with_the_commonest_reason():
    found = [judged("water", unknown=["logs"], sample=number) for number in range(3)]
    for one, reason in zip(found, ("cut off", "no object", "no object"), strict=True):
        one["judge"]["environment"] = {"model": "m@host prompt d"}
        for verdict in one["judge"]["verdicts"]:
            verdict["error"] = verdict["error"] and f"the judge model's reply could not be read: {reason}"
    outcomes = tuple(outcome.of(one, 0.8, "both") for one in found)
    tasks = (found[0],)
    notes = " ".join(Figures("m", EMBEDDED, "both", 0.8, tasks, outcomes, tuple(summary.rows(outcomes, tasks))).notes())
    assert "3 apps could not be judged by the judge model m@host prompt d" in notes
    assert "(most often: the judge model's reply could not be read: no object)" in notes
    assert "every item has one, no model was asked" in notes


def test_each_failed_item_is_there_with_what_was_asked_and_seen():
    record = judged("roman", failed=["to-roman"])
    verdict = next(one for one in record["judge"]["verdicts"] if one["rubric"] == "to-roman")
    verdict["diagnosis"] = "expected XIV,\nfound <b>" + "x" * 500
    stopped = judged("water", failed=["logs", "undo"], level="source")
    stopped["judge"]["gates"][1]["diagnosis"] = "does not parse"
    outcomes = tuple(outcome.of(one, 0.8, "checks") for one in (record, stopped))
    tasks = tuple(load.tasks())
    found = Figures("m", EMBEDDED, "checks", 0.8, tasks, outcomes, tuple(summary.rows(outcomes, tasks)))
    first, second = json.loads(report.as_json(found))["apps"]
    requirement = next(item["requirement"] for item in record["task"]["rubric"] if item["id"] == "to-roman")
    assert first["faults"][0]["item"] == "to-roman"
    assert requirement.startswith(first["faults"][0]["requirement"].rstrip("…"))
    assert first["faults"][0]["diagnosis"].startswith("expected XIV, found <b>xx")
    assert len(first["faults"][0]["diagnosis"]) == outcome.BRIEF
    assert second["faults"] == [{"item": "gate: source", "requirement": "", "diagnosis": "does not parse"}]
    for text in (report.as_markdown(found), report.as_html(found)):
        assert "expected XIV, found &lt;b" in text
        assert "does not parse" in text


def mixed(task):
    """The task with a check in its first item."""
    first, *others = task["task"]["rubric"]
    return task | {"task": task["task"] | {"rubric": [first | {"check": "{}"}, *others]}}


def test_tasks_of_their_own_are_said_to_be_comparable_within_limits():
    row = {"index": 1, "query": "A clock.", "eval-reference": {"static": ["A dial"]}}
    task = theirs.record(Line(row, "t", 1), 1)
    assert "1 of 1 tasks are in MiniAppBench's form" in comparable([task], "model")
    assert "judged by checks, not by its judge model" in comparable([task], "checks")
    shown = Figures("m", "t.json", "model", 0.8, (task,), (), tuple(summary.rows([], [task])))
    words = [judged_by([one], "both") for one in (task, mixed(task), load.tasks()[0])]
    assert words == [
        "Judged by a model that used each app, item by item: no item has a check.",
        "Judged by executed checks, but for 2 of 3 items that have none, by a model that used the app.",
        "Judged by executed checks: every item has one, no model was asked.",
    ]
    assert report.beside(shown)[0][0] == "» m"  # one task is no leaderboard's: above the ranking
    assert "2 scores have no reference" in " ".join(shown.notes())


def test_the_version_of_the_tasks_changes_with_what_is_asked_and_how_it_is_judged():
    (task, *_) = load.tasks()
    other = task | {"task": task["task"] | {"rubric": task["task"]["rubric"][:-1]}}
    assert version([task]) == version([task]) != version([other])


def test_markdown_keeps_hostile_text_in_its_cell_and_shows_the_published_figures():
    text = report.as_markdown(figures(HOSTILE))
    assert "<img" not in text
    assert text.splitlines()[0].startswith("# MiniApp")
    assert "| miniapp:roman/0 | Humanities | Easy | fail | 1.00 | 1.00 | 0.40 | – | – | to-roman |" in text
    assert "| GLM-5 | 61.80 | site | 2026-03-12 | counted as failures | 309 of 500 |" in text
    assert "| » &lt;img" in text


def test_html_shows_hostile_text_as_text():
    text = report.as_html(figures(HOSTILE))
    assert "<img" not in text
    assert "\x1b" not in text
    assert "script-src 'none'" in text
    assert ">GLM-5</td>" in text


def test_the_suffix_chooses_the_format():
    assert reports.form("a/report.MD", report.FORMS) is report.as_markdown
    with pytest.raises(RccaError, match=r"cannot tell the format from '.xlsx'"):
        reports.form("report.xlsx", report.FORMS)


def test_a_report_is_written_whole(tmp_path):
    path = tmp_path / "new" / "report.csv"
    reports.write(str(path), "a,b\n")
    assert path.read_text() == "a,b\n"
    assert [file.name for file in path.parent.iterdir()] == ["report.csv"]


def test_half_a_character_in_a_name_costs_no_report(tmp_path):
    half = figures("answers-\udcff.jsonl")
    assert json.loads(report.as_json(half))["subject"] == "answers-\udcff.jsonl"
    for suffix, form in report.FORMS.items():
        reports.write(str(tmp_path / f"r{suffix}"), form(half))
        (tmp_path / f"r{suffix}").read_bytes().decode()


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("out.json", "the records go there"),
        ("./sub/../out.json", "the records go there"),
        ("folder.json", "a folder, not a file"),
        ("file/r.json", "is a file, not a folder"),
        ("/proc/r.json", "No such file or directory"),
    ],
)
def test_a_report_that_cannot_be_written_is_told_before_any_work(tmp_path, monkeypatch, place, problem):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(RccaError, match=problem):
        reports.form(place, report.FORMS, "out.json")
    with pytest.raises(RccaError, match=problem):
        reports.need_json(place, "out.json")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "folder.json", "sub"]
