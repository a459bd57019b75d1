"""`rcca synth --compile`: checks written by a scripted model, kept if apps prove them."""

import json

import orjson
import pytest

from rcca_cli import checks
from rcca_cli.checks import describe
from tests.judge.model.scripted import COUNTER, DEAD, UP, asked, say, tool
from tests.judge.records import SHOWS, answer
from tests.rollout.server import serving

READ = {"do": "read", "as": "before", "what": "number", "target": {"role": "status"}}
COUNTS = {
    "cases": [{"times": 1}, {"times": 2}],
    "steps": [
        READ,
        {"do": "click", **UP, "count": "{times}"},
        READ | {"as": "after"},
        {"expect": "number", "left": "after", "op": "==", "right": "before", "plus": "{times}"},
    ],
}
ALWAYS = {"cases": [{}, {}], "steps": [{"expect": "hidden", "target": {"text": "nowhere"}}]}
NEVER = {"cases": [{}, {}], "steps": [{"expect": "visible", "target": {"text": "nowhere"}}]}
BROKEN = {"cases": [{}, {}], "steps": []}


def task(*items, name="t1"):
    prompt = [{"role": "user", "content": "Make a counter with a button Up."}]
    value = {"prompt": prompt, "class": None, "level": None, "source": None, "rubric": list(items or (asked(),))}
    return {"schema": "rcca/1", "id": name, "group": name, "task": value}


def finished(body, number=0, **more):
    rollout = {"prompt_ids": [], "tokens": [], "offsets": [], "logprobs": [], "logprobs_basis": None}
    rollout |= {"text": answer(body), "finish_reason": "stop", "model": None}
    return task() | {"id": f"t1/{number}", "rollout": rollout} | more


class Model:
    """Writes these checks, first ones first, and apps; as a judge it clicks and says what its page shows."""

    def __init__(self, *replies, good=COUNTER, bad=DEAD):
        self.replies = [one if isinstance(one, str) else json.dumps(one) for one in replies]
        self.good, self.bad = good, bad

    def __call__(self, request):
        first, last = (str(request["messages"][at]["content"]) for at in (0, -1))
        if first.startswith("You write executable checks"):
            return say(self.replies.pop(0))
        if last.startswith("Write this app"):
            return say(answer(self.good))
        if last.startswith("Now write the same app again"):
            return say(answer(self.bad))
        if len(request["messages"]) == 2:
            return tool("click", **UP)
        return tool("verdict", item="counts", passed='status "1"' in last, reason="So it shows.")


@pytest.fixture
def compile_(rcca, tmp_path):
    def run(model, *tasks, apps=(), options=()):
        more = list(options)
        if apps:
            (tmp_path / "apps.jsonl").write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in apps))
            more += ["--apps", str(tmp_path / "apps.jsonl")]
        with serving(model) as server:
            ended = rcca("synth", "--compile", "--model", "m", "--base-url", server.url, *more, stdin=tasks)
        return ended, server.asked

    return run


def check_of(ended, item=0, record=0):
    return ended.records[record]["task"]["rubric"][item]["check"]


def test_a_check_that_the_models_own_apps_prove_is_kept(compile_):
    ended, requests = compile_(Model({"counts": COUNTS}), task(SHOWS, asked()))
    assert (ended.code, ended.stderr.splitlines()[-1]) == (0, "compiled: 1 of 1 items without a check have one now")
    assert json.loads(check_of(ended, 1)) == COUNTS
    assert ended.records[0]["task"]["rubric"][0] == SHOWS
    assert len(requests) == 3
    assert describe.words(checks.STEPS["drag"]) in requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (ALWAYS, "not proved: it passes the model's own broken app, which does not meet the requirement"),
        (NEVER, "not proved: it fails the model's own app, which meets the requirement: expected"),
        (None, "the model says that it cannot be checked"),
    ],
)
def test_a_check_that_is_not_proved_is_left_out_with_the_reason(compile_, written, why):
    ended, _ = compile_(Model({"counts": written}), task())
    assert (ended.code, check_of(ended)) == (1, None)
    assert ended.stderr.splitlines()[0].startswith(f"t1: counts: {why}")
    assert ended.stderr.splitlines()[-1].startswith("rcca synth: 1 of 1 items stay without a check")


def test_an_app_that_shows_nothing_always_counts_as_failing(compile_):
    ended, _ = compile_(Model({"counts": ALWAYS}), task(), apps=[finished(COUNTER, truth=[])])
    assert "not proved: it passes the empty page" in ended.stderr


