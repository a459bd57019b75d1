"""What is counted of each app, and the rows of the table."""

import dataclasses

from rcca_cli import console
from rcca_cli.bench import summary
from rcca_cli.bench.miniapp import BENCHMARK
from rcca_cli.bench.statistics import Estimate
from tests.bench.canned import RECORDS, judged


def outcomes(*records):
    return [summary.outcome(record, BENCHMARK) for record in records]


def test_an_app_passes_only_with_every_gate_and_every_item():
    whole, broken, stopped = outcomes(
        judged("water"), judged("water", failed=["undo"]), judged("water", level="runtime")
    )
    assert (whole.passed, broken.passed, stopped.passed) == (True, False, False)
    assert (broken.rubric, broken.failed) == (7 / 8, ("undo",))


def test_an_unknown_item_leaves_the_app_unknown_unless_another_failed():
    open_, decided = outcomes(judged("water", unknown=["undo"]), judged("water", unknown=["undo"], failed=["left"]))
    assert (open_.passed, decided.passed) == (None, False)
    assert (open_.rubric, open_.error) == (1.0, "the browser was lost")


def test_an_answer_that_could_not_be_had_is_not_a_failure():
    (lost,) = outcomes(RECORDS["water"] | {"rollout": None, "judge": None, "error": "server down"})
    assert (lost.passed, lost.reward, lost.error) == (None, None, "server down")
    row = summary.row("all", "all", [lost])
    assert (row.errors, row.passed.n, row.passed.value) == (1, 0, None)


def test_rows_are_all_then_classes_then_levels():
    apps = outcomes(judged("water"), judged("snake", failed=["eats"]), judged("projectile"), judged("noughts"))
    rows = summary.rows(apps, ["Science", "Games", "Tools", "Lifestyle"])
    assert [(row.scope, row.name) for row in rows] == [
        ("all", "all"),
        ("class", "Science"),
        ("class", "Games"),
        ("class", "Lifestyle"),
        ("level", "Easy"),
        ("level", "Mid"),
        ("level", "Hard"),
    ]
    assert [(row.passes, row.passed.n) for row in rows] == [(3, 4), (1, 1), (1, 2), (1, 1), (2, 2), (1, 1), (0, 1)]


def test_the_widest_table_fits_a_terminal_of_80(capsys):
    apps = outcomes(judged("water"), judged("roman", failed=["steps"], reward=-0.25))
    row = dataclasses.replace(summary.row("class", "Visualization", apps), passes=48, errors=12)
    row = dataclasses.replace(row, passed=Estimate(1, 0.76, 1, 48), rubric=Estimate(1, 1, 1, 48))
    console.table(summary.COLUMNS, [summary.narrow(row)])
    shown = capsys.readouterr().err
    assert "Visualization  48 of 48  100 [76, 100]  100 [100, 100]" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_cells_show_value_and_interval():
    apps = outcomes(judged("water", reward=0.25), judged("roman", failed=["steps"], reward=0.75))
    cells = summary.cells(summary.row("all", "all", apps))
    # rubric: 8 of 8 and 7 of 8; a draw of two tasks reaches from the one to the other
    assert cells == ["all", "1 of 2", "50 [9, 91]", "94 [88, 100]", "0.50 [0.25, 0.75]", "100", "0"]
