"""The changes of a repair, and the fewest that mend."""

from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.bench.align import hunks, repairs
from rcca_cli.bench.align.repairs import Repair

OLD = "one\ntwo\nthree\nfour\n"
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n"]), max_size=8).map("".join)


def test_the_changes_are_lines():
    found = hunks.between(OLD, "one\n2\n3\nfour\nfive\n")
    assert [(OLD[hunk.start : hunk.end], hunk.new) for hunk in found] == [
        ("two\n", "2\n"),
        ("three\n", "3\n"),
        ("", "five\n"),
    ]


@given(LINES, LINES)
def test_all_changes_together_make_the_repaired_text(old, new):
    assert hunks.repaired(old, hunks.between(old, new)) == new


def test_the_place_of_a_change_is_the_words_that_it_changes():
    (hunk,) = hunks.between("let total = count + 1;\n", "let total = counts + 1;\n")
    assert hunks.place("let total = count + 1;\n", hunk) == (17, 17)  # only put in
    (hunk,) = hunks.between("let total = 10;\n", "let total = 20;\n")
    assert hunks.place("let total = 10;\n", hunk) == (12, 14)


def record(*verdicts, level="functional"):
    items = [{"id": name, "parents": ["a"] if name == "child" else []} for name, _ in verdicts]
    rows = [{"rubric": name, "passed": passed} for name, passed in verdicts]
    return {"task": {"rubric": items}, "judge": {"level": level, "verdicts": rows}}


def test_a_repair_mends_its_item_and_changes_no_other():
    before = Repair(record(("a", False), ("b", True)), "a", "")
    assert repairs.mends(before, record(("a", True), ("b", True)))
    assert not repairs.mends(before, record(("a", False), ("b", True)))
    assert not repairs.mends(before, record(("a", True), ("b", False)))
    assert not repairs.mends(before, record(("a", True), ("b", True), level="runtime"))


def test_a_repair_that_mends_another_failure_too_is_none():
    before = Repair(record(("a", False), ("b", False)), "a", "")
    assert not repairs.mends(before, record(("a", True), ("b", True)))


def test_what_waits_for_the_item_may_pass_with_it():
    before = Repair(record(("a", False), ("child", False)), "a", "")
    assert repairs.mends(before, record(("a", True), ("child", True)))