def test_a_check_that_does_not_follow_the_language_is_asked_for_once_more(compile_):
    ended, requests = compile_(Model({"counts": BROKEN}, {"counts": COUNTS}), task())
    assert json.loads(check_of(ended)) == COUNTS
    assert "counts: check.steps: expected a list of steps" in requests[1]["messages"][-1]["content"]

    ended, requests = compile_(Model({"counts": BROKEN}, {"counts": BROKEN}), task())
    assert (ended.code, check_of(ended), len(requests)) == (1, None, 2)
    assert ended.stderr.startswith("t1: counts: check.steps: expected a list of steps")


def test_a_reply_that_is_not_one_object_is_asked_for_once_more(compile_):
    ended, _ = compile_(Model("Here you are.", {"counts": COUNTS}), task())
    assert json.loads(check_of(ended)) == COUNTS
    ended, _ = compile_(Model("Here you are.", "Again."), task())
    assert "the model's reply could not be read" in ended.stderr


def test_apps_are_labelled_by_their_truth_by_their_verdicts_and_else_by_the_model(compile_):
    model = Model({"counts": COUNTS})
    fault = {"rubric": "counts", "start": 0, "end": 1, "failure": "silent"}
    ended, requests = compile_(model, task(), apps=[finished(COUNTER, truth=[]), finished(DEAD, 1, truth=[fault])])
    assert (ended.code, len(requests)) == (0, 1)

    verdict = {"rubric": "counts", "severity": 1.0, "failure": None, "confidence": 1.0, "diagnosis": None}
    verdict |= {"evidence": [], "error": None}
    judge = {"level": "functional", "reward": None, "artifact": None, "gates": []}
    wrong = finished(DEAD, judge=judge | {"verdicts": [verdict | {"passed": True}]})
    ended, requests = compile_(Model({"counts": COUNTS}), task(), apps=[wrong])
    assert (ended.code, len(requests)) == (1, 1)
    assert "not proved: it fails t1/0, which meets the requirement" in ended.stderr

    ended, requests = compile_(Model({"counts": COUNTS}), task(), apps=[finished(COUNTER), finished(DEAD, 1)])
    assert (ended.code, len(requests)) == (0, 5)


def test_no_passing_app_no_proof(compile_):
    fault = {"rubric": "counts", "start": 0, "end": 1, "failure": "silent"}
    ended, _ = compile_(Model({"counts": COUNTS}), task(), apps=[finished(DEAD, truth=[fault])])
    assert "not proved: no app is known that meets the requirement" in ended.stderr


def test_a_server_that_fails_costs_its_own_task(compile_):
    model = Model({"counts": COUNTS})
    answers = iter([False])

    def at_first_not(request):
        return model(request) if next(answers, True) else (400, {}, {"error": {"message": "too long"}})

    ended, _ = compile_(at_first_not, task(), task(name="t2"), options=("--jobs", "1"))
    assert (ended.code, check_of(ended), json.loads(check_of(ended, record=1))) == (1, None, COUNTS)
    assert "t1: counts: the model gave no answer: the server refuses the request" in ended.stderr


def test_tasks_whose_items_have_checks_are_asked_nothing(compile_):
    ended, requests = compile_(Model(), task(SHOWS))
    assert (ended.code, requests) == (0, [])
    assert ended.records == [
        task(SHOWS) | {"task": task(SHOWS)["task"] | {"config": ended.records[0]["task"]["config"]}}
    ]


def test_an_interrupted_call_asks_only_for_what_is_not_written_yet(compile_, tmp_path):
    file, partial = tmp_path / "checked.jsonl", tmp_path / "checked.jsonl.partial"
    tasks = [task(name="t1"), task(name="t2")]
    ended, requests = compile_(Model(*[{"counts": COUNTS}] * 2), *tasks, options=("-o", str(file)))
    assert (ended.code, len(requests)) == (0, 6)
    whole = file.read_bytes()
    partial.write_bytes(whole[: whole.index(b"\n") + 30])  # the second record is torn
    file.unlink()
    ended, requests = compile_(Model({"counts": COUNTS}), *tasks, options=("-o", str(file), "--resume"))
    assert (ended.code, len(requests), file.read_bytes()) == (0, 3, whole)

    partial.write_bytes(whole)
    ended, _ = compile_(Model(), *tasks, options=("-o", str(file), "--resume", "--seed", "1"))
    assert ended.code == 2
    assert "made with other options" in ended.stderr


def test_without_a_model_it_says_what_is_missing(rcca):
    ended = rcca("synth", "--compile", stdin=[])
    assert (ended.code, ended.stderr) == (
        2,
        "rcca synth: --compile: which model is to write the checks? (--model NAME)\n",
    )
