"""What a model's verdict becomes in the record."""

import pytest

from rcca_cli.judge import verdicts
from tests.judge.model.scripted import CLICK, COUNTER, DEAD, FAILED, UP, app, asked, say, tool, verdict
from tests.judge.records import ADDS, TODO, answer, record


def only(judge):
    (row,) = judge["verdicts"]
    return row


def test_a_model_that_uses_the_app_gives_a_verdict_with_places_in_the_answer(ask):
    given = app()
    judge, requests = ask(given, CLICK, verdict(quotes=["n += 1;"], units=["u1"], confidence=0.9))
    row, text = only(judge), given["rollout"]["text"]
    assert (row["rubric"], row["passed"], row["confidence"], row["error"]) == ("counts", True, 0.9, None)
    assert [text[one["start"] : one["end"]] for one in row["evidence"]] == ["n += 1;", "<html>"]
    assert {one["kind"] for one in row["evidence"]} == {"quote"}
    assert judge["reward"] == 1.0
    assert len(requests) == 2


def test_every_key_of_a_row_is_there(ask):
    row = only(ask(app(), CLICK, verdict())[0])
    assert row.keys() == verdicts.verdict("counts", True).keys()


def test_the_record_says_which_model_judged_where_and_how_it_was_asked_and_no_secret(ask, court):
    judge, _ = ask(app(), CLICK, verdict())
    name, _, rest = judge["environment"]["model"].partition("@")
    assert name == "m"
    assert rest.startswith("127.0.0.1:")
    assert " prompt " in rest
    without = court.judge(app(TODO, ADDS))
    assert without["environment"]["model"] is None


def test_a_quote_that_is_not_in_the_answer_is_left_out_and_said_so(ask):
    row = only(ask(app(), CLICK, verdict(quotes=["n += 2;", "up.addEventListener"], units=["u999"]))[0])
    assert [one["detail"] for one in row["evidence"]] == ["up.addEventListener"]
    assert row["diagnosis"] == "It counted. (not in the answer, so left out: “n += 2;”, “u999”)"


@pytest.mark.parametrize(
    ("words", "failure"),
    [({}, "silent"), ({"failure": "dead"}, "dead"), ({"failure": "broken"}, None), ({"failure": None}, "silent")],
)
def test_a_failure_is_of_the_kind_that_the_model_names_or_the_page_shows(ask, words, failure):
    row = only(ask(app(DEAD), CLICK, verdict(**FAILED, **words))[0])
    assert (row["passed"], row["failure"], row["diagnosis"]) == (False, failure, "It stays at 0.")


def test_a_target_that_is_not_there_makes_the_failure_absent_and_an_error_of_the_page_an_exception(ask):
    missing = tool("click", target={"role": "button", "name": "Down"})
    assert only(ask(app(), missing, verdict(**FAILED))[0])["failure"] == "absent"
    throws = COUNTER.replace("n += 1;", "lost();")
    assert only(ask(app(throws), CLICK, verdict(**FAILED))[0])["failure"] == "exception"


@pytest.mark.parametrize(("given", "kept"), [(1.7, 1.0), (-1, 0.0), ("high", 0.8), (True, 0.8), (None, 0.8)])
def test_confidence_is_clipped_and_otherwise_what_is_usual(ask, given, kept):
    assert only(ask(app(), CLICK, verdict(confidence=given))[0])["confidence"] == kept


def test_doubt_is_null_with_the_models_reason(ask):
    row = only(ask(app(), CLICK, verdict(passed=None, reason="It is not clear."))[0])
    assert (row["passed"], row["error"]) == (None, "the judge model is in doubt: It is not clear.")


def test_an_interaction_passed_without_using_the_app_is_null(ask):
    looked = tool("evaluate", expression="document.title")
    row = only(ask(app(), looked, verdict())[0])
    assert (row["passed"], row["error"]) == (None, "the judge model passed it without having used the app")
    shows = asked("shows", "It shows a number", kind="initial")
    assert only(ask(app(COUNTER, shows), verdict(item="shows"))[0])["passed"]


