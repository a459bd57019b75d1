"""`rcca bench align` on somebody's own app, with the real judge, and on repairs."""

import json

import pytest

from rcca_cli.bench.align import kept
from rcca_cli.bench.align.summary import TYPES

PAGE = """<!DOCTYPE html>
<html><body><button id="add">Add guest</button><p id="said">Guests: 0</p>
<script>
let guests = 0;
document.getElementById("add").addEventListener("click", () => {
  guests += 1;
  document.getElementById("said").textContent = "Guests: " + guests;
});
</script></body></html>
"""
CHECK = {
    "cases": [{"presses": 1, "guests": 1}, {"presses": 3, "guests": 3}],
    "steps": [
        {"do": "click", "target": {"role": "button", "name": "Add guest"}, "count": "{presses}"},
        {"expect": "text", "contains": "Guests: {guests}"},
    ],
}
ITEM = {
    "id": "counts",
    "requirement": "Each press of Add guest adds one",
    "kind": "interaction",
    "importance": "essential",
    "parents": [],
    "check": json.dumps(CHECK),
}
TASK = {"prompt": [{"role": "user", "content": "Count guests."}], "rubric": [ITEM], "config": None}


@pytest.fixture(scope="module")
def ended(rcca, tmp_path_factory):
    folder = tmp_path_factory.mktemp("align")
    (folder / "apps").mkdir()
    (folder / "apps" / "guests.html").write_text(PAGE)
    (folder / "apps" / "guests.json").write_text(json.dumps({"task": TASK}))
    words = ("bench", "align", "--apps", str(folder / "apps"), "--cache", str(folder / "judged"))
    report = folder / "report.json"
    broken = PAGE.replace("guests += 1", "guests += 2")
    repair = {
        "id": "guests/0",
        "group": "guests",
        "task": TASK,
        "rollout": {"text": broken, "prompt_ids": [], "tokens": [], "offsets": [], "logprobs": []}
        | {"logprobs_basis": None, "finish_reason": "stop", "model": None},
        "repaired": PAGE.replace("Guests: 0", "Guests: 0 "),  # one change that mends, one that need not be
    }
    (folder / "repairs.jsonl").write_text(json.dumps(repair) + "\n")
    done = rcca(*words, "--repairs", str(folder / "repairs.jsonl"), "--report", str(report))
    return done, json.loads(report.read_text()), words, rcca


@pytest.mark.slow
def test_there_is_a_record_for_each_mutant_and_item_and_a_figure_for_each_kind(ended):
    done, report, *_ = ended
    assert done.code == 0, done.stderr
    assert set(TYPES) < set(report["summary"])
    assert set(TYPES) < set(report["quote70"])
    drawn = report["mutants"]
    names = ("survived", "gate", "unknown", "flaky", "single", "multi")
    assert drawn["drawn"] == sum(drawn.get(name, 0) for name in names)
    mutants = [record for record in done.records if record["operator"] != "repair"]
    assert len({record["id"] for record in mutants}) == drawn["single"] + drawn.get("multi", 0) > 5
    assert report["comments"]["survived"] == report["comments"]["drawn"]
    assert report["small"]["fused"]["all"]["n"] == len({record["id"] for record in mutants})  # under 120 units


@pytest.mark.slow
def test_a_repair_is_cut_down_to_the_change_that_mends(ended):
    done, report, *_ = ended
    (repair,) = [record for record in done.records if record["operator"] == "repair"]
    ((start, end),) = repair["edits"]
    assert PAGE.replace("guests += 1", "guests += 2")[start:end] == "2"
    assert report["repairs"]["fused"]["all"]["n"] == 1


@pytest.mark.slow
def test_what_was_judged_is_not_judged_again_and_the_bytes_are_the_same(ended):
    done, _, words, rcca = ended
    again = rcca(*words)
    mutants = [record for record in done.records if record["operator"] != "repair"]
    assert again.records == mutants


def test_an_item_whose_parent_fails_is_not_the_faults_doing():
    items = [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}]
    verdicts = [{"rubric": "a", "passed": False}, {"rubric": "b", "passed": False}]
    assert kept.failing({"task": {"rubric": items}, "judge": {"verdicts": verdicts}}) == ("a",)


def test_a_folder_without_pages_is_an_error_of_one_line(rcca, tmp_path):
    done = rcca("bench", "align", "--apps", str(tmp_path))
    assert done.code == 2
    assert "no .html files there" in done.stderr


def test_a_report_is_json(rcca):
    assert "written as .json" in rcca("bench", "align", "--report", "x.html").stderr
