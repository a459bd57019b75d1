"""The published figures: facts with a source and a date, and ours among them."""

import json
from importlib import resources

import pytest

from rcca_cli.bench import published


@pytest.mark.parametrize("name", published.BENCHMARKS)
def test_each_row_has_a_source_that_is_named_and_a_score_in_its_unit(name):
    board = published.leaderboard(name)
    assert len(board.rows) > 20
    assert all(row.source in board.sources and 0 <= row.score <= 100 for row in board.rows)
    pairs = [(row.model, row.source) for row in board.rows]
    assert len(set(pairs)) == len(pairs)
    assert all(one["title"] for one in board.sources.values())


def test_the_classes_of_minappbench_are_those_of_its_tasks():
    board = published.leaderboard("miniappbench")
    classes = {"Games", "Science", "Tools", "Humanities", "Visualization", "Lifestyle"}
    assert all(set(row.classes) == classes for row in board.rows if row.classes)
    assert all(set(row.levels) == {"Easy", "Mid", "Hard"} for row in board.rows if row.levels)


def test_the_levels_of_the_later_rows_make_their_score():
    """With 147, 196 and 157 tasks; what the reference says of GPT-5.4, whose own parts make less, holds too."""
    for row in published.leaderboard("miniappbench").rows:
        if row.n == 500:
            made = (147 * row.levels["Easy"] + 196 * row.levels["Mid"] + 157 * row.levels["Hard"]) / 500
            assert abs(made - row.score) < (0.25 if row.model == "GPT-5.4" else 0.02), row.model


def test_our_row_stands_among_them_by_its_score():
    cells = published.beside("miniappbench", "mine", 50.0, "our own tasks")
    place = next(number for number, row in enumerate(cells) if row[0] == "» mine")
    assert (cells[place - 1][0], cells[place + 1][0]) == ("GPT-5.4", "GPT-5.2")
    assert cells[place][1:3] == ["50.00", "this report"]
    first = published.beside("miniappbench", "mine", 50.0, "our own tasks", ranked=False)[0]
    assert (first[0], first[-1]) == ("» mine", "not ranked: our own tasks")
    assert published.beside("miniappbench", "mine", None, "")[-1][:2] == ["» mine", "–"]


def test_the_files_are_written_a_row_a_line():
    for name in published.BENCHMARKS:
        text = resources.files(published).joinpath(f"{name}.json").read_text()
        rows = [line for line in text.splitlines() if line.startswith("    {")]
        assert len(rows) == len(json.loads(text)["rows"])
