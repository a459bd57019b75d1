from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.align import stage
from rcca_cli.align.comparison import agreed, cleared, compare, nearest, omissions
from tests.align.example import PAGE, lines, record


def answer(page=PAGE):
    return stage.answer(lines(record([], page))[0], None)


def differences(here, there):
    """(changed: the part here and the whole form there, added here, left out of there)."""
    found = compare(answer(here), answer(there))
    one, other = found.answer, found.sibling
    changed = [(one.text[slice(*found.core(unit, form))], other.codes[form]) for unit, form in found.changed]
    added = [one.codes[unit] for unit in found.added]
    return changed, added, [other.codes[first:last] for first, last, _ in found.left_out]


def test_equal_answers_do_not_differ():
    assert differences(PAGE, PAGE) == ([], [], [])


def test_one_form_stands_for_another():
    here = PAGE.replace("color: red", "color: blue").replace('"click", append', '"input", append')
    changed, added, left_out = differences(here, PAGE)
    assert changed == [("blue", "color: red;"), ("input", changed[1][1])]
    assert (added, left_out) == ([], [])


def test_a_word_that_is_only_missing_is_marked_where_it_should_be():
    changed, _, _ = differences(PAGE.replace("field.value", "field"), PAGE)
    assert changed == [(";", "row.textContent = field.value;")]


def test_additions_and_omissions_are_told_from_changes_beside_them():
    here = PAGE.replace("  row.textContent = field.value;\n  list.append(row);\n", "  row.textContent = field.name;\n")
    assert differences(here, PAGE) == (
        [("name", "row.textContent = field.value;")],
        [],
        [["list.append(row);"]],
    )
    _, added, _ = differences(PAGE, here)
    assert added == ["list.append(row);"]


def test_an_omission_is_the_token_at_which_the_texts_part():
    here = answer(PAGE.replace('<ul id="list"></ul>\n', ""))
    passing = answer()
    (found,) = omissions(compare(here, passing), [passing])
    assert here.text[found.start : found.end] == "script"  # after the "<" that both have
    assert passing.codes[found.first : found.last] == ['<ul id="list">']


def test_what_passing_answers_do_without_is_no_omission():
    here = answer(PAGE.replace('<ul id="list"></ul>\n', ""))
    passing = [answer(), answer(PAGE.replace('<ul id="list"></ul>\n', "").replace("red", "blue"))]
    assert omissions(compare(here, passing[0]), passing) == []


def test_agreed_and_cleared_go_by_place():
    one = answer(PAGE.replace("</body>", "<p>a</p><p hidden>b</p></body>"))
    other = answer(PAGE.replace("</body>", "<p>a</p><p>b</p></body>"))
    unit = one.codes.index("<p hidden>")
    assert not agreed(one, [other])(unit)
    assert not cleared(one, [other])(unit)
    plain = other.codes.index("b") - 1
    assert other.codes[plain] == "<p>"  # the same text stands elsewhere in the other answer
    assert not cleared(other, [one])(plain)


def test_answers_of_another_kind_are_not_compared():
    here = answer("<html><body><main><p>Something else</p></main></body></html>\n")
    assert compare(here, answer()) is None
    assert nearest(here, []) is None


def test_the_most_alike_is_the_nearest():
    far, near = answer(PAGE.replace("red", "blue").replace("plus", "add")), answer(PAGE.replace("red", "blue"))
    assert nearest(answer(), [far, near]).sibling is near


EDITS = [
    ("red", "blue"),
    ("  list.append(row);\n", ""),
    ("Add", "Put"),
    ("clear();", "clear(); more();"),
    ("\n", "\n\n"),
]


@settings(max_examples=40)
@given(st.sets(st.sampled_from(EDITS)), st.sets(st.sampled_from(EDITS)))
def test_every_unit_is_equal_changed_added_or_left_out(one_edits, other_edits):
    pages = []
    for edits in (one_edits, other_edits):
        page = PAGE
        for before, after in sorted(edits):
            page = page.replace(before, after)
        pages.append(page)
    found = compare(answer(pages[0]), answer(pages[1]))
    same = [code for unit, code in enumerate(found.answer.codes) if unit not in found.differing]
    gone = {form for _, form in found.changed} | {u for first, last, _ in found.left_out for u in range(first, last)}
    assert same == [code for unit, code in enumerate(found.sibling.codes) if unit not in gone]
