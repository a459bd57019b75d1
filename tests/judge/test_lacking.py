"""A library that is not here: what it breaks is not known, and an app that only names one is judged as ever."""

import pytest

from rcca_cli.browser import Machine, Mirror, Settings
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage
from rcca_cli.judge.court import Court
from tests.browser.packages import mirror_in
from tests.judge.records import ADDS, SHOWS, TODO, answer, item, record

URL = "https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3"
TAG = f'<script src="{URL}"></script>'
WHY = "(the page loads tiny-lib@1.2.3 from cdn.jsdelivr.net, which is not in the mirror; --cdn DIR)"
SAYS = item("says", {"expect": "text", "contains": "1.2.3"}, kind="initial")
NEEDS = "<p id=out>nothing</p><script>out.textContent = tinyLib.version</script>"
ROW = {"url": URL, "package": "tiny-lib", "version": "1.2.3", "file": None, "ours": True}


def runtime(judge):
    return next(gate for gate in judge["gates"] if gate["level"] == "runtime")


def passed(judge):
    return [verdict["passed"] for verdict in judge["verdicts"]]


def test_what_a_missing_library_breaks_is_not_known_and_what_passes_stays(judged):
    judge = judged(record(answer(TODO + TAG + NEEDS), SHOWS, SAYS))
    gate = runtime(judge)
    assert (gate["passed"], gate["diagnosis"]) == (None, f"Uncaught ReferenceError: tinyLib is not defined {WHY}")
    assert passed(judge) == [True, None]
    assert judge["verdicts"][1]["error"] == gate["diagnosis"]
    assert (judge["level"], judge["reward"]) == ("runtime", None)
    assert judge["missing"] == [ROW]


def test_with_the_mirror_the_same_app_is_judged(tmp_path):
    with Machine(Settings(mirror=Mirror(str(mirror_in(tmp_path))))) as machine:
        court = Court(machine, 0, 1.0, "hierarchical", "test")
        judge = stage.judged(Line(record(answer(TODO + TAG + NEEDS), SHOWS, SAYS), "in", 1), court)["judge"]
        broken = stage.judged(
            Line(record(answer(TODO + TAG.replace("1.2.3", "1.2.3/no.js") + NEEDS), SAYS), "in", 1), court
        )
    assert (judge["level"], passed(judge), judge["missing"]) == ("functional", [True, True], [])
    # The package is here and has no such file: nor has the CDN, so it is the app's own fault.
    assert passed(broken["judge"]) == [False]
    assert broken["judge"]["missing"] == [ROW | {"url": f"{URL}/no.js", "file": "no.js", "ours": False}]


def test_a_bundle_that_only_the_cdn_makes_is_nobody_s_fault_and_no_mirror_is_asked_for(tmp_path):
    url = "https://cdn.jsdelivr.net/npm/tiny-lib@1.2.3/esm/needy.js/+esm"
    page = f'<button>Add</button><script type=module>import "{url}"; document.title = "ran"</script>'
    with Machine(Settings(mirror=Mirror(str(mirror_in(tmp_path))))) as machine:
        court = Court(machine, 0, 1.0, "hierarchical", "test")
        judge = stage.judged(Line(record(answer(page), SHOWS, SAYS), "in", 1), court)["judge"]
    assert passed(judge) == [True, None]
    assert judge["missing"] == [ROW | {"url": url, "file": "esm/needy.js"}]
    assert judge["verdicts"][1]["error"] == (
        "a module of the page did not run (the page loads tiny-lib@1.2.3 from cdn.jsdelivr.net, "
        "a bundle with what it imports, which only the CDN makes: no package has it)"
    )


def test_a_page_that_is_blank_without_its_library_is_not_known(judged):
    judge = judged(record(answer(TAG), SHOWS))
    assert (runtime(judge)["passed"], passed(judge)) == (None, [None])
    assert runtime(judge)["diagnosis"] == f"the page is blank {WHY}"


def test_a_module_that_never_ran_is_not_known(judged):
    page = f'<button>Add</button><script type=module>import "{URL}"; document.title = "ran"</script>'
    judge = judged(record(answer(page), SHOWS, SAYS, ADDS | {"check": None}))
    assert (runtime(judge)["passed"], passed(judge)) == (None, [True, None, None])
    assert all(WHY in verdict["error"] for verdict in judge["verdicts"][1:])


@pytest.mark.parametrize(
    ("page", "level"),
    [
        (TODO.replace("append", "remove"), "functional"),  # silent
        (TODO.replace("list.append", "lost.append"), "functional"),  # throws, in its own handler
        (TODO.replace("append(item)", "append(item); null.x"), "functional"),
        ("<script>missing()</script>" + TODO.replace("append", "remove"), "runtime"),
    ],
)
def test_an_app_that_names_a_library_in_vain_is_judged_as_one_that_does_not(judged, page, level):
    judge, plain = judged(record(answer(page + TAG), SHOWS, ADDS)), judged(record(answer(page), SHOWS, ADDS))
    assert judge["level"] == plain["level"] == level
    assert judge["reward"] == plain["reward"]
    assert passed(judge) == passed(plain)
    assert (judge["missing"], plain["missing"]) == ([ROW], [])


def test_its_own_error_comes_first(judged):
    judge = judged(record(answer(f"{TODO}{TAG}<script>missing()</script>{NEEDS}"), SAYS))
    assert (runtime(judge)["passed"], passed(judge)) == (False, [False])


def test_a_handler_that_needs_the_library_costs_only_its_item(judged):
    page = TODO.replace("list.append(item)", "tinyLib.put(list, item)") + TAG
    judge = judged(record(answer(page), SHOWS, ADDS))
    assert (judge["level"], passed(judge)) == ("functional", [True, None])
    verdict = judge["verdicts"][1]
    assert verdict["error"] == f"Uncaught ReferenceError: tinyLib is not defined {WHY}"
    assert "expected 1 of the list item, found 0" in verdict["diagnosis"]


def test_at_most_twenty_are_in_the_record(judged):
    tags = "".join(f'<script src="{URL}/{number}.js"></script>' for number in range(30))
    missing = judged(record(answer(TODO + tags), SHOWS))["missing"]
    assert len(missing) == 20
    assert missing == sorted(missing, key=lambda row: row["url"])


def test_the_command_says_how_many_are_not_known_and_the_mirror_mends_it(rcca, tmp_path):
    lines = [record(answer(TODO + TAG + NEEDS), SHOWS, SAYS)]
    without = rcca("judge", stdin=lines)
    assert (without.code, without.records[0]["judge"]["reward"]) == (1, None)
    assert "1 of 2 verdicts are not known" in without.stderr
    stocked = ("--cdn", str(mirror_in(tmp_path / "libraries")))
    whole, again = rcca("judge", *stocked, stdin=lines), rcca("judge", *stocked, "--rejudge", stdin=without.records)
    assert (whole.code, whole.records[0]["judge"]["reward"]) == (0, 1.0)
    assert whole.stdout == again.stdout
    assert whole.records[0]["judge"]["config"] != without.records[0]["judge"]["config"]
    assert rcca("validate", stdin=without.records).code == 0
    assert "none: no folder of packages" in rcca("judge", "--cdn", "none", stdin=lines).stderr
