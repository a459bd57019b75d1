"""Two or three golden examples for each source, and the laws that hold for all."""

import json

import pytest

from rcca_cli.align import stage
from rcca_cli.align.sources import SOURCES, quote
from tests.align.example import ITEM, PAGE, case, evidence, lines, marks, record, verdict

APPEND = 'function append() {\n  const row = document.createElement("li");'


def failed(*rows, failure="silent", diagnosis=None, item=ITEM, **others):
    return case(verdict(False, failure=failure, evidence=list(rows), diagnosis=diagnosis), item=item, **others)


def test_stack_halves_with_the_depth():
    rows = evidence("stack", "list.append(row)", "0"), evidence("stack", "clear()", "1 unused")
    assert marks("stack", failed(*rows)) == [("list.append(row)", "stack", 1.0), ("clear()", "stack", 0.5)]


def test_listener_fades_with_the_ancestor():
    rows = evidence("listener", APPEND, "click 0"), evidence("listener", "function unused() { clear(); }", "click 2")
    assert marks("listener", failed(*rows)) == [
        (APPEND, "listener", 1.0),
        ("function unused() { clear(); }", "listener", 0.5),
    ]


@pytest.mark.parametrize(("source", "detail"), [("listener", "click {}"), ("stack", "{} unused")])
def test_a_depth_of_thousands_of_digits_is_far(source, detail):
    ((_, _, score),) = marks(source, failed(evidence(source, APPEND, detail.format("9" * 5000))))
    assert score == 0


def test_listener_suspects_registrations_of_the_words_of_a_dead_action():
    item = ITEM | {"requirement": "Pressing plus works."}
    found = marks("listener", failed(failure="dead", item=item))
    assert found == [('document.getElementById("plus").addEventListener("click", append);', "listener", 1.0)]
    assert marks("listener", failed(failure="silent", item=item)) == []


def test_coverage_masks_and_says_what_is_special():
    rows = [
        evidence("coverage", PAGE[PAGE.index("const list") : PAGE.index("</script>")], "load"),
        evidence("coverage", PAGE[PAGE.index("function append") : PAGE.index("function unused")], "window"),
        evidence("coverage", "function unused() { clear(); }", "never"),
    ]
    found = marks("coverage", failed(*rows))
    assert [(feature, score) for _, feature, score in found[:3]] == [("mask", 0.6), ("mask", 1.0), ("mask", 0.15)]
    special = [text for text, feature, score in found if feature == "spec" and score == 1]
    assert "list.append(row);" in special
    assert "clear();" not in special


def test_coverage_counts_the_passing_items_that_ran_a_unit_too():
    other = verdict(True, "other", evidence=[evidence("coverage", "list.append(row);", "window")])
    row = verdict(False, evidence=[evidence("coverage", "  list.append(row);\n}", "window")])
    one = case(row)
    one.answer.judge["verdicts"] = [row, other]
    one.answer.rubric.append(ITEM | {"id": "other"})
    assert ("list.append(row);", "spec", 0.707) in marks("coverage", one)


def test_the_load_is_the_window_of_an_item_that_only_looks():
    one = failed(evidence("coverage", "list.append(row);", "load"), item=ITEM | {"kind": "initial"})
    assert marks("coverage", one)[0] == ("list.append(row);", "mask", 1.0)


def test_element_marks_the_tag_and_fades_around_it():
    found = marks("element", failed(evidence("element", '<button id="plus" class="entry">Add</button>')))
    assert ('<button id="plus" class="entry">', "mask", 1.0) in found
    assert ("Add", "mask", 1.0) in found
    assert {text for text, feature, score in found if feature == "mask" and score < 1} <= {"<body>", "<html>"}
    assert found[0] == ('<button id="plus" class="entry">Add</button>', "dom", 1.0)


def test_element_made_by_a_script_has_no_mask():
    assert marks("element", failed(evidence("element", "list.append(row);"))) == [("list.append(row);", "dom", 1.0)]


def test_what_hides_is_marked_before_what_was_acted_on():
    rows = (
        evidence("element", '<button id="plus" class="entry">', "<button> 0"),
        evidence("element", '<ul id="list">', "<ul> 0 hides"),
    )
    one = failed(*rows, failure="visual", item=ITEM | {"check": '{"steps": [{"expect": "text"}]}'})
    assert one.kind == "visibility"
    found = marks("element", one)
    assert ('<ul id="list">', "dom", 1.0) in found
    assert ('<button id="plus" class="entry">', "dom", 0.3) in found
    assert ('<button id="plus" class="entry">', "mask", 0.3) in found


