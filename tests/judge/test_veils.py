"""What is in the page and not shown: the failure says so, and what hides it."""

import pytest

from tests.judge.records import answer, item, record

TOTAL = item("total", {"expect": "text", "contains": "Total: $0"}, kind="initial")
BILL = {"do": "type", "target": {"label": "Bill"}, "text": "5"}
READS = item(
    "reads",
    BILL,
    {"do": "read", "as": "total", "what": "number", "after": "Total:"},
    {"expect": "number", "left": "total", "op": "==", "right": 5},
)
SHOWS = item("shows", {"expect": "visible", "target": {"text": "Total: $0"}}, kind="initial")
COUNTS = item("counts", {"expect": "count", "target": {"css": "p"}, "equals": 2}, kind="initial")
ITEMS = (TOTAL, READS, SHOWS, COUNTS)
IN_PAGE = "; it is in the page, but hidden"
PAGE = """<style>.note { margin: 0 } STYLE</style>
<label>Bill <input id="bill" oninput="work()"></label>
<p>Hello</p>
<div class="box"BOX><p id="total"TOTAL>Total: $0</p></div>
<script>
function work() { document.getElementById("total").textContent = "Total: $" + bill.value; }
</script>"""

# How, the style sheet, attributes of the box and of the total, what the diagnosis names.
WAYS = [
    ("the element itself", "", "", " hidden", '<p id="total" hidden>'),
    ("an element around it", "", " hidden", "", '<div class="box" hidden>'),
    ("its style attribute", "", "", ' style="display: none"', '<p id="total" style="display: none">'),
    ("display", ".box { display: none }", "", "", ".box { display: none }"),
    ("visibility", ".box { visibility: hidden }", "", "", ".box { visibility: hidden }"),
    ("opacity", ".box { color: red; opacity: 0 }", "", "", ".box { opacity: 0 }"),
    ("a place outside", "#total { position: absolute; left: -9999px }", "", "", "#total { left: -9999px }"),
    ("white on white", ".box { color: white }", "", "", ".box { color: white }"),
    ("no height", ".box { height: 0; overflow: hidden }", "", "", ".box { height: 0 }"),
    ("no size of letters", ".box { font-size: 0 }", "", "", ".box { font-size: 0 }"),
]


def page(style="", box="", total=""):
    return answer(PAGE.replace("STYLE", style).replace("BOX", box).replace("TOTAL", total))


def verdicts(judge):
    return {verdict["rubric"]: verdict for verdict in judge["verdicts"]}


def hiders(text, verdict):
    return [
        text[row["start"] : row["end"]]
        for row in verdict["evidence"]
        if row["detail"].endswith(" hides") or (row["kind"] == "css" and "{" in row["detail"])
    ]


@pytest.mark.parametrize(("style", "box", "total", "named"), [way[1:] for way in WAYS], ids=[way[0] for way in WAYS])
def test_what_is_not_shown_fails_for_its_looks_and_says_what_hides_it(judged, style, box, total, named):
    text = page(style, box, total)
    found = verdicts(judged(record(text, *ITEMS)))
    assert {name: verdict["failure"] for name, verdict in found.items()} == dict.fromkeys(found, "visual")
    for name in ("total", "reads", "counts"):
        assert found[name]["diagnosis"].endswith(f"{IN_PAGE} (`{named}`)"), found[name]["diagnosis"]
    assert found["shows"]["diagnosis"].endswith(f"(`{named}`)")
    place = style or named
    for verdict in found.values():
        assert place in hiders(text, verdict), verdict["evidence"]


def test_of_all_that_is_hidden_only_what_holds_the_answer_is_named(judged):
    text = page(total=" hidden").replace("<p>Hello</p>", "<p>Hello</p><i hidden>Total: $1</i><i hidden>Sum: $0</i>")
    assert verdicts(judged(record(text, TOTAL)))["total"]["diagnosis"].endswith('(`<p id="total" hidden>`)')


