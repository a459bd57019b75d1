"""What is counted of each app, and the rows of the table."""

from rcca_cli.bench import summary
from rcca_cli.bench.miniapp import BENCHMARK
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
    rows = summary.rows(
        outcomes(judged("projectile"), judged("snake", failed=["eats"]), judged("water"), judged("noughts"))
    )
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


def test_cells_show_value_and_interval():
    (row,) = summary.rows(outcomes(judged("water", reward=0.25), judged("roman", failed=["steps"], reward=0.75)))[:1]
    cells = summary.cells(row)
    assert cells[:3] == ["all apps", "2", "1"]
    assert cells[3] == "50.0 [9.5, 90.5]"
    assert cells[4].startswith("93.8 [")
    assert cells[5] == "0.500 [0.250, 0.750]"
    assert cells[7] == "0"