def test_a_rule_that_hides_is_a_visual_failure_of_its_property():
    hides = evidence("element", '<button id="plus" class="entry">', "<button> 0 hides")
    rule = evidence("css", ".entry { color: red; }", ".entry { color: red }")
    one = failed(hides, rule, failure="visual", item=ITEM | {"check": '{"steps": [{"expect": "text"}]}'})
    assert (one.kind, one.properties) == ("visual", {"color"})
    assert ("color: red;", "cssprop", 1.0) in marks("css", one)


def test_css_marks_matched_rules_named_ones_and_the_property():
    check = '{"steps": [{"expect": "style", "property": "color"}]}'
    rows = evidence("css", ".entry { color: red; }"), evidence("element", '<button id="plus" class="entry">')
    found = marks("css", failed(*rows, failure="visual", item=ITEM | {"check": check}))
    assert (".entry { color: red; }", "mask", 1.0) in found
    assert ("color: red;", "cssprop", 1.0) in found
    assert (".entry", "selector", 0.5) in found
    assert not [text for text, _, _ in found if "done" in text]


def test_css_knows_shorthands():
    check = '{"steps": [{"expect": "style", "property": "text-decoration-line"}]}'
    found = marks("css", failed(failure="visual", item=ITEM | {"check": check}))
    assert ("text-decoration: line-through;", "cssprop", 1.0) in found


def test_lexical_counts_shared_words():
    found = {text: score for text, _, score in marks("lexical", failed())}
    assert found["Add"] == 0.5
    assert found['<button id="plus" class="entry">'] == 0.5
    check = '{"steps": [{"do": "click", "target": {"css": "#plus"}}]}'
    found = {text: score for text, _, score in marks("lexical", failed(item=ITEM | {"check": check}))}
    assert found['<button id="plus" class="entry">'] == 0.75


def test_quote_finds_what_the_evaluator_names():
    one = failed(diagnosis="`list.append(row)` runs, but append() is bound to #plus; `nowhere.at(all)` is wrong")
    found = marks("quote", one)
    assert ("list.append(row)", "quote", 0.75) in found  # one of four quotes is in vain
    assert ("plus", "quote", 0.45) in found
    assert (PAGE[PAGE.index("function append") : PAGE.index("\nfunction unused")], "quote", 0.45) in found
    assert quote.unmatched(one) == 1


def test_quote_takes_a_place_at_its_word():
    start, end = record([])["judge"]["artifact"]["start"], record([])["judge"]["artifact"]["start"] + 15
    row = {"kind": "quote", "start": start, "end": end, "detail": "doctype"}
    assert marks("quote", failed(row)) == [("<!doctype html>", "quote", 1.0)]
    row = {"kind": "quote", "start": 0, "end": 0, "detail": "list.append(row);"}
    assert marks("quote", failed(row)) == [("list.append(row);", "quote", 1.0)]


def check(*steps):
    return json.dumps({"steps": list(steps)})


def test_effect_marks_code_that_can_do_what_the_check_looks_at():
    text = ITEM | {"check": check({"expect": "text", "contains": "x"})}
    found = marks("effect", failed(item=text))
    assert found == [
        ('const row = document.createElement("li");', "effect", 1.0),
        ("row.textContent = field.value;", "effect", 1.0),
        ("list.append(row);", "effect", 1.0),
    ]
    assert marks("effect", failed(item=ITEM | {"check": check({"expect": "focused", "target": {"css": "#x"}})})) == []
    assert marks("effect", failed()) == []  # an item that a model judged


def test_effect_marks_markup_that_begins_hidden():
    page = PAGE.replace('<ul id="list">', '<ul id="list" hidden>')
    found = marks("effect", failed(page=page, item=ITEM | {"check": check({"expect": "visible", "target": {}})}))
    assert ('<ul id="list" hidden>', "effect", 0.5) in found


VALUES = """<html><body><p id="said"></p><button onclick="add()">Add</button><script>
let step = 2;
let total = 0;
let unused = 1;
function add() {
  if (total > 9) return;
  total += step;
  said.textContent = text(total);
}
function text(n) {
  const shown = n + 1;
  return shown;
}
</script></body></html>
"""


