"""What is found in an answer: the shapes on which the released harness was run, by its way and by ours."""

import re

import pytest

from rcca_cli.bench.artifacts import official, pages
from tests.bench.artifacts.shapes import SHAPES, block, html


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.number))
def test_the_official_way_is_that_of_the_released_harness(shape):
    page = official.page(official.answer(shape.answer))
    if shape.official is None:
        assert page is None
        return
    for words in shape.official:
        assert words in page
    for words in shape.lost:
        assert words not in page


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(shape.number))
def test_our_way_keeps_the_page_and_the_code(shape):
    page = pages.page(shape.answer)
    assert page.status == shape.status
    if shape.fixed is None:
        assert page.html is None
        assert page.why
        return
    for words in shape.fixed:
        assert words in page.html
    assert set(shape.files) <= page.files.keys()


def test_there_are_all_24():
    assert [shape.number for shape in SHAPES] == list(range(1, 25))


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('"Overall Score": "85"', "85"),
        ('"Overall Score": 85', "85"),
        ('"Overall Score": "85/100"', "85"),
        ('"Overall Score": "35-40"', "35"),
        ('"Overall Score": "735"', "735"),
        ('{"Overall Score": "35"} … {"Overall Score": "40"}', "40"),
        ('"Overall Score": "8.5"', "8.5"),
        ('"Overall Score": "0"', "0"),
        ('"总体打分": "61"', "61"),
        ('"Overall Score" : 72', None),
        ("'Overall Score': 72", None),
        ("**Overall Score**: 72", None),
        ("Overall Score: 55", None),
        ('"overall_score": 72', None),
        ('"Total Score": 66', None),
        ('"Overall Score": "N/A"', None),
        ('"Overall Score": null', None),
        ('"Overall Score": "-5"', None),
    ],
)
def test_the_score_is_read_as_the_released_harness_reads_it(reply, score):
    assert official.overall(reply) == score


def test_a_sheet_that_is_linked_twice_costs_the_first_page_its_doctype():
    twice = html("", '<link rel="stylesheet" href="a.css">' * 2)
    answer = block("html", twice) + block("css", "p {}\n")
    assert official.page(answer).startswith("<html>")


def test_code_that_repeats_a_part_of_the_page_is_not_put_in():
    page = html("<p id=p></p><script>p.textContent = 1;</script>")
    found = pages.page(block("html", page) + "The line that counts:\n" + block("js", "p.textContent = 1;\n"))
    assert found.html == page


def test_a_page_of_the_same_name_later_is_the_page():
    draft, final = html("<p>Draft</p>"), html("<p>Final</p>")
    named = "index.html\n" + block("html", draft) + "Again, index.html:\n" + block("html", final)
    assert pages.page(named).html == final


def test_a_drawing_is_never_taken_out_of_a_page():
    found = pages.page("<html><body><svg width=1></svg><p>More")
    assert found.status == "truncated"
    assert "More" in found.html


HOSTILE = {
    "drawings that never end": "<svg " * 200_000,
    "drawings in a block": "```svg\n" + "<svg>" * 20_000 + "\n```",
    "documents that never end": "<html>" * 200_000,
    "comments before a fragment": "```html\n" + "<!--a-->" * 60 + "<p>x</p>\n```",
    "comments before a drawing": "```html\n" + "<!--a-->" * 60 + "x<svg></svg>\n```",
    "links in a link": "```html\n<html>" + "<link rel='stylesheet' " * 20_000 + "</html>\n```",
    "scripts in a script": "```html\n<html>" + "<script src='" * 20_000 + "</html>\n```",
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE)
def test_no_answer_holds_up_the_others(answer):
    """Each took hours, or for ever, where a pattern went over it again and again."""
    pages.page(answer)
    official.page(answer)
    official.kind(answer)


def test_spans_are_what_the_one_pattern_finds():
    text = "a<html>b</html>c<html x><html>d</html></html>e<html>"
    assert list(official.spans(text, *official.DOCUMENT)) == re.findall("<html[^>]*>.*?</html>", text, re.DOTALL)
