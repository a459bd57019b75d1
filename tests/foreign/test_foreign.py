"""Verdicts of other evaluators, and answers of anyone, as records of ours."""

import contextlib
import doctest
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli import records
from rcca_cli.columns import ROW, VERDICT, Columns
from rcca_cli.errors import ItemsFailed, RccaError, RecordError
from rcca_cli.foreign import Reader, verdicts
from rcca_cli.jsonl import Line
from tests.align import example

PAGE = "<!doctype html>\n<p id=total>0</p>\n<script>\nfunction add() { n += 1; }\n</script></html>\n"
ANSWER = f"Sure:\n```html\n{PAGE}```\n"
FAIL = {"criterion": "Add adds one", "verdict": "FAIL", "reason": "`n += 1;` is never shown"}
PASS = {"criterion": "There is a total", "verdict": "pass", "reason": "seen"}


def row(**facts):
    return {"prompt": "A counter", "response": ANSWER, "results": [FAIL, PASS]} | facts


def read(*rows, columns=(), pass_at=None):
    reader = Reader(Columns.of(columns), pass_at)
    lines = [Line(one, "theirs.jsonl", number) for number, one in enumerate(rows, 1)]
    return [line.record for line in reader.judged(lines)]


def outcomes(record):
    return [(one["rubric"], one["passed"]) for one in record["judge"]["verdicts"]]


@pytest.mark.parametrize("module", [verdicts])
def test_the_worked_examples(module):
    assert doctest.testmod(module).failed == 0


def test_a_row_becomes_a_judged_record_that_every_stage_can_read():
    (record,) = read(row(score=0.25, model="m", extra=[1]))
    records.need(Line(record, "x", 1), "task", "rollout", "judge")
    assert record["extra"] == [1]
    assert record["task"]["prompt"] == [{"role": "user", "content": "A counter"}]
    assert [item["requirement"] for item in record["task"]["rubric"]] == ["Add adds one", "There is a total"]
    assert outcomes(record) == [("add-adds-one", False), ("there-is-a-total", True)]
    assert record["judge"]["reward"] == 0.25
    artifact = record["judge"]["artifact"]
    assert record["rollout"]["text"][artifact["start"] : artifact["end"]].startswith("<!doctype html>")
    assert record["judge"]["verdicts"][0]["diagnosis"] == "`n += 1;` is never shown"
    assert record["rollout"]["model"] == "m"


def test_without_a_reward_the_verdicts_make_one():
    assert read(row())[0]["judge"]["reward"] == 0.6  # 0.8·(1 − 0.6/1.2) + 0.2, nothing being essential
    assert read(row(reward=None))[0]["judge"]["reward"] is None


def test_answers_to_one_request_are_one_group():
    one, other, third = read(row(), row(response="<p>"), row(prompt="A clock"))
    assert one["group"] == other["group"] != third["group"]
    assert [r["id"] for r in (one, other)] == [f"{one['group']}/0", f"{one['group']}/1"]
    named = read(row(task_id="t7", id="a"), row(task_id="t7", id="b"))
    assert [(r["group"], r["id"]) for r in named] == [("t7", "a"), ("t7", "b")]


def test_one_row_a_verdict_is_read_as_one_record_an_answer():
    def single(response, **verdict):
        return {"prompt": "A counter", "response": response} | verdict

    rows = [single(ANSWER, **FAIL), single(ANSWER, **PASS), single("<p>", **FAIL), single("<p>", **PASS)]
    found = read(*rows)
    assert [outcomes(record) for record in found] == [[("add-adds-one", False), ("there-is-a-total", True)]] * 2
    again = read(single(ANSWER, **FAIL), single(ANSWER, **FAIL))  # the same answer, sampled twice
    assert [len(outcomes(record)) for record in again] == [1, 1]


