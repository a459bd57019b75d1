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


def test_of_a_page_that_never_ran_nothing_is_there():
    found = scores(judged("water", failed=EVERY, level="format", failure=None))
    assert found == {"intention": 0.0, "static": 0.0, "dynamic": 0.0, "passed": False}


def test_a_page_that_does_not_get_through_the_gates_has_its_intention_capped():
    assert scores(judged("water", level="runtime"))["intention"] == 0.4


def test_no_verdicts_at_all_is_a_failure():
    record = judged("water", level="format")
    record["judge"]["verdicts"] = []
    assert scores(record) == {"intention": 0.0, "static": 0.0, "dynamic": 0.0, "passed": False}


def test_an_unknown_item_leaves_the_app_open_unless_another_score_decides():
    assert scores(judged("water", unknown=["undo"]))["passed"] is None
    assert scores(judged("water", failed=["start"], unknown=["undo"]))["passed"] is False


def test_what_passes_is_a_matter_of_the_threshold():
    assert scores(judged("water", failed=["undo"]), 0.88)["passed"] is True
    assert scores(judged("water", failed=["undo"]), 0.9)["passed"] is False


def of_dimensions(*failed, broken=False):
    """The scores of an app for a rubric as it is made of a reference: two items a dimension, all essential."""
    names = [f"{dimension}-{number}" for dimension in ("intention", "static", "dynamic") for number in (1, 2)]
    rubric = [
        {"id": name, "kind": "initial", "importance": "essential", "parents": [], "dimension": name.partition("-")[0]}
        for name in names
    ]
    gates = [{"level": "runtime", "passed": not broken}]
    return scores(
        {
            "task": {"rubric": rubric},
            "judge": {"gates": gates, "verdicts": [verdict(name, name not in failed, "dead") for name in names]},
        }
    )


def test_an_item_counts_for_the_dimension_it_names():
    assert of_dimensions() == {"intention": 1.0, "static": 1.0, "dynamic": 1.0, "passed": True}
    # one of two: 0.5, under the caps 0.4 of intention and dynamic
    assert of_dimensions("intention-1") == {"intention": 0.4, "static": 1.0, "dynamic": 1.0, "passed": False}
    assert of_dimensions("static-2") == {"intention": 1.0, "static": 0.5, "dynamic": 1.0, "passed": False}
    assert of_dimensions("dynamic-1", "dynamic-2")["dynamic"] == 0.0
    assert of_dimensions(broken=True)["intention"] == 0.4


def test_a_dimension_of_which_nothing_is_asked_costs_an_app_that_runs_nothing():
    record = judged("water")
    record = record | {"task": {"rubric": [item for item in record["task"]["rubric"] if item["kind"] == "interaction"]}}
    assert scores(record) == {"intention": 1.0, "static": 1.0, "dynamic": 1.0, "passed": True}


def test_a_gate_that_is_not_known_leaves_the_app_open():
    record = judged("water")
    record["judge"]["gates"][2]["passed"] = None
    assert scores(record) == {"intention": None, "static": 1.0, "dynamic": 1.0, "passed": None}


def test_severity_softens_a_failure():
    record = judged("water")
    record["judge"]["verdicts"] = [
        verdict(name, True) if name != "undo" else verdict(name, False, "visual") | {"severity": 0.5} for name in EVERY
    ]
    assert scores(record)["dynamic"] == 0.94
