"""What is counted without being judged here: records that `rcca judge` has judged, and tasks that nobody answered."""

import json

import pytest

from rcca_cli import jsonl
from rcca_cli.bench.compare import runs
from rcca_cli.bench.compare import stage as compare
from rcca_cli.bench.miniapp import inputs, outcome, stage, summary
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.bench.miniapp.tasks import Choice
from rcca_cli.errors import RccaError, RecordError
from tests.bench.canned import RECORDS, judged

FIRST = Choice(limit=3)  # projectile, epidemic, noughts


@pytest.fixture
def parts(tmp_path):
    def write(*records):
        paths = [tmp_path / f"judged-{number}.jsonl" for number in range(len(records))]
        for path, record in zip(paths, records, strict=True):
            path.write_bytes(jsonl.encode(record))
        return tuple(map(str, paths))

    return write


def test_judged_records_are_only_counted(parts, tmp_path):
    files = parts(judged("projectile"), judged("noughts", failed=["board"]))
    call = Options(judged=files, choice=FIRST)
    stage.write(call, str(tmp_path / "out.jsonl"), str(tmp_path / "r.json"))
    written = [line.record for line in jsonl.read([str(tmp_path / "out.jsonl")])]
    assert [(one["id"], one["bench"]["passed"]) for one in written] == [
        ("miniapp:projectile/0", True),
        ("miniapp:noughts/0", False),
        ("miniapp:epidemic/0", None),
    ]
    told = json.loads((tmp_path / "r.json").read_text())
    assert (told["passes"], told["n"], told["n_judged"], told["missing"]) == (1, 3, 2, ["miniapp:epidemic"])
    assert (told["unanswered"], told["unjudged"], told["judge"]["kind"]) == (0, 0, "checks")
    again = Options(judged=(str(tmp_path / "out.jsonl"),), choice=FIRST)
    stage.write(again, str(tmp_path / "again.jsonl"))
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"judge": None}, "missing 'judge'"),
        ({"group": "miniapp:none", "id": "x"}, "not of a task of this benchmark: 'miniapp:none'"),
        ({"group": "miniapp:water"}, "not of the items of its task here"),
    ],
)
def test_records_that_were_not_judged_or_by_other_items_are_refused(parts, change, words):
    call = Options(judged=parts(judged("projectile") | change))
    with pytest.raises(RecordError, match=f"judged-0.jsonl:1: .*{words}"):
        list(inputs.given(inputs.wanted(call), call))


def test_judged_records_take_no_answers_and_no_judge_model():
    with pytest.raises(RccaError, match="such records are only counted"):
        Options(judged=("a",), answers="b")


def test_a_task_that_nobody_answered_has_a_record_and_is_still_counted_as_missing():
    task = RECORDS["noughts"]
    lost = task | {"id": "miniapp:noughts/0", "rollout": None, "judge": None, "error": outcome.NO_ANSWER}
    apps = [outcome.of(one, 0.8, "checks") for one in (judged("projectile"), lost)]
    row, *_ = summary.rows(apps, [RECORDS["projectile"], task])
    assert (row.passes, row.n, row.missing, row.unanswered, row.judged.n) == (1, 2, 1, 0, 1)
    assert [line[3] for line in summary.listed(apps)] == ["pass", "no answer"]


def test_who_answers_less_is_not_ranked_above(parts, tmp_path):
    half, both = tmp_path / "half.jsonl", tmp_path / "both.jsonl"
    choice = Choice(limit=2)
    (good,) = parts(judged("projectile"))
    stage.write(Options(judged=(good,), choice=choice), str(half))
    stage.write(Options(judged=parts(judged("projectile"), judged("epidemic")), choice=choice), str(both))
    found = compare.compared(runs.read([str(half), str(both)]), False)
    assert [(one.name, one.figures["passed"].value) for one in found.rows] == [("both", 1.0), ("half", 0.5)]


def test_what_is_not_understood_of_the_answers_is_said(tmp_path):
    (tmp_path / "html_1").mkdir()
    (tmp_path / "html_1" / "index.html").write_text("<p>x</p>")
    for name in ("page-2.html", "README"):
        (tmp_path / name).write_text("x")
    assert list(inputs.notes(Options(answers=str(tmp_path), samples=3))) == [
        "-k 3 is for a model: of finished answers all count, however many there are to a task",
        f"{tmp_path}: 2 names not understood: README, page-2.html",
    ]


def test_no_task_that_is_left_is_said_so():
    with pytest.raises(RccaError, match="no task is left"):
        inputs.wanted(Options(answers="embedded:references:water", choice=FIRST))
