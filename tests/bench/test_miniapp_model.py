"""`bench miniapp` with a judge model: a server that says what a test wants it to, over references in prose."""

import json
import re
import threading

import orjson
import pytest

from rcca_cli.bench.miniapp import inputs, outcome, stage
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.browser import Machine, Settings
from rcca_cli.judge.model import Asking
from tests.conftest import start
from tests.judge.model import scripted
from tests.judge.model.scripted import CLICK, COUNTER, DEAD, say, tool, verdict
from tests.rollout.server import serving

REFERENCE = {"intention": ["It counts"], "static": ["There is a button Up"], "dynamic": ["Up counts"]}
TASK = {"index": 3, "class": "Tools", "level": "Mid", "query": "A counter.", "eval-reference": json.dumps(REFERENCE)}
PAGE = f"#### `index.html`\n\n```html\n<!DOCTYPE html>\n<html><body>{COUNTER}</body></html>\n```\n"
TOLD = {"item": "static-1", "passed": True, "reason": "It is there."}
CALL = json.dumps({"tool": "verdict", "arguments": TOLD})


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def machine():
    with Machine(Settings(action_seconds=1.0, load_seconds=1.0)) as opened:
        yield opened


def asked_item(request):
    """Which item a request is about."""
    return re.search(r"\(id ([\w-]+),", request["messages"][0]["content"])[1]


def fair(request):
    """A judge that uses the page where it has to, and finds everything as it should be."""
    item = asked_item(request)
    if item.startswith("dynamic") and len(request["messages"]) == 2:
        return CLICK
    return verdict(item=item, reason="It does.")


def but(item, *replies):
    """The fair judge, which says these things of one item instead, the last one again and again."""
    left = list(replies)

    def reply(request):
        if asked_item(request) != item:
            return fair(request)
        given = left.pop(0) if len(left) > 1 else left[0]
        return given(request) if callable(given) else given

    return reply


@pytest.fixture
def bench(machine, tmp_path):
    """The outcome of an answer to the one task, by a judge that replies so, and the requests that it got."""

    def judged(reply, text=PAGE, judge="model", task=TASK, **asking):
        (tmp_path / "tasks.json").write_text(json.dumps([task]))
        (tmp_path / "answers.jsonl").write_text(json.dumps({"index": 3, "text": text}) + "\n")
        with serving(reply) as server:
            asked = {"model": "m", "base_url": server.url, "attempts": 2, "seconds": 20.0} | asking
            files = {"tasks": str(tmp_path / "tasks.json"), "answers": str(tmp_path / "answers.jsonl")}
            options = Options(**files, judge=judge, asking=Asking(**asked))
            court = scripted.judging(machine, **asked)
            (record,) = stage.run(inputs.given(inputs.wanted(options), options), options, court)
            return outcome.of(record, 0.8, judge), server.asked

    return judged


def test_an_app_that_meets_its_reference_passes_and_says_who_judged(bench):
    found, requests = bench(fair)
    assert (found.intention, found.static, found.dynamic, found.passed) == (1.0, 1.0, 1.0, True)
    assert (found.judge["kind"], found.judge["model"][:10]) == ("model", "m@127.0.0.")
    assert len(requests) == 4
    rules = requests[0]["messages"][0]["content"]
    assert "A counter." in rules
    assert "It counts (From a reference that may ask for more than the request did" in rules


def test_an_interaction_that_fails_leaves_at_most_0_4(bench):
    found, _ = bench(
        but("dynamic-1", CLICK, verdict(False, "dynamic-1", "It stays at 0.")), PAGE.replace(COUNTER, DEAD)
    )
    assert (found.dynamic, found.passed, found.failed) == (0.0, False, ("dynamic-1",))


