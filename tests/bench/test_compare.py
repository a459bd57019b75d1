"""`rcca bench compare`: figures by hand, what is refused, and what a report holds."""

import csv
import doctest
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.bench.compare import board, paired, runs, stage
from rcca_cli.errors import RccaError

JUDGE = {"kind": "checks", "threshold": 0.8, "browser": "Chromium 156", "config": "c", "rcca": "0"}


def record(task, passed, sample=0, judge=JUDGE, version="v", **more):
    counts = {"passed": passed, "rubric": float(bool(passed)), "judge": judge} | more
    return {"id": f"{task}/{sample}", "group": task, "task": {"config": version}, "bench": counts}


@pytest.fixture
def written(tmp_path):
    def write(name, records):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
        return str(path)

    return write


def of(written, *all_values):
    """Runs a, b, … with these values of `passed`, a task each."""
    return [
        written(name, [record(f"t{n}", value) for n, value in enumerate(values)])
        for name, values in zip("abcdef", all_values, strict=False)
    ]


def test_a_pair_is_compared_task_by_task(written):
    found = stage.compared(
        runs.read(of(written, [True, True, True, True, False], [False, False, True, False, False])), False
    )
    pair = found.pairs[0]
    assert (pair.a, pair.b, pair.metric, pair.tasks) == ("a", "b", "passed", 5)
    assert (pair.wins, pair.losses, pair.ties) == (3, 0, 2)
    assert pair.difference.value == pytest.approx(3 / 5)
    assert pair.p == 2 / 2**3  # of the eight ways to sign three differences two are as far from 0


def test_samples_of_a_task_are_one_value(written):
    a = written("a", [record("t", value, n) for n, value in enumerate((True, False, True, True))])
    b = written("b", [record("t", False)])
    assert stage.compared(runs.read([a, b]), False).pairs[0].difference.value == pytest.approx(0.75)


def test_what_is_not_known_is_left_out_of_the_pair(written):
    a = written("a", [record("t", True), record("u", None), record("only-a", True)])
    b = written("b", [record("t", False), record("u", True)])
    found = stage.compared(runs.read([a, b]), False)
    assert found.pairs[0].tasks == 1
    assert "a has 1 tasks that not all have" in " ".join(found.notes)


def test_the_best_comes_first_and_each_two_are_compared(written):
    found = stage.compared(runs.read(of(written, [False, False, True], [True, True, True], [True, False, True])), False)
    assert [row.name for row in found.rows] == ["b", "c", "a"]
    assert [(one.a, one.b) for one in board.main_pairs(found)] == [("b", "c"), ("b", "a"), ("c", "a")]
    assert {(one.first, one.second): one.kendall for one in found.orders} == {("passed", "rubric"): 1.0}


def test_rows_of_artifactsbench_are_compared_by_their_score(written):
    def row(index, score, **more):
        told = {"score": score, "judge": "m", "browser": "Chromium 156", "compat": "fixed"} | more
        return {"index": index, "question": f"q{index}", "class": "Game-X", "artifacts": told}

    a = written("a", [row(1, 60), row(2, 40), row(3, None, browser=None)])
    b = written("b", [row(1, 50), row(2, 20), row(3, 10)])
    pair = stage.compared(runs.read([a, b]), False).pairs[0]
    assert (pair.metric, pair.tasks, pair.difference.value) == ("score", 2, 15.0)
    c = written("c", [row(1, 50, compat="official")])
    with pytest.raises(RccaError, match="compat: a fixed, c official"):
        stage.compared(runs.read([a, c]), False)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=8))
def test_the_test_does_not_care_which_is_which(differences):
    turned = paired.flips([-one for one in differences])
    found = paired.flips(differences)
    assert found == pytest.approx(turned)
    assert 0 < found <= 1


def test_many_tasks_have_their_signs_drawn_and_the_same_ones_each_time():
    assert paired.flips([1.0] * 20) == paired.flips([1.0] * 20) <= 0.001
    assert paired.flips([1.0, -1.0] * 10) == 1.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"judge": JUDGE | {"browser": "Chromium 157"}}, "browser: a Chromium 156, b Chromium 157"),
        ({"judge": JUDGE | {"kind": "model"}}, "kind: a checks, b model"),
        ({"judge": JUDGE | {"threshold": 0.5}}, "threshold: a 0.8, b 0.5"),
        ({"version": "w"}, "t not the same in a and b"),
    ],
)
def test_runs_that_differ_in_more_than_the_model_are_refused(written, change, words):
    given = runs.read([written("a", [record("t", True)]), written("b", [record("t", True, **change)])])
    with pytest.raises(RccaError, match=r"\(--force compares all the same\)") as refused:
        stage.compared(given, False)
    assert words in str(refused.value)
    assert any(words in note and "NOT COMPARABLE" in note for note in stage.compared(given, True).notes)


