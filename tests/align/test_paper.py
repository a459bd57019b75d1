"""The direct and the context tokens of mode paper."""

from dataclasses import replace

import pytest

from rcca_cli.align import diagnosed, places, stage
from rcca_cli.align.case import Case
from tests.align.example import ITEM, PAGE, lines, place, record, verdict

PAGE_OF_TWO = PAGE.replace(
    "function unused() { clear(); }", "let size = 3;\nfunction unused() {\n  grow(size);\n  clear();\n}"
)


def marked(page, code):
    """(the texts of the direct units, of the context units) if some code is what the gate failed on."""
    row = verdict(False, diagnosis=f"`{code}`")
    answer = stage.answer(lines(record([row], page))[0], None)
    case = Case(answer, ITEM, answer.verdicts["adds"])
    index = answer.codes.index(code)
    attribution = places.failed(case).attribution
    only = replace(attribution, mass=attribution.mass * 0)
    only.mass[attribution.units.starts.index(answer.spans[index][0])] = 1.0
    direct, context = diagnosed.tokens(answer, [places.Placed(places.NOWHERE, only)], [])
    whole = [
        {answer.codes[unit] for unit, span in enumerate(answer.spans) if chosen[first(answer, span)]}
        for chosen in (direct, context)
    ]
    assert not (direct & context).any()
    return whole


def first(answer, span):
    return int(answer.tokens.ends.searchsorted(span[0], side="right"))


def test_context_is_the_function_the_neighbours_and_what_sets_the_values():
    direct, context = marked(PAGE_OF_TWO, "grow(size);")
    assert direct == {"grow(size);"}
    assert {"clear();", "function unused() {", "let size = 3;"} <= context
    assert "list.append(row);" not in context


def test_context_is_the_markup_and_the_rules_of_a_handler_s_element():
    direct, context = marked(PAGE, 'document.getElementById("plus").addEventListener("click", append);')
    assert direct == {'document.getElementById("plus").addEventListener("click", append);'}
    assert '<button id="plus" class="entry">' in context
    assert '<ul id="list">' not in context
    _, context = marked(PAGE, '<button id="plus" class="entry">')
    assert {'document.getElementById("plus").addEventListener("click", append);', ".entry"} <= context
    assert ".done" not in context


def test_a_failed_gate_is_diagnosed_at_its_place():
    answer = stage.answer(lines(record([verdict(True)]))[0], None)
    direct, _ = diagnosed.tokens(answer, [], [place("list.append(row)")])
    assert direct[first(answer, place("list.append(row)"))]


@pytest.mark.parametrize("mode", ["rubric", "uniform"])
def test_other_modes_ask_for_no_diagnosed_tokens(mode):
    """They cost a parse of the scripts, and change nothing."""
    good, bad = record([verdict(True)], reward=1.0), record([verdict(False)], PAGE_OF_TWO, 1)
    for row in stage.run(lines(good, bad), stage.Options(mode)):
        assert row["align"]["advantages"]
