"""What is counted of each app, and the rows of the table."""

import dataclasses

from rcca_cli import console
from rcca_cli.bench.miniapp import outcome, summary
from rcca_cli.bench.statistics import Estimate
from tests.bench.canned import RECORDS, judged


def outcomes(*records):
    return [outcome.of(record, 0.8, "checks") for record in records]


def test_an_app_passes_by_the_rule_and_every_only_with_all_gates_and_items():
    whole, broken, stopped = outcomes(
        judged("water"), judged("water", failed=["undo"]), judged("water", level="runtime")
    )
    assert (whole.passed, broken.passed, stopped.passed) == (True, True, False)  # undo is important: 0.88
    assert (whole.every, broken.every, stopped.every) == (True, False, False)
    assert (broken.rubric, broken.failed) == (7 / 8, ("undo",))


def test_an_unknown_item_leaves_the_app_unknown_unless_another_failed():
    open_, decided = outcomes(judged("water", unknown=["undo"]), judged("water", unknown=["undo"], failed=["start"]))
    assert (open_.passed, decided.passed) == (None, False)
    assert (open_.rubric, open_.error) == (1.0, "the browser was lost")


def test_an_answer_that_could_not_be_had_is_no_pass_and_not_judged():
    (lost,) = outcomes(RECORDS["water"] | {"rollout": None, "judge": None, "error": "server down"})
    assert (lost.passed, lost.reward, lost.error, lost.answered) == (None, None, "server down", False)
    row = summary.row("all", "all", [lost])
    assert (row.errors, row.unanswered, row.passed.n, row.passed.value) == (1, 1, 1, 0.0)
    assert (row.judged.n, row.judged.value) == (0, None)


def test_the_two_denominators():
    """Of five tasks two pass, one fails, one could not be judged and one has no answer."""
    apps = outcomes(
        judged("water"), judged("roman"), judged("snake", level="runtime"), judged("bits", unknown=["ones"])
    )
    row = summary.row("all", "all", apps, missing=1)
    assert (row.passes, row.n, row.missing, row.unanswered, row.unjudged) == (2, 5, 1, 0, 1)
    assert (row.passed.value, row.judged.value, row.judged.n) == (2 / 5, 2 / 3, 3)


def test_rows_are_all_then_classes_subclasses_and_levels_of_what_was_asked():
    apps = outcomes(judged("water"), judged("snake", failed=["eats"]), judged("noughts"))
    tasks = [RECORDS[name] for name in ("projectile", "water", "snake", "noughts")]
    rows = summary.rows(apps, tasks)
    assert [(row.scope, row.name, row.passes, row.n) for row in rows] == [
        ("all", "all", 2, 4),
        ("class", "Science", 0, 1),  # nobody answered it
        ("class", "Lifestyle", 1, 1),
        ("class", "Games", 1, 2),
        ("subclass", "Physics", 0, 1),
        ("subclass", "Health", 1, 1),
        ("subclass", "Reflex", 0, 1),
        ("subclass", "Casual", 1, 1),
        ("level", "Easy", 2, 2),
        ("level", "Mid", 0, 1),
        ("level", "Hard", 0, 1),
    ]


def test_levels_are_in_the_order_of_difficulty_and_others_behind_them():
    tasks = [{"task": {"level": name}} for name in ("unknown", "Hard", "Easy")]
    assert summary.ordered("level", tasks) == ["Easy", "Hard", "unknown"]


def test_tokens_and_seconds_are_means_of_what_is_known():
    rollouts = [
        {"tokens": [], "usage": {"input_tokens": 1, "output_tokens": 100}, "stamp": {"seconds": 3.0}},
        {"tokens": [1, 2], "usage": None, "stamp": None},
        {"tokens": []},
    ]
    apps = outcomes(*(judged("water", sample=number) | {"rollout": one} for number, one in enumerate(rollouts)))
    assert [one.tokens for one in apps] == [100, 2, None]
    row = summary.row("all", "all", apps)
    assert (row.tokens, row.seconds, row.judging) == (51.0, 3.0, None)


def test_each_row_says_who_judged_it():
    record = judged("water")
    record["judge"] |= {"environment": {"browser": "1.2", "model": "m@host prompt ab"}, "config": "c0"}
    (one,) = outcomes(record)
    assert one.judge["kind"] == "checks"
    assert (one.judge["browser"], one.judge["model"], one.judge["config"]) == ("1.2", "m@host prompt ab", "c0")


def test_the_widest_table_fits_a_terminal_of_80(capsys):
    apps = outcomes(judged("water"), judged("roman", failed=["steps"]))
    row = dataclasses.replace(summary.row("class", "Visualization", apps), passes=48, n=48, unjudged=12)
    row = dataclasses.replace(row, passed=Estimate(1, 0.76, 1, 48), every=Estimate(1, 1, 1, 48))
    console.table(summary.COLUMNS, [summary.cells(row)])
    shown = capsys.readouterr().err
    assert "Visualization  48 of 48  100 [76, 100]" in shown
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80


def test_cells_show_shares_in_percent_and_scores():
    apps = outcomes(judged("water"), judged("water", failed=["start"]) | {"group": "miniapp:other"})
    cells = summary.cells(summary.row("all", "all", apps))
    assert cells == ["all", "1 of 2", "50 [9, 91]", "50", "1.00", "0.50", "1.00", "50", "0"]
