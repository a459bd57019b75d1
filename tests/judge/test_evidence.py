"""What a verdict points to: the words of its diagnosis, and places in the answer."""

import pytest

from tests.judge.records import ADDS, RED, SHOWS, TODO, answer, item, record

SCRIPT = TODO[TODO.index("function") : TODO.index("</script>")].strip()


def verdict(judge, name):
    return next(verdict for verdict in judge["verdicts"] if verdict["rubric"] == name)


def quotes(text, verdict, kind):
    return [(row["detail"], text[row["start"] : row["end"]]) for row in verdict["evidence"] if row["kind"] == kind]


TYPED = "typed “Buy milk” into the field labelled “Task”"
CLICKED = f"{TYPED}, clicked the button “Add”"

# name, change to TODO, the item that fails, kind of failure, diagnosis, evidence (kind, detail, how its code begins)
BROKEN = [
    (
        "dead button",
        (' onclick="add()"', ""),
        "adds",
        "dead",
        f"{CLICKED}: expected 1 of the list item, found 0"
        ' (no code of the page ran; the element is `<button id="add">Add</button>`)',
        [("element", "<button> 0", '<button id="add">')],
    ),
    (
        "handler that throws",
        ("list.append(item)", "lost.append(item)"),
        "adds",
        "exception",
        f"{CLICKED}: expected 1 of the list item, found 0"
        " (add: ReferenceError: lost is not defined at `lost.append(item);`, line 13)",
        [
            ("stack", "0 add: ReferenceError: lost is not defined", "lost"),
            ("stack", "1 onclick: ReferenceError: lost is not defined", "add"),
            ("listener", "click 0", "add()"),
        ],
    ),
    (
        "handler that does the wrong thing",
        ("item.textContent = task.value", 'item.textContent = ""'),
        "adds",
        "silent",
        f"{CLICKED}: expected the list item “Buy milk” to be visible, found nothing that matches (the page ran add)",
        [("listener", "click 0", "add()"), ("coverage", "window", "function add()")],
    ),
    (
        "wrong style",
        ("color: red", "color: blue"),
        "red",
        "visual",
        "expected the color of the button to be red, found rgb(0, 0, 255) (set by `button { color: blue }`)",
        [("css", "button", "button { color: blue }"), ("element", "<button> 0", '<button id="add"')],
    ),
    (
        "missing button",
        ('<button id="add" onclick="add()">Add</button>', ""),
        "adds",
        "absent",
        f"{TYPED}: could not click the button “Add”: there is nothing that matches",
        [("coverage", "never", "function add()")],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "name", "failure", "diagnosis", "evidence"), [p[1:] for p in BROKEN], ids=[p[0] for p in BROKEN]
)
def test_a_failure_points_to_its_code(judged, change, name, failure, diagnosis, evidence):
    text = answer(TODO.replace(*change), before="Voilà 😀:\n")
    found = verdict(judged(record(text, ADDS, RED)), name)
    assert found["failure"] == failure
    assert found["diagnosis"] == diagnosis
    for kind, detail, start in evidence:
        assert any(said == detail and code.startswith(start) for said, code in quotes(text, found, kind)), (
            kind,
            detail,
            quotes(text, found, kind),
        )


def test_coverage_tells_what_ran_when(judged):
    page = TODO.replace("function add", "function spare() { return 1 }\nlet n = 0;\nfunction add")
    text = answer(page)
    found = quotes(text, verdict(judged(record(text, ADDS)), "adds"), "coverage")
    assert ("never", "function spare() { return 1 }") in found
    assert ("load", "let n = 0;") in found
    assert ("window", SCRIPT) in found


def test_listeners_on_the_way_up_are_named_with_their_distance(judged):
    page = TODO.replace(' onclick="add()"', "").replace(
        "function add",
        'document.body.addEventListener("click", event => { if (event.target.id === "add") add(); });\nfunction add',
    )
    text = answer(page)
    found = verdict(judged(record(text, ADDS)), "adds")
    assert found["passed"]
    assert ("click 1", 'event => { if (event.target.id === "add") add(); }') in quotes(text, found, "listener")


def test_an_element_made_by_a_script_points_to_its_maker(judged):
    click = item(
        "deletes",
        {"do": "click", "target": {"role": "button", "name": "×"}},
        {"expect": "hidden", "target": {"role": "button", "name": "×"}},
    )
    page = """<p>List</p><div id="box"></div><script>
function draw() { box.innerHTML = "<button>×</button>"; }
draw();
</script>"""
    text = answer(page)
    found = verdict(judged(record(text, click)), "deletes")
    assert found["failure"] == "dead"
    assert quotes(text, found, "element")[0] == ("<button> made by draw 0", "=")


def test_errors_that_come_later_keep_the_way_they_came(judged):
    page = TODO.replace("list.append(item)", "setTimeout(later, 20);\n}\nfunction later() {\n  gone.append(1)")
    text = answer(page)
    found = verdict(judged(record(text, ADDS)), "adds")
    stack = quotes(text, found, "stack")
    assert stack[0] == ("0 later: ReferenceError: gone is not defined", "gone")
    assert any(said.split()[1] == "add:" for said, _ in stack)


def test_only_a_share_of_what_passes_is_looked_into(court, judged):
    from rcca_cli.jsonl import Line
    from rcca_cli.judge.court import Court
    from rcca_cli.judge.stage import judged as judge

    line = Line(record(answer(TODO), SHOWS), "in.jsonl", 1)
    none = Court(court.machine, 0, 0.0, "hierarchical", "test")
    assert judge(line, none)["judge"]["verdicts"][0]["evidence"] == []
    assert judge(line, court)["judge"]["verdicts"][0]["evidence"] != []


def test_without_evidence_verdicts_severities_and_rewards_are_the_same(court, judged):
    from rcca_cli.jsonl import Line
    from rcca_cli.judge import stage

    broken = record(answer(TODO.replace("list.append(item)", "gone.append(1)")), SHOWS, ADDS)
    full = judged(broken)
    plain = next(stage.run([Line(broken, "in.jsonl", 1)], stage.Options(evidence=False)))["judge"]
    same = ("level", "reward", "gates", "artifact")
    assert {key: plain[key] for key in same} == {key: full[key] for key in same}
    for one, other in zip(plain["verdicts"], full["verdicts"], strict=True):
        assert {**other, "evidence": [], "diagnosis": None} == {**one, "diagnosis": None}
    assert [bool(row["evidence"]) for row in full["verdicts"]] == [True, True]


def test_a_page_too_deep_for_the_instruments_keeps_its_verdict(judged):
    page = answer("<div>" * 400 + TODO.replace("append", "remove") + "</div>" * 400)
    found = verdict(judged(record(page, SHOWS, ADDS)), "adds")
    assert (found["passed"], found["error"]) == (False, None)
