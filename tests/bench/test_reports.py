"""The report in four formats, whole or absent."""

import csv
import io
import json

import pytest

from rcca_cli.bench import reports, summary
from rcca_cli.bench.miniapp import BENCHMARK, load
from rcca_cli.errors import RccaError
from tests.bench.canned import judged

HOSTILE = "<img src=x onerror=alert(1)>|\x1b[31m\nmodel"


def figures(subject="embedded"):
    records = [judged("water"), judged("roman", failed=["steps"]), judged("snake", unknown=["eats"])]
    return reports.Figures.of(BENCHMARK, subject, [summary.outcome(record, BENCHMARK) for record in records])


def test_json_holds_every_figure_and_every_app():
    value = json.loads(reports.as_json(figures()))
    assert (value["tasks"], len(value["missing"]), len(value["apps"])) == (len(load.names()), len(load.names()) - 3, 3)
    assert value["rows"][0]["passed"]["value"] == 0.5
    assert value["rows"][0]["errors"] == 1
    assert value["apps"][2]["error"] == "the browser was lost"


def test_csv_has_one_line_a_row_and_numbers_in_columns():
    lines = list(csv.DictReader(io.StringIO(reports.as_csv(figures()))))
    assert lines[0]["scope"] == "all"
    assert (lines[0]["passes"], lines[0]["passed"], lines[0]["passed_n"], lines[0]["errors"]) == ("1", "0.5", "2", "1")


def test_the_notes_say_what_is_missing_and_what_the_rule_is_not():
    notes = " ".join(figures().notes())
    assert f"{len(load.names()) - 3} of {len(load.names())} tasks have no answer" in notes
    assert f"Counted as failures, 1 of {len(load.names()) - 1} apps pass" in notes
    assert "Not comparable with the MiniAppBench leaderboard" in notes


def test_markdown_keeps_hostile_text_in_its_cell():
    text = reports.as_markdown(figures(HOSTILE))
    assert "<img" not in text
    assert text.splitlines()[0].startswith("# MiniApp")
    assert "| miniapp:roman/0 | Humanities | Easy | fail | 0.500 | steps |" in text


def test_html_shows_hostile_text_as_text():
    text = reports.as_html(figures(HOSTILE))
    assert "<img" not in text
    assert "\x1b" not in text
    assert "script-src 'none'" in text


def test_the_suffix_chooses_the_format():
    assert reports.form("a/report.MD") is reports.as_markdown
    with pytest.raises(RccaError, match=r"cannot tell the format from '.xlsx'"):
        reports.form("report.xlsx")


def test_a_report_is_written_whole(tmp_path):
    path = tmp_path / "new" / "report.csv"
    reports.write(str(path), "a,b\n")
    assert path.read_text() == "a,b\n"
    assert [file.name for file in path.parent.iterdir()] == ["report.csv"]