def test_slice_goes_back_two_steps_from_what_the_check_saw():
    item = ITEM | {"check": check({"expect": "number", "left": "a", "op": "==", "right": 3})}
    found = {text: score for text, _, score in marks("slice", failed(page=VALUES, item=item))}
    assert found == {
        "total += step;": 0.5,  # sets what is shown
        "let total = 0;": 0.5,
        "return shown;": 0.5,  # gives it its form
        "if (total > 9)": 0.5,  # decides whether it is shown
        "let step = 2;": 0.25,
        "const shown = n + 1;": 0.25,
    }


def test_slice_goes_back_from_where_an_error_was_thrown():
    row = evidence("stack", "list.append(row)", "0")
    found = {text: score for text, _, score in marks("slice", failed(row, failure="exception"))}
    assert found['const list = document.getElementById("list");'] == 0.5
    assert found['const row = document.createElement("li");'] == 0.5
    assert "row.textContent = field.value;" not in found


def test_slice_begins_at_code_that_ran_if_that_is_known():
    page = VALUES.replace("</script>", "function never() { said.textContent = unused; }\n</script>")
    item = ITEM | {"check": check({"expect": "text", "contains": "3"})}
    ran = evidence("coverage", "  said.textContent = text(total);", "window", page)
    found = {text for text, _, _ in marks("slice", failed(ran, page=page, item=item))}
    assert "let unused = 1;" not in found
    assert "let unused = 1;" in {text for text, _, _ in marks("slice", failed(page=page, item=item))}


def test_under_a_dead_action_code_of_the_element_that_never_ran_is_suspect():
    rows = [
        evidence("coverage", 'document.getElementById("plus").addEventListener("click", append);', "load"),
        evidence("coverage", "function unused() { clear(); }", "never"),
        evidence("element", '<button id="plus" class="entry">', "<button> 0"),
    ]
    full = ('document.getElementById("plus").addEventListener("click", append);', "mask", 1.0)
    assert full in marks("coverage", failed(*rows, failure="dead"))
    assert full not in marks("coverage", failed(*rows))
    assert ("clear();", "mask", 1.0) not in marks("coverage", failed(*rows, failure="dead"))


def answer(page, passed):
    return stage.answer(lines(record([verdict(passed)], page))[0], None)


def test_sibling_marks_only_the_part_that_differs():
    wrong = PAGE.replace("field.value", "field.name")
    one = failed(page=wrong, contrast=[answer(PAGE, True)])
    assert marks("sibling", one) == [("name", "sibling", 1.0)]


def test_sibling_marks_where_code_was_left_out():
    wrong = PAGE.replace("  list.append(row);\n", "")
    one = failed(page=wrong, contrast=[answer(PAGE, True)])
    assert marks("sibling", one) == [("}", "omission", 1.0)]
    assert one.omissions[0].start == one.answer.text.index("}\nfunction unused")


def test_sibling_clears_what_a_passing_answer_does_too():
    other = PAGE.replace("color: red", "color: blue")
    one = failed(page=other, contrast=[answer(PAGE, True), answer(other, True)])
    assert marks("sibling", one) == []


def test_sibling_praises_what_failing_answers_lack():
    broken = [answer(PAGE.replace("list.append(row)", "list.push(row)"), False), answer(PAGE, False)]
    one = case(verdict(True), contrast=broken)
    assert marks("sibling", one) == [("append", "sibling", 0.5)]


def test_sibling_is_silent_about_an_answer_of_another_kind():
    other = "<html><body><main><p>Something else</p></main></body></html>"
    assert marks("sibling", failed(contrast=[answer(other, True)])) == []


@pytest.mark.parametrize("name", list(SOURCES))
@pytest.mark.parametrize("failure", ["exception", "silent", "dead", "visual", "absent"])
def test_marks_are_inside_the_text_and_the_same_each_time(name, failure):
    kinds = ("listener", "stack", "coverage", "css", "element", "quote")
    rows = [
        evidence(kind, "list.append(row);", detail) for kind in kinds for detail in ("", "0", "click", "window", "?")
    ]
    outside = [{"kind": kind, "start": 5, "end": 10**6, "detail": "0"} for kind in kinds]
    one = failed(*rows, *outside, failure=failure, diagnosis="`x` is (odd) #gone line 3 and line 99")
    found = list(SOURCES[name](one))
    assert found == list(SOURCES[name](one))
    for mark in found:
        assert 0 <= mark.start <= mark.end <= len(one.answer.text)
        assert 0 < mark.score <= 1
