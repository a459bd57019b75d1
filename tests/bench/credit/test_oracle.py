"""The oracle reads a page as the generator wrote it, and says of it what the judge would."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli import records
from rcca_cli.bench.credit import agreement, grammar, oracle, verdicts
from rcca_cli.judge import stage as judge
from rcca_cli.store import Store
from rcca_cli.synth import app
from rcca_cli.synth.families import FAMILIES


def drawn(family, number, style=0):
    """An app of this family alone."""
    return app.compose([FAMILIES[family].make(random.Random(number))], random.Random(number), [style])


@pytest.mark.parametrize("style", [0, 1])
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_page_with_one_bug_reads_back_as_that_bug(family, style):
    for number in range(4):
        made = drawn(family, number, style)
        for fault in made.faults():
            rendered = made.render([fault])
            page, _ = grammar.of(made).read(rendered.text)
            wrong = [one for one in page.values() if one.state != grammar.RIGHT]
            assert [(one.place, one.failure) for one in wrong] == [(fault.slot, fault.failure)]
            (truth,) = rendered.truth
            assert (wrong[0].item, wrong[0].start, wrong[0].end) == (truth["rubric"], truth["start"], truth["end"])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_pages_with_several_bugs_read_back_too(seed, index):
    made = app.make(seed, index)
    rendered = made.imperfect(random.Random(index), 0.25)
    page, _ = grammar.of(made).read(rendered.text)
    wrong = [one for one in page.values() if one.state != grammar.RIGHT]
    assert sorted(one.item for one in wrong) == sorted(truth["rubric"] for truth in rendered.truth)
    # Of two entries of a list, one wrong and one left out, nobody can say which is which: they are of one item.
    assert {(one.start, one.end) for one in wrong if one.end > one.start} == {
        (truth["start"], truth["end"]) for truth in rendered.truth if truth["end"] > truth["start"]
    }


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_solution_without_a_bug_passes_and_one_with_a_bug_fails_the_item_of_the_bug(family):
    made = drawn(family, 0)
    reading = oracle.read(made, made.render().text)
    assert reading.level == "functional"
    assert set(reading.passed.values()) == {True}
    faults = made.faults()
    readings = [oracle.read(made, made.render([fault]).text) for fault in faults]
    decided = [(fault, reading) for fault, reading in zip(faults, readings, strict=True) if reading is not None]
    assert len(decided) >= 0.9 * len(faults)
    for fault, reading in decided:
        assert reading.passed[fault.rubric] is False
        assert [cause.slot for cause in reading.causes[fault.rubric]] == [fault.slot]


def test_an_item_spoilt_by_a_bug_of_another_has_that_as_its_cause():
    made = drawn("counter", 0)
    fault = next(fault for fault in made.faults() if fault.slot == "counter/add-button" and fault.failure == "absent")
    reading = oracle.read(made, made.render([fault]).text)
    assert reading.passed == {
        "counter-shows": True,
        "counter-adds": False,
        "counter-takes": True,
        "counter-resets": False,  # it first presses the button that is not there
    }
    assert [cause.slot for cause in reading.causes["counter-resets"]] == ["counter/add-button"]


def test_a_value_that_nobody_asked_for_fails_its_item():
    made = drawn("counter", 0)
    goal = made.features[0].params["goal"]
    text = made.render().text.replace(f"Goal: {goal}", "Goal: 70")
    reading = oracle.read(made, text)
    assert reading.passed["counter-shows"] is False
    (cause,) = reading.causes["counter-shows"]
    assert text[cause.start : cause.end] == "<p>Goal: 70</p>"


@pytest.mark.parametrize(("value", "right"), [("200", "20"), ("0.10", "0.1"), ("push", "Push-ups")])
def test_values_that_may_do_are_not_held_to_be_wrong(value, right):
    assert not grammar.differ(value, right)


def test_a_line_that_no_template_has_leaves_the_page_to_the_judge():
    made = drawn("counter", 0)
    text = made.render().text.replace("let count = ", "var count = ")
    assert "var count" in text
    assert oracle.read(made, text) is None


def test_a_page_cut_off_fails_at_the_gate_of_format():
    made = drawn("tip", 1)
    text = made.render().text
    cut = text[: text.index("<script>") + 9]
    reading = oracle.read(made, cut)
    assert reading.level == "format"
    assert set(reading.passed.values()) == {False}
    assert reading.gate[1] == len(cut)


def test_a_page_without_a_bracket_fails_at_the_gate_of_source_and_where_it_is_missing_is_known():
    made = drawn("tip", 1)
    whole = made.render().text
    place = whole.index("}\n</script>")
    text = whole[:place] + whole[place + 2 :]
    reading = oracle.read(made, text)
    assert reading.level == "source"
    assert text[slice(*reading.gate)] == "</script>"


@pytest.mark.slow
def test_the_judge_says_the_same_of_pages_with_random_bugs(tmp_path):
    made = {one.id: one for one in (app.make(21, index) for index in range(40))}
    answers = [
        {
            "schema": records.SCHEMA,
            "id": f"{one.id}/0",
            "group": one.id,
            "task": one.task(),
            "rollout": records.text_only(one.imperfect(random.Random(number), 0.25).text, "stop"),
        }
        for number, one in enumerate(made.values())
    ]
    options = judge.Options(replay_passes=0.0, jobs=2)
    with verdicts.Bench(options, Store(str(tmp_path)), ask_oracle=False) as bench:
        found = agreement.measured(made, bench.judge(made, answers))
    assert found["decided"] >= 30
    for kind in ("level", "passed", "failed"):
        assert found[kind]["agree"] >= 0.98 * found[kind]["of"] > 0