def test_what_cannot_be_compared_is_one_line(written, rcca):
    a, b = written("a", [record("t", True)]), written("b", [record("u", True)])
    plain = written("c", [{"id": "x"}])
    for arguments, words in (
        ([a], "two runs or more are compared"),
        ([a, b], "the runs have no task in common"),
        ([a, plain], "c.jsonl:1: bench: missing"),
        ([a, a], "given twice"),
        ([a, b, "--pictures"], "--pictures are of --report FILE.html"),
    ):
        done = rcca("bench", "compare", *arguments)
        assert (done.code, done.stdout) == (2, b"")
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_the_reports_hold_the_figures(written):
    found = stage.compared(runs.read(of(written, [True, True, False, True], [False, True, False, False])), False)
    told = json.loads(board.as_json(found))
    assert [one["name"] for one in told["runs"]] == ["a", "b"]
    assert told["runs"][0]["figures"]["passed"]["value"] == 0.75
    assert told["tasks"]["t0"] == {"a": 1.0, "b": 0.0}
    lines = list(csv.DictReader(io.StringIO(board.as_csv(found))))
    assert [float(one["passed"]) for one in lines] == [0.75, 0.25]
    assert "| a | 4 | 75.0 [30.1, 95.4] |" in board.as_markdown(found)
    page = board.as_html(found)
    assert '<td class="pass">pass</td><td class="fail">fail</td>' in page
    assert "http:" not in page


def test_names_that_are_markup_stay_text(written, tmp_path):
    bad = tmp_path / "<b>"
    bad.mkdir()
    (bad / "x.jsonl").write_text(json.dumps(record("<i>t", True)) + "\n")
    other = written("x", [record("<i>t", False)])
    page = board.as_html(stage.compared(runs.read([str(bad / "x.jsonl"), other]), False))
    assert "<i>" not in page
    assert "<b>" not in page


def test_the_examples_in_the_code_hold():
    assert [doctest.testmod(one).failed for one in (runs, paired, board)] == [0, 0, 0]


def test_every_two_runs_have_to_have_the_same_tasks(written):
    a = written("a", [record("t", True)])
    b, c = (written(name, [record("t", True), record("u", True, version=name)]) for name in "bc")
    with pytest.raises(RccaError, match="u not the same in b and c"):
        stage.compared(runs.read([a, b, c]), False)
    twice = written("d", [record("t", True), record("t", True, 1, version="w")])
    with pytest.raises(RccaError, match="t not the same in a and d"):
        stage.compared(runs.read([a, twice]), False)


def test_tasks_without_a_digest_of_their_own_are_told_apart_by_what_they_ask(written):
    item = {"id": "i", "requirement": "It counts", "check": None}
    task = {"prompt": [{"role": "user", "content": "A counter."}], "rubric": [item]}
    a = written("a", [record("t", True) | {"task": task}])
    same = written("b", [record("t", False) | {"task": task}])
    other = written("c", [record("t", False) | {"task": task | {"rubric": [item | {"requirement": "It is red"}]}}])
    assert stage.compared(runs.read([a, same]), False).pairs[0].tasks == 1
    with pytest.raises(RccaError, match="t not the same in a and c"):
        stage.compared(runs.read([a, other]), False)


def test_files_are_told_apart_by_as_much_of_their_names_as_it_takes():
    assert runs.names(["x/run.jsonl", "x/run.json"]) == ["run.jsonl", "run.json"]
    assert runs.names(["x/run.jsonl", "run.jsonl"]) == ["x/run", "run"]
    with pytest.raises(RccaError, match=r"b\.jsonl: given twice"):
        runs.names(["a.jsonl", "b.jsonl", "./b.jsonl"])


def test_pictures_are_not_of_rows_without_a_page(written, tmp_path):
    row = {"index": 1, "question": "q", "checklist": [], "artifacts": {"score": 50.0, "compat": "fixed"}}
    a, b = written("a", [row]), written("b", [row])
    with pytest.raises(RccaError, match="--pictures are of `bench miniapp`"):
        stage.write([a, b], report=str(tmp_path / "r.html"), pictures=True)
