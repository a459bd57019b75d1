"""The doctor answers whatever is wrong, says how to mend it, and ends with 1 only for what is needed."""

import json
from importlib import metadata

import pytest

from rcca_cli.bench.redteam.watch import Listener
from rcca_cli.doctor import leak, machine, report
from rcca_cli.doctor.finding import Finding, guarded
from rcca_cli.errors import ItemsFailed, RccaError

OK = Finding("python", "ok", "3.11")
WARNED = Finding("isolation", "warning", "flags", "allow user namespaces")
GONE = Finding("browser", "missing", "none found", "install one")


def test_a_broken_examination_is_a_finding():
    def policy():
        raise RccaError("the embedded policy is missing from this installation (run `just policy`)")
        yield

    def browser():
        yield OK
        raise OSError("no more processes")

    assert list(guarded(policy)) == [
        Finding("policy", "missing", "the embedded policy is missing from this installation (run `just policy`)")
    ]
    assert [finding.state for finding in guarded(browser)] == ["ok", "missing"]


def test_only_what_is_needed_ends_with_1():
    report.refuse_missing([OK, WARNED, Finding("trl", "optional", "to compare")])
    with pytest.raises(ItemsFailed, match="missing: browser"):
        report.refuse_missing([OK, GONE])


def test_text_has_a_line_a_finding_and_the_way_to_mend_it():
    assert report.as_text([OK, GONE]).splitlines() == [
        "ok        python   3.11",
        "missing   browser  none found",
        "                   -> install one",
    ]


def test_json_has_the_same_keys_in_every_finding():
    assert json.loads(report.as_json([OK, WARNED])) == [
        {"name": "python", "state": "ok", "found": "3.11", "fix": None},
        {"name": "isolation", "state": "warning", "found": "flags", "fix": "allow user namespaces"},
    ]


@pytest.mark.parametrize(
    ("level", "is_best", "heard", "state"),
    [
        ("netns", True, [], "ok"),
        ("flags", True, [], "warning"),
        ("flags", False, [], "ok"),
        ("netns", True, ["TCP GET /all/fetch HTTP/1.1"], "missing"),
    ],
)
def test_weaker_isolation_is_told_and_a_leak_is_a_fault(level, is_best, heard, state):
    found = leak.finding(level, sandbox=True, heard=heard, is_best=is_best)
    assert found.state == state
    assert bool(found.fix) == (state != "ok")


def test_a_deaf_listener_proves_nothing():
    class Deaf(Listener):
        def wait(self):
            return "nothing"

    with Deaf() as listener, pytest.raises(RuntimeError, match="heard 'nothing'"):
        leak.control(listener)


def test_a_working_page_that_fails_means_that_judging_does_not_work():
    def judged(passed, error=None, diagnosis=None):
        item = {"passed": passed, "error": error, "diagnosis": diagnosis}
        return {"judge": {"level": "functional", "verdicts": [item]}}

    assert machine.verdict(judged(True), 0.25) == Finding("judge", "ok", "a page with a button was judged in 0.2 s")
    assert machine.verdict(judged(None, error="the browser was lost"), 1.0).state == "missing"
    assert "found “0”" in machine.verdict(judged(False, diagnosis="expected “1”, found “0”"), 1.0).found


def test_here_the_parsers_work_and_esprima_is_the_one_we_need():
    found = [*machine.packages(), *machine.esprima()]
    assert {finding.state for finding in found} == {"ok"}
    assert metadata.version("esprima-fork") in found[1].found


def test_here_a_page_can_be_judged():
    assert {finding.name: finding.state for finding in machine.browser()}["judge"] == "ok"


@pytest.mark.slow
def test_the_command_finds_nothing_missing_here(rcca):
    ended = rcca("doctor", "--json")
    findings = {finding["name"]: finding for finding in json.loads(ended.stdout)}
    assert {"python", "browser", "isolation", "judge", "torch", "policy", "esprima"} <= set(findings)
    assert (ended.code, [name for name, finding in findings.items() if finding["state"] == "missing"]) == (0, [])


def test_a_long_finding_stays_within_eighty_columns_and_its_remedy_on_one_line():
    fix = "pip install " + "package " * 20
    lines = report.as_text([Finding("browser", "warning", "word " * 40, fix), OK]).splitlines()
    assert max(map(len, lines[:-2])) <= 80
    assert lines[1].startswith(" " * len("warning   browser  ") + "word")
    assert lines[-2].endswith(fix)
    assert lines[-1] == "ok        python   3.11"