def test_an_item_that_a_check_decides_is_never_asked(ask):
    judge, requests = ask(app(TODO, ADDS), verdict(False))
    assert ([row["passed"] for row in judge["verdicts"]], requests) == ([True], [])
    judge, requests = ask(app(COUNTER, ADDS, asked()), CLICK, verdict())
    assert [row["passed"] for row in judge["verdicts"]] == [False, True]
    assert all("adds" not in str(request["messages"][0]) for request in requests)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("There is no page.", "format"),
        (answer("<script>let = ;</script>"), "source"),
        (answer(""), "runtime"),
        (answer("<script>while (true) {}</script>"), "runtime"),
    ],
)
def test_a_gate_that_failed_is_not_outvoted(ask, text, level):
    judge, requests = ask(record(text, asked()), CLICK, verdict())
    row = only(judge)
    assert (judge["level"], row["passed"], row["diagnosis"][:13]) == (level, False, "not reached: ")
    assert requests == []


def test_a_page_that_hangs_under_the_models_hands_fails_by_its_own_fault(ask):
    row = only(ask(app(COUNTER.replace("n += 1;", "for (;;) {}")), CLICK, verdict())[0])
    assert (row["passed"], row["failure"], row["error"]) == (False, "exception", None)
    assert row["diagnosis"].startswith("clicked the button “Up”: the page stopped answering")


def test_each_item_begins_with_a_fresh_page(ask):
    items = (asked(), asked("again", "Pressing Up once shows 1"))
    judge, requests = ask(app(COUNTER, *items), CLICK, verdict(), CLICK, verdict(item="again"))
    assert [row["passed"] for row in judge["verdicts"]] == [True, True]
    after = [request["messages"][-1]["content"] for request in requests if request["messages"][-1]["role"] == "tool"]
    assert len(after) == 2
    assert all('status "1"' in text for text in after)


def test_a_model_that_never_comes_to_a_verdict_is_null(ask):
    judge, requests = ask(app(), tool("snapshot"), turns=4)
    assert only(judge)["error"] == "the judge model came to no verdict in 4 turns"
    assert len(requests) == 4
    assert "give your verdict now" in requests[-1]["messages"][-1]["content"]


def test_a_call_that_cannot_be_is_told_to_the_model_and_costs_a_turn(ask):
    wrong = [tool("click", target="Up"), tool("click", targe=UP["target"]), tool("fly"), tool("source", first="x")]
    judge, requests = ask(app(), *wrong, CLICK, verdict())
    told = [request["messages"][-1]["content"] for request in requests[1:5]]
    assert ["error: target: expected a target" in told[0], "click has no such key" in told[1]] == [True, True]
    assert ["there is no tool fly" in told[2], "lines 1 to" in told[3]] == [True, True]
    assert only(judge)["passed"]


def test_a_model_without_tools_writes_its_calls_as_text(ask):
    click = '{"tool": "click", "arguments": {"target": {"role": "button", "name": "Up"}}}'
    final = '<think>Well.</think>\n{"tool": "verdict", "arguments": {"item": "counts", "passed": true, "reason": "1"}}'
    judge, requests = ask(app(), say(click), say(final), tools=False)
    assert only(judge)["passed"]
    assert all("tools" not in request for request in requests)
    assert [message["role"] for message in requests[-1]["messages"]] == ["system", "user", "assistant", "user"]


def test_a_model_that_sees_is_given_a_picture_and_others_are_not(ask):
    _, requests = ask(app(), tool("screenshot"), CLICK, verdict(), vision=True)
    kinds = [part["type"] for part in requests[1]["messages"][-1]["content"]]
    assert kinds == ["text", "image_url"]
    names = [tool["function"]["name"] for tool in requests[0]["tools"]]
    assert "screenshot" in names
    _, requests = ask(app(), CLICK, verdict())
    assert "screenshot" not in [tool["function"]["name"] for tool in requests[0]["tools"]]
