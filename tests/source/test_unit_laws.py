"""Laws of units over pages that are broken in every way: coverage, order, scopes, positions."""

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli.source import units

# Words w… are code or content, wherever a parser thinks that they stand; words c… are in comments, which are whole.
PIECES = [
    "<p title='😀'>w0 😀",
    "</p>\n",
    "<b class=w1 onclick='w2(\"😀w3\")' style='w4: w5; w6",
    "'>",
    "<svg><path d='w7'/>w8</svg>",
    "<!-- c0 😀 -->\n",
    "<table>w9<tr><td>w10",
    "<select><option>w11<div>w12</div>",
    "<template>w13",
    "<textarea><b>w14",
    "</textarea>",
    "<script>",
    "<script type=module>\nimport w15 from 'w16';\nawait w17?.w18;\n",
    '<script type=\'application/json\'>{"w19": "w20"}',
    "</script>",
    "<style>",
    "</style>\n",
    "w21 > .w22 { w23: w24",
    "; --w25: w26 }",
    "@media (width < w27) {",
    "/* c1 😀 */",
    "// c2\n",
    "w28(() => { w29();",
    "});\n",
    "if (w30",
    "const w31 = { w32: ['😀', w34] };\n",
    "class W { #w35 = w36; static async *w37() { yield w38 } }\n",
    "`<p>${w39.map(w40 => `<b>😀${w41}</b>`)}",
    "`",
    "({[",
    "}])",
    "'",
    '"',
    "/w42/g",
    "😀 w43 漢w44",
    "\n",
]
WHOLE = [
    "<p title='😀'>a 😀 b</p>",
    "<!-- 😀 -->",
    "<a onclick=\"go('😀')\" style=\"content: '😀'\">x</a>",
    "<script>\nconst a = '😀', b = `<b>😀${a}</b>`; // 😀\ngo(() => { c('😀'); });\n</script>",
    "<style>.a::before { content: '😀'; top: 0 } /* 😀 */ b { left: 0 }</style>",
    "<svg><text>😀</text></svg>\n",
]
broken = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
anything = broken | st.text(st.sampled_from("<>/='\"`{}()[];:&!-*ap \n\r😀"), max_size=60)
laws = settings(deadline=None, max_examples=60)


@laws
@given(broken)
def test_whatever_is_written_lies_in_a_unit_but_for_comments(page):
    covered = {place for unit in units(page) for place in range(unit.start, unit.end)}
    missing = [word.group() for word in re.finditer(r"w\d+", page) if word.start() not in covered]
    assert missing == []


@laws
@given(anything)
def test_units_are_ordered_apart_stripped_and_inside_their_scopes(page):
    found = units(page)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for unit in found:
        assert 0 <= unit.scope_start <= unit.start < unit.end <= len(page)
        assert unit.end <= unit.scope_end or (unit.kind == "text" and page[unit.scope_start] == "<")
        assert page[unit.start : unit.end].strip() == page[unit.start : unit.end]


@laws
@given(anything, st.text(st.sampled_from(" \n\t"), max_size=5))
def test_blanks_in_front_move_the_units_by_their_number(page, before):
    moved = [(unit.kind, unit.start - len(before), unit.end - len(before)) for unit in units(before + page)]
    assert moved == [(unit.kind, unit.start, unit.end) for unit in units(page)]


@laws
@given(st.lists(st.sampled_from(WHOLE), max_size=8).map("".join))
def test_an_astral_character_takes_one_place_like_any_other(page):
    found = [(unit.kind, unit.start, unit.end) for unit in units(page.replace("😀", "£"))]
    assert [(unit.kind, unit.start, unit.end) for unit in units(page)] == found


@laws
@given(broken.filter(lambda page: len(page) < 150))  # a longer piece is split into lines by its length
def test_the_units_are_the_same_whatever_ends_the_lines(page):
    written = [re.sub(r"\s+", " ", page[unit.start : unit.end]) for unit in units(page)]
    for end in ("\r\n", "\r"):
        other = page.replace("\n", end)
        assert [re.sub(r"\s+", " ", other[unit.start : unit.end]) for unit in units(other)] == written
