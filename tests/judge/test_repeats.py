"""Judging each page several times, and saying how long it took."""

from dataclasses import replace

import pytest

from rcca_cli import seeds
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line, encode
from rcca_cli.judge import stage, verdicts
from rcca_cli.judge.court import Court
from rcca_cli.judge.repeats import together
from rcca_cli.judge.trial import Findings
from tests.judge.records import ADDS, SHOWS, TODO, answer, item, record

ROLLS = item(
    "rolls",
    {"do": "click", "target": {"role": "button", "name": "Roll"}},
    {"expect": "text", "target": {"css": "#side"}, "equals": "heads"},
)
COIN = """<button onclick="side.textContent = Math.random() < 0.5 ? 'heads' : 'tails'">Roll</button>
<p id="side">none</p>"""
COUNT = 6


def repeating(court, times, **options):
    return Court(court.machine, 0, 0.0, "hierarchical", "test", repeat=times, **options)


def judged(court, *records):
    given = [Line(one, "in.jsonl", number) for number, one in enumerate(records, 1)]
    return [stage.judged(line, court)["judge"] for line in given]


def test_what_depends_on_chance_is_not_known_and_what_does_not_is(court):
    page = record(answer(TODO + COIN), SHOWS, ADDS, ROLLS)
    (found,) = judged(repeating(court, COUNT), page)
    shows, adds, rolls = found["verdicts"]
    assert (shows["passed"], adds["passed"], rolls["passed"], found["reward"]) == (True, True, None, None)
    passed = int(rolls["error"].removeprefix("flaky: passed ").split()[0])
    assert rolls["error"] == f"flaky: passed {passed} of {COUNT}"
    assert 0 < passed < COUNT
    assert rolls["diagnosis"].startswith("clicked the button “Roll”: expected “heads”")
    assert judged(repeating(court, COUNT), page) == [found]


def test_a_page_that_fails_to_run_by_chance_has_no_level(court):
    page = record(answer(TODO + "<script>if (Math.random() < 0.5) missing()</script>"), SHOWS)
    (found,) = judged(repeating(court, COUNT), page)
    assert found["gates"][2]["passed"] is None
    assert found["gates"][2]["diagnosis"].startswith("flaky: passed ")
    assert (found["level"], found["reward"]) == ("runtime", None)


def test_what_is_steady_comes_out_as_if_judged_once(court):
    for body in (TODO, TODO.replace("append", "remove")):
        page = record(answer(body), SHOWS, ADDS)
        assert judged(repeating(court, 3), page) == judged(repeating(court, 1), page)


def test_flaky_items_are_named_aloud_and_make_the_exit_code_one(rcca):
    ended = rcca("judge", "--repeat", str(COUNT), stdin=[record(answer(COIN), ROLLS)])
    assert ended.code == 1
    named, counted = ended.stderr.splitlines()
    assert named == f"t1/0: rolls: {ended.records[0]['judge']['verdicts'][0]['error']}"
    assert counted.startswith("rcca judge: 1 of 1 verdicts are not known, 1 of them because they are flaky")


def test_one_time_that_is_not_known_leaves_it_not_known():
    gate, lost = verdicts.gate("runtime", True), verdicts.unknown("a", "the browser was lost")
    passed, failed = verdicts.verdict("a", True), verdicts.verdict("a", False, diagnosis="no")
    for rows, error in (
        ([passed, lost, passed], "the browser was lost"),
        ([passed, lost, failed], "flaky: passed 1 of 2"),
        ([failed, failed], None),
    ):
        assert together([Findings(gate, [row]) for row in rows]).verdicts[0]["error"] == error


def test_only_a_stamp_tells_how_long_it_took(court):
    page = record(answer(TODO), SHOWS, ADDS)
    (plain,) = judged(repeating(court, 2), page)
    (stamped,) = judged(repeating(court, 2, stamp=True), page)
    stamp = stamped["stamp"]
    assert stamp.keys() == {"seconds", "cpu_seconds", "attempts"}
    assert stamp["seconds"] > 0
    assert stamp["attempts"] == 2
    assert plain == stamped | {"stamp": None}


def test_a_stamp_is_no_part_of_what_is_compared(court):
    given, options = [Line(record(answer(TODO), SHOWS), "in", 1)], stage.Options()
    once, again = (b"".join(map(encode, stage.run(given, options, repeating(court, 1)))) for _ in range(2))
    assert once == again
    (stamped,) = stage.run(given, options, repeating(court, 1, stamp=True))
    assert encode(stamped | {"judge": stamped["judge"] | {"stamp": None}}) == once
    assert seeds.config_digest(options) == seeds.config_digest(replace(options, stamp=True))


def test_all_that_is_not_known_is_counted(court):
    results = stage.run([Line(record(answer(COIN), ROLLS), "in", 1)], stage.Options(), repeating(court, COUNT))
    next(results)
    with pytest.raises(ItemsFailed, match="1 of 1 verdicts are not known, 1 of them because they are flaky"):
        next(results)
