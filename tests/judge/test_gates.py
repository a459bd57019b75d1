"""The four levels: what stops an answer at each, and where."""

import pytest

from tests.judge.records import ADDS, RED, SHOWS, TODO, answer, item, record

ITEMS = (SHOWS, ADDS, RED)


def gate(judge, level):
    return next(gate for gate in judge["gates"] if gate["level"] == level)


def test_a_page_that_does_all_passes_everything(judged):
    judge = judged(record(answer(TODO), *ITEMS))
    assert judge["level"] == "functional"
    assert judge["reward"] == 1.0
    assert [gate["passed"] for gate in judge["gates"]] == [True, True, True]
    assert [(verdict["rubric"], verdict["passed"]) for verdict in judge["verdicts"]] == [
        ("shows", True),
        ("adds", True),
        ("red", True),
    ]
    assert judge["environment"]["isolation"] in ("netns", "flags")


@pytest.mark.parametrize(
    ("text", "level", "words", "place"),
    [
        ("I cannot do that.", "format", "", None),
        (answer(TODO)[:-40], "format", "", None),
        (answer(TODO.replace("</style>", "")), "source", "<style> (line 3) is never closed", "<label>"),
        (answer(TODO.replace("add() {", "add( {")), "source", "the script does not parse", "const"),
        (answer(TODO + "<script>missing()</script>"), "runtime", "ReferenceError: missing is not defined", "missing"),
        (answer("<p hidden>x</p>"), "runtime", "the page is blank", None),
        (answer(TODO + "<script>while (true) {}</script>"), "runtime", "the page stopped answering", "while"),
        (
            answer(TODO + "<script>(async () => { await 0; null.x })()</script>"),
            "runtime",
            "Uncaught (in promise) TypeError: Cannot read properties of null",
            "x",
        ),
        (
            answer("<p>😀</p>" + TODO + "<script>/* 😀 */ setTimeout(() => late(), 900)</script>"),
            "runtime",
            "late is not defined",
            "late",
        ),
    ],
)
def test_the_first_gate_that_fails_is_the_level(judged, text, level, words, place):
    judge = judged(record(text, *ITEMS, finish_reason="stop"))
    found = gate(judge, level)
    assert judge["level"] == level
    assert judge["reward"] < 0
    assert words in found["diagnosis"]
    if place is not None:
        assert text[found["start"] : found["end"]].startswith(place)
    assert [verdict["rubric"] for verdict in judge["verdicts"]] == ["shows", "adds", "red"]
    assert None not in [verdict["passed"] for verdict in judge["verdicts"]]


def test_behind_a_failed_gate_nothing_is_known_of_the_others(judged):
    judge = judged(record("no page", *ITEMS))
    assert [(gate["level"], gate["passed"]) for gate in judge["gates"]] == [
        ("format", False),
        ("source", None),
        ("runtime", None),
    ]
    assert all(verdict["diagnosis"].startswith("not reached: ") for verdict in judge["verdicts"])


def test_an_error_at_load_leaves_the_rest_to_be_measured(judged):
    judge = judged(record(answer(TODO + "<script>missing()</script>"), *ITEMS))
    assert [verdict["passed"] for verdict in judge["verdicts"]] == [True, True, True]
    assert judge["reward"] == -0.2


def test_an_item_without_a_check_is_not_known_and_its_page_is_judged(judged):
    unchecked = SHOWS | {"id": "pretty", "check": None, "importance": "optional"}
    judge = judged(record(answer(TODO), SHOWS, unchecked))
    assert judge["level"] == "functional"
    assert [verdict["passed"] for verdict in judge["verdicts"]] == [True, None]
    assert "no check" in judge["verdicts"][1]["error"]


def test_an_alert_while_loading_is_no_fault(judged):
    judge = judged(record(answer("<script>alert('Welcome')</script>" + TODO), *ITEMS))
    assert judge["reward"] == 1.0


def test_half_a_requirement_is_half_as_bad(judged):
    fixed = TODO.replace("task.value", "'Buy milk'")  # right for the first case only
    verdict = judged(record(answer(fixed), ADDS))["verdicts"][0]
    assert (verdict["passed"], verdict["severity"], verdict["failure"]) == (False, 0.5, "silent")


def test_an_item_that_hangs_costs_only_itself(judged):
    spin = item("spins", {"do": "click", "target": {"text": "Spin"}}, {"expect": "text", "contains": "Add"})
    page = TODO + '<button onclick="while (true) {}">Spin</button>'
    judge = judged(record(answer(page), spin, ADDS, SHOWS))
    assert [verdict["passed"] for verdict in judge["verdicts"]] == [False, True, True]
    assert judge["verdicts"][0]["failure"] == "exception"
    assert judge["verdicts"][0]["diagnosis"].startswith("clicked the text “Spin”: the page stopped answering")
