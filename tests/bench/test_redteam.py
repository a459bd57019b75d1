"""The red team's pack as data, and how what came of a page is compared with what it deserves."""

from collections import Counter

import pytest

from rcca_cli import checks
from rcca_cli.bench.redteam import pack, stage, summary
from rcca_cli.bench.redteam.pack import Expected
from rcca_cli.bench.redteam.watch import Cost, Listener, Processes

PAGES = [*pack.honest(), *pack.hostile()]
CHEAP = Cost(seconds=1.0, cpu=1.0, peak=1_000_000)


def judged(level="functional", **verdicts):
    """A judged record with these verdicts: item=(passed, failure)."""
    rows = [
        {"rubric": name, "passed": passed, "failure": failure, "diagnosis": None, "error": None}
        for name, (passed, failure) in verdicts.items()
    ]
    gates = [{"level": name, "passed": name != level, "diagnosis": None} for name in ("format", "source", "runtime")]
    return {"judge": {"level": level, "gates": gates, "verdicts": rows}}


def page(level=None, **items):
    return pack.Page("page", "cheating", "why", "<p>x</p>", level, items)


def test_there_are_sixty_hostile_pages_and_every_class():
    classes = Counter(page.group for page in pack.hostile())
    assert sum(classes.values()) >= 60
    assert set(classes) == set(pack.CLASSES)
    assert min(classes.values()) >= 10


def test_names_are_unique_and_every_page_says_what_it_tries():
    assert max(Counter(page.name for page in PAGES).values()) == 1
    assert [page.name for page in PAGES if not page.why] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_expects_something_of_known_items(page):
    assert page.items or page.level
    assert set(page.items) <= set(pack.checks())
    assert {wanted.failure for wanted in page.items.values() if wanted.passed} <= {None}
    assert page.level in (None, "format", "source", "runtime", "functional")


@pytest.mark.parametrize("name", pack.checks())
def test_a_check_has_two_cases_and_an_honest_page_that_passes_it(name):
    assert len(checks.parse(pack.checks()[name]["check"]).cases) >= 2
    assert any(page.items.get(name) == Expected(True) for page in pack.honest())


def test_what_a_page_borrows_is_filled_in():
    for page in PAGES:
        assert "<?" not in page.html, page.name
    assert all(words not in page.record("h:1")["rollout"]["text"] for page in PAGES for words in ("HOST",))


def test_a_block_is_a_name_a_reason_what_to_expect_and_a_page():
    first = "== one\n# Tries\n# this.\n: level runtime\n: answers failed dead\n<p>x</p>\n"
    one, two = pack.parsed(f"{first}\n== two\n# That.\n: adds passed\n<i>\n", "escape")
    assert (one.name, one.why, one.level, one.html) == ("one", "Tries this.", "runtime", "<p>x</p>")
    assert one.items == {"answers": Expected(False, "dead")}
    assert two.items == {"adds": Expected(True)}


def test_a_page_holds_if_all_is_as_expected():
    wanted = page("functional", a=Expected(True), b=Expected(False), c=Expected(False, "dead"))
    found = judged(a=(True, None), b=(False, "silent"), c=(False, "dead"))
    assert list(summary.problems(wanted, found)) == []


@pytest.mark.parametrize(
    ("wanted", "found", "problem"),
    [
        (page(a=Expected(False)), judged(a=(True, None)), "a passed, not failed"),
        (page(a=Expected(True)), judged(a=(False, "dead")), "a failed (dead), not passed"),
        (page(a=Expected(False)), judged(a=(None, None)), "a unknown, not failed"),
        (page(a=Expected(False, "dead")), judged(a=(False, "silent")), "a failed (silent), not failed (dead)"),
        (page("runtime"), judged(), "level functional, not runtime"),
        (page(), "the judge did not return in 300 s", "the judge did not return in 300 s"),
    ],
)
def test_what_does_not_hold_is_said(wanted, found, problem):
    assert list(summary.problems(wanted, found)) == [problem]


def test_an_unknown_gate_does_not_hold():
    found = judged("runtime")
    found["judge"]["gates"][2] |= {"passed": None, "diagnosis": "lost"}
    assert list(summary.problems(page("runtime"), found)) == ["the runtime gate is unknown: lost"]


def test_what_costs_too_much_does_not_hold():
    assert list(summary.excess(CHEAP)) == []
    assert len(list(summary.excess(Cost(seconds=1.0, cpu=61.0, peak=6_000_000_000)))) == 2


def test_the_table_counts_by_class():
    outcomes = [summary.Outcome(page(), (), CHEAP), summary.Outcome(page(), ("wrong",), CHEAP)]
    assert summary.rows(outcomes) == [
        ["all", "1", "1", "2", "1.0", "2", "1.0", "1"],
        ["cheating", "1", "1", "2", "1.0", "2", "1.0", "1"],
    ]


def test_a_judge_that_fails_or_never_returns_stops_nobody():
    import threading

    never = threading.Event()
    works = [lambda: {"fine": True}, lambda: 1 / 0, lambda: never.wait(60) and {}]
    fine, failed, late = stage.together(works, 0.2)
    never.set()
    assert fine == {"fine": True}
    assert failed == "the judge failed: ZeroDivisionError('division by zero')"
    assert late == "the judge did not return in 0.2 s"


def test_the_listener_hears():
    import socket

    with Listener() as listener:
        host, port = listener.host.split(":")
        with socket.create_connection((host, int(port))) as there:
            there.sendall(b"GET /x HTTP/1.1\r\n")
            there.recv(1)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as there:
            there.sendto(b"hello", (host, int(port)))
            assert listener.wait() == "TCP GET /x HTTP/1.1"
            assert listener.wait() == "UDP hello"
        assert listener.heard() == []


def test_a_process_that_stays_is_found_and_one_that_ends_is_not():
    import subprocess

    everyone = Processes()
    with (
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as short,
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as long,
    ):
        everyone.look()
        short.stdin.close()
        short.wait()
        assert everyone.left(0.0) == [long.pid]
        long.stdin.close()


@pytest.mark.parametrize("option", ["--samples", "--answers", "--report"])
def test_options_that_mean_nothing_here_are_refused(rcca, option):
    done = rcca("bench", "redteam", option, "3")
    assert (done.code, done.stdout) == (2, b"")
    assert f"No such option: {option}" in done.stderr


@pytest.mark.slow
def test_the_whole_pack_holds(rcca):
    done = rcca("bench", "redteam", timeout=3000)
    assert done.code == 0, done.stderr
    assert [record["id"] for record in done.records] == [f"redteam:{page.name}/0" for page in PAGES]
    assert all(record["bench"] == {"passed": True, "problems": []} for record in done.records)