def test_what_the_page_does_not_hold_is_not_said_to_be_hidden(judged):
    text = page(total=" hidden").replace("Total: $0<", "Total: none<")
    found = verdicts(judged(record(text, TOTAL)))["total"]
    assert found["failure"] == "silent"
    assert "hidden" not in found["diagnosis"]


def test_a_number_of_which_a_part_is_hidden_is_found_there(judged):
    text = page().replace("Total: $0<", "Total: <b hidden>$0</b><")
    assert verdicts(judged(record(text, TOTAL)))["total"]["diagnosis"].endswith(f"{IN_PAGE} (`<b hidden>`)")


def test_a_hidden_button_is_dead_and_says_what_hides_it(judged):
    text = answer('<p>Hi</p><div hidden><button onclick="this.remove()">Go</button></div>')
    click = item(
        "goes",
        {"do": "click", "target": {"role": "button", "name": "Go"}},
        {"expect": "text", "contains": "Hi"},
    )
    found = verdicts(judged(record(text, click)))["goes"]
    assert (found["failure"], hiders(text, found)) == ("dead", ["<div hidden>"])
    assert found["diagnosis"] == "could not click the button “Go”: it is hidden (`<div hidden>`)"


REVEALS = item(
    "reveals",
    {"do": "click", "target": {"role": "button", "name": "Show"}},
    {"expect": "visible", "target": {"text": "Forty-two"}},
)
ANSWER = """<button onclick="show()">Show</button> <p id="answer" hidden>Forty-two</p>
<script>function show() { SHOW }</script>"""

# What the handler does, and the kind of failure: who hides, or could have shown, is the script or nobody.
SCRIPTS = [
    ("shows nothing", "document.title = 1", "visual"),
    ("hides it once more", 'const it = document.getElementById("answer"); it.hidden = true', "silent"),
    ("shows another", "document.body.classList.add('on')", "silent"),
    ("leaves out the code that would", 'document.title = 1 } function real() { answer.hidden = false', "silent"),
]  # fmt: skip


@pytest.mark.parametrize(("does", "failure"), [one[1:] for one in SCRIPTS], ids=[one[0] for one in SCRIPTS])
def test_after_an_action_the_script_is_to_blame_if_any_of_it_could_have_shown_the_element(judged, does, failure):
    text = answer(ANSWER.replace("SHOW", does))
    found = verdicts(judged(record(text, REVEALS)))["reveals"]
    assert found["failure"] == failure
    assert hiders(text, found) == ['<p id="answer" hidden>']
    assert ('(`<p id="answer" hidden>`)' in found["diagnosis"]) is (failure == "visual")


def test_what_a_script_hid_is_the_script_s_fault(judged):
    hides = """hide() } function hide() { answer["hid" + "den"] = true"""
    text = answer(ANSWER.replace(" hidden", "").replace("SHOW", hides))
    found = verdicts(judged(record(text, REVEALS)))["reveals"]
    assert (found["passed"], found["failure"]) == (False, "silent")


def test_a_handler_that_does_not_answer_is_dead_whatever_is_hidden(judged):
    text = answer(ANSWER.replace(' onclick="show()"', ""))
    found = verdicts(judged(record(text, REVEALS)))["reveals"]
    assert (found["failure"], hiders(text, found)) == ("dead", [])


def test_fields_that_are_called_like_properties_of_elements_change_no_verdict(judged):
    names = ("classList", "open", "children", "parentElement", "hidden", "style", "id")
    form = f"<form hidden>{''.join(f'<input name={name}>' for name in names)}<p>Total: $0</p></form>"
    found = verdicts(judged(record(answer(f"<p>Hello</p>{form}"), TOTAL)))["total"]
    assert (found["passed"], found["error"], found["failure"]) == (False, None, "visual")


def test_thousands_of_hidden_elements_cost_a_bounded_look(judged):
    many = "<b hidden>no</b>" * 5_000
    found = verdicts(judged(record(page(total=" hidden").replace("<p>Hello</p>", f"<p>Hello</p>{many}"), TOTAL)))
    assert (found["total"]["passed"], found["total"]["error"]) == (False, None)
