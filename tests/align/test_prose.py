"""Verdicts in plain words: what they share with the code, the controls that they name, and what they speak of."""

import doctest

import pytest

from rcca_cli.align import case as cases
from rcca_cli.align.controls import BODY, WIRING, Controls
from rcca_cli.align.sources import prose
from rcca_cli.bench.align import plain
from rcca_cli.bench.align.plain import Told
from rcca_cli.units import hints

PAGE = """<!doctype html>
<style>
.total { color: #eee; padding: 4px; }
</style>
<button id="save" class="big">Save all</button>
<input id="term" placeholder="Search notes">
<p id="total" class="total"></p>
<script>
const term = document.getElementById("term");
let notes = [];
function persist() { localStorage.setItem("notes", JSON.stringify(notes)); }
function draw() { total.textContent = notes.length; }
document.getElementById("save").addEventListener("click", persist);
term.addEventListener("input", () => {
  notes = notes.filter(note => note.includes(term.value));
  draw();
});
const bin = document.createElement("button");
bin.textContent = "×";
bin.onclick = () => { notes.pop(); };
</script>"""


def case(reason, requirement="It works", failure=None, page=PAGE):
    return plain.case(Told("page", requirement, reason, failure, ()), page)


def marked(feature, *told, **more):
    """The texts that the source marks with a feature, the surest first."""
    one = case(*told, **more)
    found = [mark for mark in prose.marks(one) if mark.feature == feature]
    return [one.answer.text[mark.start : mark.end] for mark in sorted(found, key=lambda mark: -mark.score)]


@pytest.mark.parametrize("module", [hints, cases])
def test_the_worked_examples(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "reason",
    ["The Save all button does nothing.", 'Clicking "Save all" has no effect', "Pressing save all changes nothing"],
)
def test_a_control_is_known_by_what_is_written_on_it(reason):
    assert marked("control", reason) == ['<button id="save" class="big">Save all']


def test_the_code_that_registers_its_handler_and_the_handler_are_wired_to_it():
    wired = Controls(case("").answer).wired(("save",))
    one = case("").answer
    texts = {
        kind: [one.text[slice(*one.spans[unit])] for unit in wired if wired[unit] == kind] for kind in (WIRING, BODY)
    }
    assert texts[WIRING] == ['document.getElementById("save").addEventListener("click", persist);']
    assert any("setItem" in text for text in texts[BODY])


def test_a_variable_that_holds_a_control_stands_for_it():
    assert any('addEventListener("input"' in text for text in marked("wiring", 'The field "Search notes" is ignored'))


def test_a_control_that_a_script_makes_is_known_by_the_text_it_gets():
    assert "bin.onclick = () =>" in marked("wiring", "Clicking the × removes the wrong note")
    assert "notes.pop();" in marked("body", "Clicking the × removes the wrong note")


def test_an_ordinary_word_names_no_control():
    page = PAGE.replace("Save all", "Start")
    assert marked("control", "At the start there is nothing.", page=page) == []
    assert marked("control", "Press Start twice: two timers.", page=page) != []


def test_words_are_worth_what_they_are_rare():
    first, *_ = marked("words", "Notes are gone after a reload")
    assert "localStorage" in first


def test_looks_are_looked_for_in_style_sheets():
    assert "color: #eee;" in marked("sheet", "The total is far too pale")
    assert marked("sheet", "The total is wrong") == []
    assert marked("words", "The total is far too pale")[0] in ("color: #eee;", ".total")


@pytest.mark.parametrize("failure", ["dead", "silent", "visual", "exception", None])
def test_with_a_check_or_a_browser_s_evidence_plain_words_say_nothing(failure):
    one = case("The Save all button does nothing.", failure=failure)
    seen = one.verdict | {"evidence": [{"kind": "coverage", "start": 0, "end": 9, "detail": "never"}]}
    assert list(prose.marks(cases.Case(one.answer, one.item, seen))) == []
    assert list(prose.marks(cases.Case(one.answer, one.item | {"check": "{}"}, one.verdict))) == []


def test_passed_items_are_not_searched_for():
    one = case("All is well")
    assert list(prose.marks(cases.Case(one.answer, one.item, one.verdict | {"passed": True}))) == []


@pytest.mark.parametrize("name", plain.SETS)
def test_the_places_of_the_verdicts_by_hand_are_in_their_pages_once(name):
    told = plain.verdicts(name)
    assert len(told) >= 50
    for one in told:
        assert plain.spans(one)


def test_plain_words_find_the_place_far_more_often_than_chance():
    found = plain.figures("tuned")
    assert found["top5"] > 0.8 > 20 * found["share"]
