"""MiniAppBench's rule on our verdicts: three scores, the least of which decides."""

from rcca_cli.bench.miniapp.rule import scores
from tests.bench.canned import RECORDS, judged, verdict

EVERY = [item["id"] for item in RECORDS["water"]["task"]["rubric"]]
# water: start (initial, essential); logs, left (essential); other-size, reached, undo, new-day, remembers (important)


def test_an_app_that_passes_everything_has_three_full_scores():
    assert scores(judged("water")) == {"intention": 1.0, "static": 1.0, "dynamic": 1.0, "passed": True}


def test_one_important_failure_of_seven_interactions_still_passes():
    # weights: 2 × 1 + 5 × 0.6 = 5; one important item lost: 1 - 0.6 / 5
    assert scores(judged("water", failed=["undo"])) == {
        "intention": 1.0,
        "static": 1.0,
        "dynamic": 0.88,
        "passed": True,
    }


def test_an_essential_interaction_that_is_impossible_caps_the_dynamic_score():
    found = scores(judged("water", failed=["logs"]))
    assert (found["dynamic"], found["passed"]) == (0.4, False)


def test_missing_controls_cost_intention():
    # start: 1, all: 6; the one item whose target is absent weighs 1
    found = scores(judged("water", failed=["start"], failure="absent"))
    assert (found["intention"], found["static"]) == (0.8333, 0.0)


def test_a_page_that_does_not_get_through_the_gates_has_its_intention_capped():
    assert scores(judged("water", level="runtime"))["intention"] == 0.4


def test_no_verdicts_at_all_is_a_failure():
    record = judged("water", level="format")
    record["judge"]["verdicts"] = []
    assert scores(record) == {"intention": 0.0, "static": 0.0, "dynamic": 0.0, "passed": False}


def test_an_unknown_item_leaves_the_app_open_unless_another_score_decides():
    assert scores(judged("water", unknown=["undo"]))["passed"] is None
    assert scores(judged("water", failed=["start"], unknown=["undo"]))["passed"] is False


def test_severity_softens_a_failure():
    record = judged("water")
    record["judge"]["verdicts"] = [
        verdict(name, True) if name != "undo" else verdict(name, False, "visual") | {"severity": 0.5} for name in EVERY
    ]
    assert scores(record)["dynamic"] == 0.94