@pytest.mark.parametrize(
    "results",
    [
        [FAIL],
        [json.dumps(FAIL)],
        [f"```json\n{json.dumps(FAIL)}\n```"],
        {"Add adds one": {"verdict": "no", "reason": "`n += 1;` is never shown"}},
        {"Add adds one": 0},
        [{"rubric_id": "a", "requirement": "Add adds one", "passed": False}],
        [{"requirement": "Add adds one", "score": 2}],
    ],
)
def test_a_verdict_may_have_many_forms(results):
    (record,) = read(row(results=results), pass_at=3)
    assert [passed for _, passed in outcomes(record)] == [False]
    assert record["task"]["rubric"][0]["requirement"] == "Add adds one"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, (True, 1.0)),
        (0, (False, 1.0)),
        ("Pass.", (True, 1.0)),
        ("**FAIL**", (False, 1.0)),
        ("Not met", (False, 1.0)),
        ("partially met", (False, 0.5)),
        ("N/A", (None, 1.0)),
        (None, (None, 1.0)),
        ("1", (True, 1.0)),
    ],
)
def test_words_and_numbers_of_verdicts(value, expected):
    assert verdicts.outcome(value, None) == expected


def test_a_score_needs_to_be_told_what_passes():
    with pytest.raises(ValueError, match=r"7 is neither 0 nor 1 .*--pass-at"):
        verdicts.outcome(7, None)
    assert verdicts.outcome(7, 6.5) == (True, 1.0)
    assert verdicts.outcome("0.4", 0.5) == (False, 1.0)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("I think it fails.", "the evaluator's reply is no JSON"),
        ("[1]", "the evaluator's reply is no JSON object"),
        ({"criterion": "x", "verdict": "maybe"}, "'maybe' is neither a pass nor a failure"),
        ({"criterion": "x", "verdict": 7}, "7 is neither 0 nor 1"),
        ({"criterion": "x", "verdict": [1]}, "neither a word nor a number"),
    ],
)
def test_a_verdict_that_cannot_be_read_is_null_and_counted_and_costs_no_other(bad, why):
    reader = Reader(Columns())
    lines = [Line(row(results=[bad, PASS]), "x", 1), Line(row(results=[FAIL]), "x", 2)]
    got: list = []
    with pytest.raises(ItemsFailed, match=r"^1 of 3 verdicts could not be read"):
        got.extend(reader.checked(line.record for line in reader.judged(lines)))
    first, second = got
    assert why in first["judge"]["verdicts"][0]["error"]
    assert first["judge"]["verdicts"][0]["passed"] is None
    assert outcomes(first)[1][1] is True
    assert outcomes(second) == [("add-adds-one", False)]


def test_an_evaluator_that_does_not_know_is_no_fault():
    reader = Reader(Columns())
    list(reader.checked(line.record for line in reader.judged([Line(row(results=[PASS | {"verdict": None}]), "x", 1)])))
    assert (reader.total, reader.unread) == (1, 0)


def test_what_an_evaluator_names_becomes_evidence():
    told = FAIL | {"quotes": ["n += 1"], "units": ["u3"], "selector": "#total", "line": 4, "confidence": 0.7}
    (record,) = read(row(results=[told | {"type": "crash"}]))
    (verdict,) = record["judge"]["verdicts"]
    assert [one["detail"] for one in verdict["evidence"]] == ["n += 1", "u3", "#total", "line 4"]
    assert {(one["kind"], one["start"] == one["end"]) for one in verdict["evidence"]} == {("quote", True)}
    assert (verdict["failure"], verdict["confidence"]) == ("exception", 0.7)


def test_importance_is_a_word_or_a_share_of_the_largest_weight():
    results = [{"criterion": c, "passed": True, "weight": w} for c, w in zip("abcd", (10, 5, 1, None), strict=True)]
    items = read(row(results=results))[0]["task"]["rubric"]
    assert [item["importance"] for item in items] == ["essential", "important", "optional", "important"]


def test_items_are_told_apart_however_alike_their_words():
    same = "Clicking the Add button appends a "
    results = [{"criterion": same + word, "passed": True} for word in ("row", "task", "task")]
    one, other = (read(row(results=results))[0] for _ in range(2))
    names = [name for name, _ in outcomes(one)]
    assert len(set(names)) == 3
    assert names[2] == f"{names[1]}-2"
    assert outcomes(other) == outcomes(one)
    records.need(Line(one, "x", 1), "task", "judge")


