import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.source import html

PAGE = """<!doctype html>
<html><body class="a  b">
<p id='x' onclick="go(&quot;é&quot;)" hidden>hi<br>😀
<ul><li>one<li onclick=b()>two</ul>
<template><p>hidden</p></template>
<svg><path d="M0"/></svg>
<script type="application/json">{}</script>
<script src="a.js"></script>
<script type="module">let a = 1;</script>
<style>p { color: red }</style>
</body></html>
"""


def texts(page: str, tag: str) -> list[str]:
    return [page[element.start : element.end].strip() for element in html.parse(page).elements if element.tag == tag]


def test_elements_know_their_tags_and_ends() -> None:
    assert texts(PAGE, "li") == ["<li>one", "<li onclick=b()>two"]  # the next item, the list's end tag
    assert texts(PAGE, "p")[0].endswith("<br>😀")  # a list ends a paragraph
    assert texts(PAGE, "br") == ["<br>"]
    assert texts(PAGE, "path") == ['<path d="M0"/>']
    body = next(element for element in html.parse(PAGE).elements if element.tag == "body")
    assert PAGE[body.start : body.start_tag_end] == '<body class="a  b">'
    assert body.end_tag_start == PAGE.index("</body>")


def test_attributes_are_decoded_and_placed() -> None:
    paragraph = next(element for element in html.parse(PAGE).elements if element.tag == "p")
    handler = paragraph.attributes["onclick"]
    assert handler.value == 'go("é")'
    assert PAGE[handler.value_start : handler.value_end] == "go(&quot;é&quot;)"
    assert PAGE[handler.start : handler.end] == 'onclick="go(&quot;é&quot;)"'
    assert paragraph.attributes["hidden"].value == ""
    assert paragraph.attribute("id") == "x"
    assert paragraph.attribute("title") == ""


def test_blocks_are_the_code_that_runs() -> None:
    document = html.parse(PAGE)
    assert [(PAGE[b.start : b.end], b.kind) for b in document.scripts] == [("let a = 1;", "module")]
    assert [PAGE[b.start : b.end] for b in document.styles] == ["p { color: red }"]
    assert [PAGE[b.start : b.end] for b in document.handlers] == ["go(&quot;é&quot;)", "b()"]


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ("", "script"),
        ("type", "script"),
        ("type='text/JavaScript '", "script"),
        ("type=text/javascript1.5", "script"),
        ("language=JavaScript", "script"),
        ("type=Module", "module"),
        ("type=module language=vbscript", "module"),
        ("type=' module '", None),
        ("type='text/javascript; charset=utf-8'", None),
        ("language=vbscript", None),
        ("type=' '", None),
        ("type=text/babel", None),
        ("nomodule", None),
        ("src=a.js", None),
    ],
)
def test_a_script_is_code_where_chromium_runs_it(attributes, kind) -> None:
    found = html.parse(f"<script {attributes}>a()</script>").scripts
    assert [block.kind for block in found] == ([] if kind is None else [kind])


def test_a_reference_without_a_semicolon_is_only_decoded_where_a_browser_does() -> None:
    page = "<a onclick=\"go('?a=1&not=2&lt')\">"
    assert html.parse(page).elements[-1].attribute("onclick") == "go('?a=1&not=2<')"


def test_order_is_that_of_the_browser_and_templates_are_apart() -> None:
    document = html.parse(PAGE)
    listed = [element.tag for element in document.elements if element.dom is not None]
    assert listed[:5] == ["html", "head", "body", "p", "br"]
    assert not document.elements[1].written
    inside = [element for element in document.elements if element.dom is None]
    assert [PAGE[element.start : element.end] for element in inside] == ["<p>hidden</p>"]
    assert document.elements[inside[0].parent].tag == "template"


def test_line_ends_and_a_byte_order_mark_keep_their_places() -> None:
    page = "\ufeff" + PAGE.replace("\n", "\r\n")
    assert texts(page, "li") == texts(PAGE, "li")
    assert [page[b.start : b.end] for b in html.parse(page).scripts] == ["let a = 1;"]


def test_an_unfinished_page_ends_at_its_end() -> None:
    page = "<body><div><script>let a = '</b>"
    document = html.parse(page)
    assert [(b.start, b.end) for b in document.scripts] == [(page.index("let"), len(page))]
    assert html.parse("<p><a href='x").eof_errors == [("eof-in-tag", 13)]


def test_an_element_after_the_body_has_its_own_content() -> None:
    page = "<body></body></html><style>a { b"
    block = html.parse(page).styles[0]
    assert page[block.start : block.end] == "a { b"


def test_the_innermost_element_around_a_place() -> None:
    document = html.parse(PAGE)
    assert document.at(PAGE.index("two")).attribute("onclick") == "b()"
    assert document.at(0) is None


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "<b>",
                "</p>",
                "</b>",
                "<table>",
                "<tr>",
                "x",
                "<!--",
                "-->",
                "<script>",
                "\r\n",
                "<br/>",
                "<a b='",
                "'>",
            ]
        )
    ).map("".join)
)
def test_spans_are_inside_the_text_whatever_the_markup(page: str) -> None:
    for element in html.parse(page).elements:
        assert 0 <= element.start <= element.start_tag_end <= element.end <= len(page)
        if element.written:
            assert page[element.start] == "<"
            assert element.start_tag_end <= (element.end if element.end_tag_start is None else element.end_tag_start)


def test_an_attribute_of_several_words_is_a_text_as_any_other():
    (link,) = (one for one in html.parse('<link rel="Alternate  stylesheet" class="">').elements if one.tag == "link")
    assert (link.attribute("rel"), link.attribute("class")) == ("Alternate stylesheet", "")