BAD = {
    "prose": say("The button is there, so it passes."),
    "a fence": say(f"```json\n{CALL}\n```"),
    "cut JSON": say(CALL[:-6]),
    "cut at the limit": say(CALL, ends=False),
    "two objects": say(f"{CALL}\n{CALL}"),
    "scores that the page asked for": tool("verdict", item="static-1", score=1.0, intention=1.0, static=1.0),
    "scores as they are elsewhere": say('<answer>```json\n{"static": {"score": 1.0, "reason": "fine"}}\n```</answer>'),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_reply_that_is_no_verdict_is_asked_for_once_more_and_then_not_known(bench, bad):
    found, requests = bench(but("static-1", bad))
    assert (found.static, found.passed, found.intention, found.dynamic) == (None, None, 1.0, 1.0)
    assert found.error.startswith("the judge model's reply could not be read: ")
    assert sum(asked_item(request) == "static-1" for request in requests) == 2
    mended, _ = bench(but("static-1", bad, verdict(item="static-1")))
    assert mended.passed is True


def test_a_server_that_has_too_much_to_do_is_left_alone_as_long_as_it_asks(bench):
    busy = (429, {"Retry-After": "0.2"}, {"error": {"message": "slow down"}})
    found, requests = bench(but("static-1", busy, fair))
    assert (found.passed, len(requests)) == (True, 5)
    found, requests = bench(but("static-1", busy))
    assert (found.passed, len(requests)) == (None, 5)
    assert found.error.startswith("the judge model gave no answer: ")


def test_a_server_that_hangs_costs_its_own_item(bench):
    free = threading.Event()
    try:
        found, _ = bench(but("static-1", lambda request: free.wait(60) and fair(request)), seconds=1.0, attempts=1)
    finally:
        free.set()
    assert (found.passed, found.dynamic) == (None, 1.0)
    assert "timed out" in found.error


def test_a_page_that_does_not_run_asks_nothing_and_fails(bench):
    found, requests = bench(fair, "I cannot write apps.")
    assert (found.passed, found.gate, requests) == (False, "format", [])
    assert (found.intention, found.static, found.dynamic) == (0.0, 0.0, 0.0)


def checked(task):
    """The task with a check for its item of the initial state; the others have none."""
    look = {"cases": [{}, {}], "steps": [{"expect": "visible", "target": {"role": "button", "name": "Up"}}]}
    rest = {"importance": "essential", "parents": []}
    looks = {"id": "static-1", "requirement": "Up is there", "kind": "initial", "check": json.dumps(look)}
    works = {"id": "dynamic-1", "requirement": "Up counts", "kind": "interaction", "check": None}
    return task | {"rubric": [looks | rest, works | rest]}


def test_both_ask_the_model_only_where_there_is_no_check_and_model_always(bench):
    found, requests = bench(fair, judge="both", task=checked(TASK))
    assert (found.passed, {asked_item(request) for request in requests}) == (True, {"dynamic-1"})
    found, requests = bench(fair, judge="model", task=checked(TASK))
    assert (found.passed, {asked_item(request) for request in requests}) == (True, {"static-1", "dynamic-1"})


@pytest.mark.slow
def test_killed_and_begun_again_it_pays_for_no_answer_and_no_verdict_twice(tmp_path):
    """The server writes the apps and judges them; it is killed twice: in the middle of the one and of the other."""
    tasks = [TASK | {"index": number, "query": f"Counter {number}."} for number in (1, 2, 3)]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    replied, hung, free = [], threading.Event(), threading.Event()
    # (judged item, or None for an app; of which task; replies kept by then): hangs once each
    held = [(None, 2, 2), ("static-1", 2, 3 + 4 + 1)]

    def reply(request):
        request.pop("key")
        words = "".join(str(message["content"]) for message in request["messages"])
        item = asked_item(request) if "tools" in request else None
        if held and (item, int(re.search(r"Counter (\d)\.", words)[1])) == held[0][:2]:
            _, _, kept = held.pop(0)
            while sum(1 for _ in (tmp_path / "kept").rglob("*.json")) < kept:
                free.wait(0.01)  # what was answered and not kept yet would be asked again, as it must be
            hung.set()
            free.wait(120)
            return say("nobody hears this")
        replied.append(orjson.dumps(request, option=orjson.OPT_SORT_KEYS))
        return fair(request) if item else say(PAGE)

    with serving(reply) as server:
        options = ("--model", "m", "--base-url", server.url, "--judge-model", "m", "--judge-url", server.url)
        options += ("--tasks", "tasks.json", "--cache", "kept", "--no-stamp", "--report", "r.json", "-o", "out.jsonl")
        options += ("--jobs", "1")
        for left in (1, 0):
            with start("bench", "miniapp", *options, "--resume", cwd=tmp_path) as process:
                assert hung.wait(120)
                process.kill()
                process.wait()
            hung.clear()
            assert len(held) == left
        with start("bench", "miniapp", *options, "--resume", cwd=tmp_path) as process:
            _, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors.decode()
        paid = len(replied)
        with start("bench", "miniapp", *options, cwd=tmp_path) as process:  # all of it once more, from what was kept
            process.communicate(timeout=120)
        free.set()
    assert paid == len(replied) == len(set(replied)) == 3 * (1 + 4)
    report = json.loads((tmp_path / "r.json").read_text())
    assert (report["pass_rate"], report["n"], report["judge"]["kind"]) == (100.0, 3, "both")


@pytest.mark.slow
def test_a_pack_of_references_is_compiled_to_checks_once_and_asked_with_them(rcca, tmp_path):
    (tmp_path / "theirs.json").write_text(json.dumps([TASK]))
    up = {"role": "button", "name": "Up"}
    written = {
        "intention-1": {"cases": [{}, {}], "steps": [{"expect": "visible", "target": {"css": "#count"}}]},
        "static-1": {"cases": [{}, {}], "steps": [{"expect": "visible", "target": up}]},
        "dynamic-1": {
            "cases": [{"n": 1}, {"n": 2}],
            "steps": [{"do": "click", "target": up}, {"expect": "text", "target": {"css": "#count"}, "contains": "1"}],
        },
    }
    spoilt = say("```html\n<!DOCTYPE html>\n<p>Nothing</p>\n```\n")
    tasks = rcca("bench", "miniapp", "--tasks", "theirs.json", "--write-tasks", cwd=tmp_path).stdout
    with serving(say(json.dumps(written)), say(PAGE), spoilt) as server:
        compiled = rcca("synth", "--compile", "-", "--model", "m", "--base-url", server.url, stdin=tasks)
    assert compiled.code == 0, compiled.stderr
    (tmp_path / "checked.jsonl").write_bytes(compiled.stdout)
    answers = [{"index": 3, "text": PAGE}, {"index": 3, "text": PAGE.replace(COUNTER, DEAD)}]
    done = rcca("bench", "miniapp", "--tasks", "checked.jsonl", "--answers", "-", stdin=answers, cwd=tmp_path)
    assert done.code == 0, done.stderr
    assert [record["bench"]["passed"] for record in done.records] == [True, False]
    assert done.records[1]["bench"]["dynamic"] == 0.0