def test_columns_can_be_named_also_inside_objects():
    (record,) = read(
        {"q": "A counter", "out": {"html": ANSWER}, "judge_says": [{"what": "Adds", "ok?": "no"}]},
        columns=["prompt=q", "answer=out.html", "verdicts=judge_says", "requirement=what", "passed=ok?"],
    )
    assert outcomes(record) == [("adds", False)]
    with pytest.raises(RccaError, match="--column colour=x: expected OURS=THEIRS with one of prompt, answer"):
        Columns.of(["colour=x"])
    with pytest.raises(RccaError, match="--column answer: expected"):
        Columns.of(["answer"])


@pytest.mark.parametrize(
    ("theirs", "problem"),
    [
        (
            {"prompt": "x", "results": [PASS]},
            r"no column with the answer \(looked for text, answer, .*--column answer=",
        ),
        ({"response": "x", "results": [PASS]}, r"no column with the request .*--column prompt="),
        (row(results=[]), r"no verdicts \(name their column: --column verdicts="),
        (row(prompt=[{"role": "user"}]), "no column with the request"),
    ],
)
def test_rows_that_lack_something_are_named_in_one_line(theirs, problem):
    with pytest.raises(RecordError, match=rf"^theirs.jsonl:2: {problem}"):
        read(row(), theirs)


def test_an_error_in_a_row_comes_after_the_rows_before_it():
    single = {"prompt": "A counter", "response": ANSWER}
    lines = [Line(single | FAIL, "x", 1), Line(single | PASS, "x", 2)]

    def feed():
        yield from lines
        raise RecordError("x:3: not JSON")

    produced = Reader(Columns()).judged(feed())
    assert len(outcomes(next(produced).record)) == 2
    with pytest.raises(RecordError):
        next(produced)


def test_a_null_answer_is_a_null_record():
    (record,) = read(row(response=None))
    assert (record["rollout"], record["judge"], record["error"]) == (None, None, "response: null")


def test_an_answer_without_a_page_is_judged_as_a_whole():
    (record,) = read(row(response="just words"))
    assert record["judge"]["artifact"]["end"] == len("just words")


def test_records_of_ours_are_left_as_they_are():
    (ours,) = read(row())
    assert read(ours) == [ours]
    assert read({"task": {}, "rollout": {}}) == [{"task": {}, "rollout": {}}]


def test_a_conversation_may_hold_the_answer():
    messages = [{"role": "user", "content": "A counter"}, {"role": "assistant", "content": ANSWER}]
    (record,) = read({"messages": messages, "results": [PASS]})
    assert record["rollout"]["text"] == ANSWER
    assert record["task"]["prompt"] == messages[:1]


def sampled(**facts):
    """A row with the tokens that were sampled, so that no tokenizer is asked."""
    found = row(**facts)
    offsets = example.tokens(found["response"])
    return found | {"tokens": list(range(len(offsets))), "offsets": offsets}


def test_align_reads_another_evaluator_s_verdicts(rcca):
    good = ANSWER.replace("n += 1;", "n += 1; total.textContent = n;")
    more = [{"criterion": f"It has a {name}", "verdict": "yes"} for name in ("page", "script", "title")]
    theirs = [sampled(), sampled(response=good, results=[FAIL | {"verdict": "pass"}, PASS, *more, "nonsense"])]
    ended = rcca("align", stdin=theirs)
    assert ended.code == 1  # one verdict could not be read
    assert "1 of 8 verdicts could not be read" in ended.stderr
    bad, _ = ended.records
    assert bad["align"]["spans"][0]["rubric"] == "add-adds-one"
    assert any("quote" in span["sources"] for span in bad["align"]["spans"])
    assert min(bad["align"]["advantages"]) < -0.8


def test_rollout_brings_anyone_s_answers_into_the_pipe(rcca):
    theirs = [
        {"question": "A counter", "completion": ANSWER, "rubric": ["It counts"]},
        {"question": "b", "completion": None},
    ]
    ended = rcca("rollout", "--backend", "replay", "--column", "prompt=question", stdin=theirs)
    assert ended.code == 0
    one, other = ended.records
    records.need(Line(one, "x", 1), "task", "rollout")
    assert one["rollout"]["text"] == ANSWER
    assert one["task"]["rubric"][0] == {
        "id": "it-counts",
        "requirement": "It counts",
        "kind": "interaction",
        "importance": "important",
        "parents": [],
        "check": None,
    }
    assert (other["rollout"], other["error"]) == (None, "completion: null")


