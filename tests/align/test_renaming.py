"""What two answers call differently throughout is no difference between them; a slip in one place is."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.align import renaming
from rcca_cli.align.comparison import compare
from tests.align.example import PAGE
from tests.align.test_comparison import answer, differences

BASE = PAGE.replace("append(", "put(").replace("append)", "put)").replace("list.put(", "list.append(")
OTHER = BASE
for here, there in (("list", "entries"), ("plus", "adder"), ("put", "addRow"), ("row", "cell")):
    OTHER = re.sub(rf"\b{here}\b", there, OTHER)


def test_other_names_are_no_difference():
    assert differences(OTHER, BASE) == differences(BASE, OTHER) == ([], [], [])


def test_names_are_told_by_where_they_stand():
    found = compare(answer(OTHER), answer(BASE)).names
    assert found == {"entries": "list", "adder": "plus", "addRow": "put", "cell": "row"}


def test_a_fault_beside_other_names_is_the_only_difference():
    wrong = OTHER.replace("field.value", "field.name")
    assert differences(wrong, BASE)[0] == [("name", "row.textContent = field.value;")]
    gone = OTHER.replace("  entries.append(cell);\n", "")
    assert differences(gone, BASE) == ([], [], [["list.append(row);"]])


def test_a_slip_in_one_place_is_a_difference():
    assert [part for part, _ in differences(PAGE.replace('id="plus"', 'id="plsu"'), PAGE)[0]] == ["plsu"]
    assert [part for part, _ in differences(PAGE.replace("textContent", "textContnet"), PAGE)[0]] == ["textContnet"]


def test_the_wrong_one_of_two_names_is_a_difference():
    wrong = OTHER.replace("entries.append(cell)", "entries.append(entries)")
    assert [part for part, _ in differences(wrong, BASE)[0]] == ["entries"]


def test_the_part_that_differs_is_in_the_answer_s_own_words():
    wrong = OTHER.replace("cell.textContent = field.value", "cell.textContent = field.value + cell")
    assert differences(wrong, BASE)[0] == [("+ cell", "row.textContent = field.value;")]


@pytest.mark.parametrize("page", [PAGE, "<p>a</p>\n", ""])
def test_an_answer_calls_everything_as_itself_does(page):
    one, other = answer(page), answer(page)
    assert renaming.names(one, other) == {}
    assert renaming.renamed(one, {}) == one.codes


@settings(max_examples=30)
@given(st.permutations(["alpha", "bravo", "charlie", "delta", "echo"]))
def test_any_renaming_is_seen_through(names):
    renamed = dict(zip(["list", "plus", "put", "row", "unused"], names, strict=True))
    page = re.sub(r"(?<![.\w])(list|plus|put|row|unused)\b", lambda match: renamed[match.group()], BASE)
    changed, added, left_out = differences(page, BASE)
    assert (added, left_out) == ([], [])
    assert {part for part, _ in changed} <= {renamed["unused"]}  # it is written once: perhaps a slip
