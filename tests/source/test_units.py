import doctest
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.source import flow, split, units


def texts(page, *kinds):
    """The units of some kinds, as written."""
    return [page[unit.start : unit.end] for unit in units(page) if unit.kind in kinds]


def script(code):
    """The units of a script, but for its tag."""
    return texts(f"<script>{code}</script>", "statement", "function", "handler")


def test_the_worked_example():
    assert doctest.testmod(split).failed == 0


def test_a_statement_is_what_its_blocks_leave_of_it():
    assert script("if (a) { b(); } else { c(); }") == ["if (a) {", "b();", "} else {", "c();"]
    assert script("setTimeout(() => { tick(); }, 1000);") == ["setTimeout(() =>", "tick();", ", 1000);"]
    assert script("for (let i = 0; i < 3; i++) { a(i); }") == ["for (let i = 0; i < 3; i++) {", "a(i);"]
    assert script("switch (k) { case 1: a(); break; default: b() }") == [
        "switch (k) { case 1:",
        "a();",
        "break;",
        "default:",
        "b()",
    ]


def test_the_value_of_an_arrow_function_is_a_unit():
    assert script("x = list.map(i => i.done ? 1 : 2).length;") == ["x = list.map(i =>", "i.done ? 1 : 2", ").length;"]


@pytest.mark.parametrize(
    ("code", "head", "name"),
    [
        ("function add(x) { go(); }", "function add(x) {", "add"),
        ("async function add() { go(); }", "async function add() {", "add"),
        ("const add = (x) => { go(); };", "const add = (x) =>", "add"),
        ("let add = async function () { go(); };", "let add = async function ()", "add"),
        ("class A { static async add(x) { go(); } }", "static async add(x) {", "add"),
        ("const o = { add() { go(); } };", "add() {", "add"),
        ("export default function add() { go(); }", "function add() {", "add"),
    ],
)
def test_the_head_of_a_function_is_a_unit_with_its_name_and_scope(code, head, name):
    page = f"<script type=module>{code}</script>"
    unit = next(unit for unit in units(page) if unit.kind == "function")
    assert (page[unit.start : unit.end], unit.name) == (head, name)
    inner = next(unit for unit in units(page) if page[unit.start : unit.end] == "go();")
    assert unit.scope_start <= inner.start
    assert inner.end <= unit.scope_end
    assert page[inner.scope_end - 1] == "}"


def test_handlers_are_what_registers_them():
    page = (
        "<a onclick='go(1)'>x</a><script>b.addEventListener('click', () => { c(); }); d.onkeyup = e => f(e);</script>"
    )
    assert texts(page, "handler") == ["go(1)", "b.addEventListener('click', () =>", "d.onkeyup = e =>"]
    assert texts(page, "tag") == ["<a onclick='", "<script>"]


def test_modern_javascript_is_understood():
    code = "class A { #p = 1n; static { init(); } get v() { return this.#p ?? 0; } }\na?.b?.[c]; d ||= `x${e}`;"
    assert script(code) == [
        "class A {",
        "#p = 1n",
        "static {",
        "init();",
        "get v() {",
        "return this.#p ?? 0;",
        "a?.b?.[c];",
        "d ||= `x${e}`;",
    ]


def test_the_pairs_of_a_long_literal_are_units_and_of_a_short_one_are_not():
    row = "{ question: 'How many legs has a spider?', options: [4, 6, 8], right: 2 }"
    assert script(f"const q = {row};") == [f"const q = {row};"]
    assert script(f"const q = [{', '.join([row] * 5)}];")[1:4] == [
        "question: 'How many legs has a spider?'",
        "options: [4, 6, 8]",
        "right: 2",
    ]


def test_a_long_piece_is_split_into_its_lines():
    lines = [f"<p>line {number} of a long template</p>" for number in range(8)]
    assert script("x.innerHTML = `\n" + "\n".join(lines) + "\n`;")[1:9] == lines


def test_selectors_declarations_and_at_rules():
    page = "<style>/* a: b */ .a, p > b { color: red; --x: 1 } @media (width < 9px) { c { d: e } } @import 'x';</style>"
    assert texts(page, "selector") == [".a, p > b", "c"]
    assert texts(page, "declaration") == ["color: red;", "--x: 1", "d: e"]
    assert texts(page, "rule") == ["@media (width < 9px) {", "@import 'x';"]
    color = next(unit for unit in units(page) if unit.name == "color")
    assert page[color.scope_start : color.scope_end] == ".a, p > b { color: red; --x: 1 }"


def test_tags_texts_and_style_attributes():
    page = "<!-- no --><p id=a style='color: red; top: 1px'>Hi <!-- no --><b>you</b> 😀 there</p>"
    assert texts(page, "tag") == ["<p id=a style='", "<b>"]
    assert texts(page, "declaration") == ["color: red;", "top: 1px"]
    assert texts(page, "text") == ["Hi", "you", "😀 there"]