def test_the_rubric_of_an_answer_may_be_texts_or_objects_or_verdicts_on_it():
    for told in (
        "Adds one",
        {"requirement": "Adds one"},
        FAIL | {"criterion": "Adds one"},
        '{"criterion": "Adds one"}',
    ):
        lines = [Line({"prompt": "x", "answer": "y", "rubric": [told]}, "x", 1)]
        (record,) = (line.record for line in Reader(Columns()).rollouts(lines))
        assert [item["id"] for item in record["task"]["rubric"]] == ["adds-one"]


def test_a_resumed_call_over_foreign_rows_is_the_undisturbed_one(rcca, tmp_path):
    rows = [sampled(prompt=f"Task {n // 2}", response=ANSWER + "x" * n) for n in range(6)]
    (tmp_path / "theirs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    call = ["align", "theirs.jsonl", "-o"]
    assert rcca(*call, "whole.jsonl", cwd=tmp_path).code == 0
    whole = (tmp_path / "whole.jsonl").read_bytes()
    cut = b"".join(whole.splitlines(keepends=True)[:3])
    (tmp_path / "cut.jsonl.partial").write_bytes(cut)
    assert rcca(*call, "cut.jsonl", "--resume", cwd=tmp_path).code == 0
    assert (tmp_path / "cut.jsonl").read_bytes() == whole


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats(-2, 9)
    | st.sampled_from(["", "pass", "no", "x", "u2", "{}", "<p>"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*VERDICT, "criterion", "role", "content"]), inner, max_size=4)
    ),
    max_leaves=12,
)
ROWS = st.dictionaries(
    st.sampled_from([*ROW, "response", "tokens", "offsets", "rollout", "task", "extra"]), VALUES, max_size=8
)


@settings(max_examples=300)
@given(st.lists(ROWS, max_size=3))
def test_any_rows_are_records_or_an_error_in_one_line(rows):
    for way in ("judged", "rollouts"):
        lines = [Line(one, "x", number) for number, one in enumerate(rows, 1)]
        with contextlib.suppress(RecordError):
            for line in getattr(Reader(Columns()), way)(lines):
                if line.record.get("judge") is not None or way == "rollouts":
                    check_shape(line, way)


def check_shape(line, way):
    """A record is whole, or what is wrong with what its row brought along is one line."""
    if line.record["rollout"] is not None:
        records.need(line, *(("task", "rollout", "judge") if way == "judged" else ("task", "rollout")))


@pytest.mark.parametrize(
    "word", ["NaN", "inf", "-Infinity", "1_0", "1_0/10", "inf/inf", "1e400", "1" + "0" * 400, 10**400]
)
@pytest.mark.parametrize("pass_at", [None, 0.5, 5])
def test_a_score_that_is_no_number_to_reckon_with_is_not_known(word, pass_at):
    (record,) = read(row(results=[FAIL | {"verdict": word}, PASS | {"verdict": "pass"}]), pass_at=pass_at)
    assert [passed for _, passed in outcomes(record)] == [None, True]
    assert "verdict" in record["judge"]["verdicts"][0]["error"]


def test_weights_and_rewards_that_no_float_can_hold():
    (record,) = read(row(results=[FAIL | {"weight": 10**400}, PASS]))
    assert {item["importance"] for item in record["task"]["rubric"]} == {"important"}
    with pytest.raises(RecordError, match=r"^theirs.jsonl:1: reward: .* is no number"):
        read(row(reward=10**400))


def test_two_verdicts_on_one_item_get_names_that_are_free():
    given = [{"id": name, "verdict": "pass"} for name in ("a", "a", "a-2", "a", "a-2")]
    (record,) = read(row(results=given))
    assert [name for name, _ in outcomes(record)] == ["a", "a-3", "a-2", "a-4", "a-2-2"]
    records.need(Line(record, "x", 1), "task", "rollout", "judge")
