import doctest

import pytest

from rcca_cli.units import matching, words
from rcca_cli.units.matching import Reference, find, references

PAGE = """<p id="total">Total</p>
<script>
let n = 0;
function addOne() {
  n += 1;
  total.textContent = `Total: ${n}`;
}
</script>"""


def found(kind, text, page=PAGE):
    return [(page[match.start : match.end], match.quality) for match in find(Reference(kind, text), page, 0, len(page))]


@pytest.mark.parametrize("module", [matching, words])
def test_the_worked_examples(module):
    assert doctest.testmod(module).failed == 0


def test_an_exact_quote_is_worth_most():
    assert found("quote", "n += 1;") == [("n += 1;", 1.0)]


def test_space_does_not_matter_much():
    assert found("quote", "function addOne(){ n+=1;") == [("function addOne() {\n  n += 1;", 0.95)]


def test_a_near_quote_is_found():
    ((text, quality),) = found("quote", "total.textContent = `Total ${n}`")
    assert "textContent = `Total: ${n}`" in text
    assert quality == 0.8


def test_a_name_is_found_as_a_whole_word():
    assert found("name", "#total") == [("total", 0.6), ("total", 0.6)]
    assert found("name", "addOne") == [("addOne", 0.6)]
    assert found("name", "add") == []
    assert found("quote", "addOne()") == [("addOne()", 1.0)]


def test_a_line_means_its_neighbours_too():
    ((text, quality),) = found("line", "5")
    assert text.splitlines()[2] == "  n += 1;"
    assert len(text.splitlines()) == 5
    assert quality == 0.4
    assert found("line", "99") == []


def test_a_line_of_thousands_of_digits_is_none():
    assert list(references("wrong in line " + "9" * 5000)) == []


def test_nothing_alike_is_nothing():
    assert found("quote", "document.write(everything)") == []
    assert found("quote", "") == []


def test_what_is_everywhere_points_nowhere():
    assert find(Reference("quote", "a"), "a" * 100, 0, 100) == []


def test_labels_in_a_diagnosis_are_no_quotes():
    assert list(references('clicked the button "Add": expected 1 item, found 0')) == []
    assert list(references("expected “Total: $0.00” in the page")) == []


def test_what_lies_outside_the_page_does_not_count():
    text = "n += 1; " + PAGE
    assert [match.start for match in find(Reference("quote", "n += 1;"), text, 8, len(text))] == [
        8 + PAGE.index("n +=")
    ]