def test_jsx_that_a_library_compiles_is_code():
    page = (
        "<script type='text/babel'>const App = () => { go(); return <b onClick={() => setN(n + 1)}>{n}</b>; };</script>"
    )
    assert texts(page, "statement", "function") == [
        "const App = () =>",
        "go();",
        "return <b onClick={() =>",
        "setN(n + 1)",
        "}>{n}</b>;",
    ]
    assert texts("<script type='text/plain'>a();</script>", "statement", "text") == ["a();"]


def test_nested_rules_and_new_at_rules():
    page = "<style>.a { color: red; &:hover { top: 0 } @media (x) { left: 0 } }\n@layer b { c { d: e } }</style>"
    assert texts(page, "selector", "declaration", "rule") == [
        ".a",
        "color: red;",
        "&:hover",
        "top: 0",
        "@media (x) {",
        "left: 0",
        "@layer b {",
        "c",
        "d: e",
    ]


def test_comments_are_no_units():
    assert script("// one\na(); /* two */\nfunction f() { // three\n b(); }") == ["a();", "function f() {", "b();"]


@pytest.mark.parametrize("end", ["", "</script>", "</script></body>"])
def test_broken_and_unfinished_code_has_units(end):
    page = f"<script>let a = 1;\nfunction f() {{ b(); if (c\nelse (((\nwindow.d(''{end}"
    covered = " ".join(texts(page, "statement", "function"))
    assert all(word in covered for word in ("let a = 1;", "b();", "if (c", "window.d("))


def test_a_page_cut_inside_a_style_has_units():
    assert texts("<style>a { color: red } .b { top", "selector", "declaration")[:2] == ["a", "color: red"]


def test_positions_are_code_points_whatever_the_line_ends():
    page = "<p>😀漢</p>\r\n<script>\r\nlet é = '😀';\r\ngo(é);\r\n</script>"
    assert texts(page, "text", "statement") == ["😀漢", "let é = '😀';", "go(é);"]


MARKUP = [
    "<p>",
    "</p>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<b style='c: d' onclick='e()'>",
    "<!--",
    "-->",
]
PIECES = [*MARKUP, "a { b: c }", "f(() => { x(); });", "if (a", "😀", "\n", "`", "{", "}"]


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_units_are_ordered_apart_and_inside_their_scopes(page):
    found = units(page)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for unit in found:
        assert 0 <= unit.start < unit.end <= len(page)
        assert page[unit.start : unit.end].strip() == page[unit.start : unit.end]
        assert unit.scope_start < unit.scope_end


@pytest.mark.parametrize(
    ("before", "opening", "inner", "closing", "unit", "fewer"),
    [
        ("", "(() => { a; ", "b", "})();", "a;", 0),
        ("x = ", "{a: [", "1", "]}", "a: [{", 1),
        ("", "for (;;) { c; ", "b", "}", "c;", 0),
    ],
)
def test_code_nested_thousands_deep_takes_no_longer_than_it_is(before, opening, inner, closing, unit, fewer):
    depth = 8000  # a minute, if each node were asked for its parent
    assert script(before + opening * depth + inner + closing * depth).count(unit) == depth - fewer


def test_code_nested_deeper_than_a_query_can_count_is_coarse_and_takes_no_longer():
    depth = 40_000  # hours, if the query were let go on
    found = script("(() => { a; " * depth + "})();" * depth)
    assert found.count("a;") > 10_000
    assert len("".join(found)) > 40_000 * len("()=>{a;")


@pytest.mark.parametrize(
    ("before", "again"),
    [
        *[("<script>", again) for again in ("/* a ", "a/*b", "f(/*", "/[", "/a[", "`${", "a?.", "(", "!")],
        *[("<style>", again) for again in ("/* a ", "a:not(", "a:b ", "[", "+")],
        *[('<p style="', again) for again in ("/* a ", "a:not(")],
        *[('<p onclick="', again) for again in ("/* a ", "/[")],
        ("", "<svg><script>"),
    ],
)
def test_what_is_opened_again_and_again_and_never_closed_takes_no_longer_than_it_is(before, again):
    page = before + again * (50_000 // len(again))  # many seconds each, if every one were looked for to the end
    assert all(one.end <= other.start for one, other in pairwise(units(page)))
    assert flow(page).functions == {}


def test_what_is_never_closed_hides_nothing_before_it():
    before = "let a = 1; f(a); "
    assert script(before + "/* a " * 1000)[:2] == script(before)
    assert script(before * 100)[:150] == script(before * 100 + "/* a " * 1000)[:150]
    globs = [f'g("src/*{number}.js");' for number in range(100)]
    assert script(" ".join(globs)) == globs


def test_many_scripts_take_no_longer_than_they_are():
    assert [unit.kind for unit in units("<script>a()</script>" * 3000)] == ["tag", "statement"] * 3000
