"""What is counted, by hand; and what is kept for the next call."""

import base64
import csv
import io
from dataclasses import replace

import orjson
import pytest

from rcca_cli.bench.artifacts import report, stage, summary
from rcca_cli.bench.artifacts.evidence import Album, Evidence, Picture
from rcca_cli.bench.artifacts.journal import Journal
from rcca_cli.bench.artifacts.ledger import Ledger, Prices, Spent
from rcca_cli.bench.artifacts.nomodel import NoModel
from rcca_cli.bench.artifacts.outcome import Outcome
from rcca_cli.bench.artifacts.verdict import Verdict
from rcca_cli.errors import RccaError
from tests.bench.artifacts.helpers import item


def outcome(index, score, group="A-x", difficulty="easy", **more):
    marks = (None,) * 10 if score is None else tuple(int(score // 10) for _ in range(10))
    verdict = Verdict(score, **({"overall": score, "scores": marks} | more))
    one = item(index, **{"class": group, "difficulty": difficulty})
    return Outcome(one, Evidence("ok"), verdict, "fixed", "a judge", 0, 100).lighter()


@pytest.fixture
def figures():
    outcomes = [
        outcome(1, 40.0, overall=50.0),
        outcome(2, 80.0, difficulty="hard", repeats=(70.0, 90.0, 80.0)),
        outcome(3, 30.0, group="B-y"),
        outcome(4, None, group="B-y", trouble="judge_unparsed"),
    ]
    return summary.figures(outcomes, stage.Options(), ["5"], Ledger(Prices()))


def test_the_mean_leaves_out_what_has_no_score_and_the_filled_one_does_not(figures):
    assert figures.whole.mean.value == 50.0  # (40 + 80 + 30) / 3
    assert (figures.whole.mean.n, figures.whole.unscored) == (3, 1)
    assert figures.whole.filled.value == 30.0  # 150 / 5: one without score, one that nobody answered
    assert figures.macro == 45.0  # of A 60, of B 30
    assert figures.gap == pytest.approx(10 / 3)
    assert figures.spread == 20.0
    assert figures.troubles == {"judge_unparsed": 1}


def test_there_is_a_row_for_each_class_difficulty_criterion_and_group(figures):
    found = {(row.scope, row.name): (row.mean.value, row.filled.value) for row in figures.rows}
    assert found["class", "A"] == (60.0, 60.0)
    assert found["class", "B"] == (30.0, 15.0)
    assert found["difficulty", "hard"] == (80.0, 80.0)
    assert found["slot", "4 robustness"][0] == 5.0  # (4 + 8 + 3) / 3
    assert found["group", "visual"][0] == 5.0
    assert len(figures.rows) == 1 + 2 + 2 + 10 + 3


def test_a_report_says_the_same_in_each_form(figures):
    told = orjson.loads(report.as_json(figures))
    assert (told["avg"], told["avg_zero_filled"], told["n"], told["errors"]) == (50.0, 30.0, 3, 1)
    assert len(told["items"]) == 4
    lines = list(csv.DictReader(io.StringIO(report.as_csv(figures))))
    assert (lines[0]["name"], lines[0]["mean"], lines[0]["zero_filled"]) == ("all", "50.0", "30.0")
    for form in (report.as_markdown, report.as_html):
        assert "AVG 50.0000, Error count 1" in form(figures)


def test_the_page_has_the_pictures_and_what_a_page_says_only_as_text(tmp_path):
    album = Album(tmp_path)
    name = album.keep(b"a picture")
    seen = Evidence("ok", frames=(Picture(name, 10, 10, "after <script>"),))
    one = replace(outcome(1, 40.0, group="<b>-x"), evidence=seen)
    page = report.as_html(summary.figures([one], stage.Options(), [], Ledger(Prices()), album))
    assert base64.b64encode(b"a picture").decode() in page
    assert "after &lt;script&gt;" in page
    assert "<b>" not in page


def test_a_journal_is_read_up_to_a_line_that_a_crash_has_torn(tmp_path):
    with Journal(tmp_path) as journal:
        journal.put("a", "see", 1, {"half": "\ud800"})
        journal.put("b", "mark", 2, [1])
    with journal.path.open("ab") as stream:
        stream.write(b'{"key": "c", "sta')
    with Journal(tmp_path) as journal:
        assert (journal.get("a"), journal.get("b"), journal.get("c")) == ({"half": "\ud800"}, [1], None)
        assert journal.done("mark") == {"2"}
        journal.put("c", "see", 3, 0)
    with Journal(tmp_path) as journal:
        assert journal.get("c") == 0


def test_the_published_figures_stand_beside_ours_with_what_may_be_compared(figures):
    markdown, told = report.as_markdown(figures), orjson.loads(report.as_json(figures))
    assert "| GPT-5 | 72.55 | v1.2 | 2025-08 | dropped |" in markdown
    assert f"| » {figures.subject} | {figures.whole.mean.value:.2f} | this report | – | dropped |" in markdown
    assert told["published"]["benchmark"] == "ArtifactsBench"
    assert report.beside(figures)[0][0] == f"» {figures.subject}"  # a few items, so above the ranking
    assert report.beside(figures)[0][-1].startswith("not ranked: ")
    assert "GPT-5" in report.as_html(figures)
    words = [report.comparable(replace(figures, **change)) for change in ({}, {"compat": "official"})]
    assert words[0].startswith("Not comparable with the leaderboard: another protocol")
    assert words[1].startswith("By the released protocol in words of our own, judged by a judge.")
    assert "by no model" in report.comparable(replace(figures, judge=NoModel.identity))


@pytest.mark.parametrize(
    "line",
    [
        b'{"key": [], "stage": "see", "index": 1, "value": 1}',
        b'{"key": "c", "stage": ["see"], "index": 1, "value": 1}',
        b'{"key": "call/c", "stage": "call", "index": 1, "value": {"read": "many"}}',
        b'{"key": "call/c", "stage": "call", "index": 1, "value": null}',
        b"[]",
        b"\0\0\0",
    ],
)
def test_a_line_of_a_journal_that_is_no_entry_costs_only_itself(tmp_path, line, capsys):
    with Journal(tmp_path) as journal:
        journal.put("call/a", "call", 1, {"read": 3, "written": 4})
    journal.path.write_bytes(journal.path.read_bytes() + line + b"\n")
    with Journal(tmp_path) as journal:
        journal.put("call/b", "call", 1, {"read": 30, "written": 40})
    with Journal(tmp_path) as journal:
        assert journal.spent() == (33, 44)
    assert "1 lines cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("told", [None, {}, [], 1, {"scores": 1}, {"acts": [1], "frames": [], "strip": None}])
def test_what_is_kept_in_another_shape_is_done_again(told):
    assert (Evidence.of(told), Verdict.of(told)) == (None, None)


def test_a_folder_has_one_call_at_a_time(tmp_path):
    with Journal(tmp_path), pytest.raises(RccaError, match="another call"), Journal(tmp_path):
        pass


def test_money_is_set_aside_before_it_is_spent():
    ledger = Ledger(Prices(1.0, 1.0, most=3.0), before=1.0)
    held = ledger.reserve(500_000, 500_000)
    with pytest.raises(Spent, match="2 is spent"):
        ledger.reserve(1_000_000, 500_000)
    ledger.settle(held, (100_000, 100_000), (0, 0), 1.0)
    assert ledger.reserve(1_000_000, 500_000) == 1.5
    assert (ledger.cost, ledger.calls) == (0.2, 1)
