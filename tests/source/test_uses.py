"""Which names scripts read, set and call, whose the names are, and what decides whether code runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.source import flow

PAGE = """<button onclick="more(2)">More</button><script>
let total = 6, items = [];
const state = {n: 0};
function more(by) { if (by < 0) return; total += by; state.n++; items.push(by); paint(); }
const paint = () => { const s = half(total); for (const it of items) { list.append(s, it); } };
class A { render() { this.n = 1; app.more(); } }
</script>"""


def uses(page=PAGE):
    """name -> the kinds of its uses, in order."""
    found = {}
    for use in flow(page).uses:
        found.setdefault(use.name, []).append(use.kind)
    return found


def test_reads_sets_and_calls_are_told_apart():
    found = uses()
    assert found["total"] == ["set", "stepped", "read"]
    assert found["items"] == ["set", "read", "set", "read"]  # push changes it
    assert found["more"] == ["called", "named", "called"]  # a handler, its declaration, a method of that name
    assert found["paint"] == ["called", "set"]
    assert found[".n"] == ["set", "stepped", "set"]  # the literal, the step, the class
    assert found["half"] == ["called"]


def test_a_name_is_its_function_s():
    page = "<script>let n = 1; function f(n) { return n; } const g = () => n; const h = () => { let n = 2; }</script>"
    owners = {use.start: use.declared for use in flow(page).uses if use.name == "n"}
    outer, parameter, inner, free, own = (owners[place] for place in sorted(owners))
    assert outer is free is None
    assert parameter == inner
    assert page[slice(*parameter)].startswith("function f")
    assert page[slice(*own)] == "() => { let n = 2; }"


def test_functions_are_known_by_the_name_that_calls_them():
    found = {name: [PAGE[start : start + 8] for start, _ in spans] for name, spans in flow(PAGE).functions.items()}
    assert found == {"more": ["function"], "paint": ["() => { "], "render": ["render()"]}
    assert list(flow("<script>app.go = function () {}; const o = {run: () => 1};</script>").functions) == ["go", "run"]


def test_conditions_decide_what_is_in_them_and_one_that_leaves_what_follows():
    inside = [PAGE[start:end] for start, end in flow(PAGE).guards]
    assert inside == [
        "if (by < 0) return;",
        "if (by < 0) return; total += by; state.n++; items.push(by); paint(); }",
        "for (const it of items) { list.append(s, it); }",
    ]


def test_places_are_code_points():
    page = "<p>😀</p>\r\n<script>let a😀 = 1;</script><script>\nlet b = '😀', c = b;</script>"
    assert [page[use.start] for use in flow(page).uses if use.name in ("b", "c")] == ["b", "c", "b"]


@pytest.mark.parametrize("code", ["function f( {", "let a = `${b", "if (x) { y = ", "}}}}", "a => b =>"])
def test_broken_code_has_uses_too(code):
    assert flow(f"<script>{code}").uses is not None


@settings(max_examples=60)
@given(st.text(alphabet="abf(){}[]=>;,.'`${}+ \nif", max_size=80))
def test_all_uses_are_inside_the_page(code):
    page = f"<script>{code}</script>"
    for use in flow(page).uses:
        assert page[use.start :].startswith(use.name.lstrip("."))
        assert use.declared is None or 0 <= use.declared[0] <= use.start
