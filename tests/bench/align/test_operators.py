"""The operators: what each does to a page."""

import pytest

from rcca_cli.bench.align import apps, mutants, stage
from rcca_cli.bench.align.operators import OPERATORS, Edit, Page, applied

PAGE = """<style>
.on { color: red; }
</style>
<p id="total" hidden>None</p>
<p class="on" id="other">Some</p>
<button onclick="add()">Add</button>
<button id="clear" value="x1">Clear</button>
<script>
let total = 0;
const out = document.getElementById("total");
document.getElementById("clear").addEventListener("click", () => { total = 0; show(); });
out.onclick = show;
function show() {
  const text = total > 1 ? "many" : "few";
  out.textContent.trim();
  out.textContent = text + total;
  out.classList.toggle("on");
  out.append(text.padEnd(total));
  show(); show(); show();
}
function add(by, twice) {
  if (twice) total += by;
  document.getElementById("total").textContent = Math.max(by, twice);
  out.style.color = "red";
}
</script>
"""
# operator -> what it makes of some line of the page
EXPECTED = {
    "event_name": 'document.getElementById("clear").addEventListener("clicked", () => { total = 0; show(); });',
    "handler_name": "out.onClick = show;",
    "inline_handler": '<button on-click="add()">Add</button>',
    "no_inline_handler": "<button>Add</button>",
    "disabled": '<button disabled onclick="add()">Add</button>',
    "other_target": '  document.getElementById("other").textContent = Math.max(by, twice);',
    "renamed_id": '<p id="total-box" hidden>None</p>',
    "operator": '  const text = total >= 1 ? "many" : "few";',
    "negation": "  if (!(twice)) total += by;",
    "off_by_one": "let total = 1;",
    "wrong_variable": '  document.getElementById("total").textContent = Math.max(twice, twice);',
    "method": '  document.getElementById("total").textContent = Math.min(by, twice);',
    "swapped": '  const text = total > 1 ? "few" : "many";',
    "wrong_text": '<p id="total" hidden>Some</p>',
    "wrong_value": '<button id="clear" value="x">Clear</button>',
    "first_state": "let total = 1;",
    "method_typo": "  out.append(text.padEdn(total));",
    "property_typo": "  out.textContetn.trim();",
    "name_typo": "  shwo(); show(); show();",
    "variable_typo": "  out.textContent = text + totla;",
    "null_query": '  document.getElementById("totla").textContent = Math.max(by, twice);',
    "wrong_declaration": ".on { color: gray; }",
    "wrong_property": ".on { colors: red; }",
    "renamed_selector": ".on-item { color: red; }",
    "unseen": ".on { opacity: 0; z-index: -1; color: red; }",
    "hidden": '<p id="total">None</p>',
    "renamed_class": '<p class="on-item" id="other">Some</p>',
    "toggled_class": '  out.classList.toggle("on-item");',
    "script_style": '  out.style.outline = "red";',
    "label": '<button onclick="add()"></button>',
}
# operator -> a line that it leaves out
LEFT_OUT = {
    "unlistened": "out.onclick = show;",
    "dropped_update": "  out.textContent = text + total;",
    "dropped_call": "  out.textContent.trim();",
    "dropped_shared_call": "  out.textContent = text + total;",
    "dropped_declaration": ".on { color: red; }",
    "dropped_rule": ".on { color: red; }",
    "element": '<button id="clear" value="x1">Clear</button>',
    "markup": '<button onclick="add()">Add</button>',
    "added_element": "  out.append(text.padEnd(total));",
}


def broken(name):
    """Every page that an operator makes of PAGE, as lines."""
    page = Page(PAGE, 0, len(PAGE))
    return [applied(PAGE, edits)[0].splitlines() for edits in OPERATORS[name].breaks(page)]


def test_every_operator_is_tried_here():
    assert {*EXPECTED, *LEFT_OUT} == set(OPERATORS)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_operator_writes_something_else(name):
    before = PAGE.splitlines()
    changed = [
        [line for line, old in zip(lines, before, strict=True) if line != old]
        for lines in broken(name)
        if len(lines) == len(before)
    ]
    assert [EXPECTED[name]] in changed


@pytest.mark.parametrize("name", LEFT_OUT)
def test_an_operator_leaves_something_out(name):
    assert any(LEFT_OUT[name] not in lines for lines in broken(name))


def test_an_element_goes_with_the_code_that_needs_it():
    pages = ["\n".join(lines) for lines in broken("element")]
    assert any("clear" not in page for page in pages)


def test_an_edit_is_where_it_says():
    text, places = applied("let n = 1;", [Edit(8, 9, "20"), Edit(0, 4, "")])
    assert [text[start:end] for start, end in places] == ["", "20"]


def test_mutants_differ_from_the_app_and_from_each_other_and_say_where():
    for app in apps.suite(False, 0, 1):
        drawn = mutants.draw(app, 0, stage.QUOTA)
        texts = [mutant.record["rollout"]["text"] for mutant in drawn]
        assert len({app.text, *texts}) == len(texts) + 1
        for mutant, text in zip(drawn, texts, strict=True):
            starts = [start for start, end in mutant.edits]
            assert text[: min(starts)] == app.text[: min(starts)]


def test_the_same_seed_draws_the_same_mutants():
    (app, *_) = apps.composed(False, 0, 1)
    first, second = (mutants.draw(app, 3, stage.QUOTA) for _ in range(2))
    assert first == second
    assert first != mutants.draw(app, 4, stage.QUOTA)


def test_no_family_is_in_both_halves():
    halves = [
        {name for app in apps.suite(half, 0, 12) for name in (app.regions or [app.name])} for half in (True, False)
    ]
    assert not halves[0] & halves[1]
    assert len(halves[0] | halves[1]) == 12 + 2 * 12  # the families, and twelve tasks a half


def test_a_mutant_is_judged_by_the_items_of_its_family_and_one_more():
    (app, *_) = apps.composed(False, 0, 1)
    for mutant in mutants.draw(app, 0, stage.QUOTA):
        families = {item["id"].partition("-")[0] for item in mutant.record["task"]["rubric"]}
        assert 2 <= len(families) <= 3
