"""The embedded suite before the real judge: every answer of which it is known what must be found comes to just that.

A few tasks in the default run. All tasks, with a quarter of their bugs, are marked slow; every bug of every task,
half an hour, is `rcca bench miniapp --answers embedded:bugs`.
"""

import json

import pytest

from rcca_cli.bench import expected
from rcca_cli.bench.miniapp import load, own
from rcca_cli.bench.miniapp.dead import dead
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge

OPTIONS = judge.Options(jobs=2, replay_passes=0.0)
FEW = ("unit-price", "noughts", "bar-chart")


@pytest.fixture(scope="module")
def court():
    with judge.court(OPTIONS) as opened:
        yield opened


def judged(court, answers):
    lines = (Line(record, "test", number) for number, record in enumerate(answers, 1))
    return list(judge.run(lines, OPTIONS, court))


def unexpected(court, wanted, every=1):
    """What did not come out as it must, by answer; of `every` answers one."""
    found = judged(court, list(own.answers(wanted))[::every])
    assert found
    return {record["id"]: problems for record in found if (problems := list(expected.problems(record)))}


def passed(record):
    return {verdict["rubric"]: verdict["passed"] for verdict in record["judge"]["verdicts"]}


@pytest.mark.parametrize("kind", ["references", "second", "clones"])
def test_a_few_tasks_come_to_what_they_must(court, kind):
    assert unexpected(court, f"{kind}:{','.join(FEW)}") == {}


def test_the_bugs_of_a_task_fail_their_items_and_no_others(court):
    assert unexpected(court, "bugs:unit-price") == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", load.names())
def test_all_of_the_suite_comes_to_what_it_must(court, name):
    for kind, every in (("references", 1), ("second", 1), ("stubs", 1), ("clones", 1), ("bugs", 4)):
        assert unexpected(court, f"{kind}:{name}", every) == {}


@pytest.mark.slow
@pytest.mark.parametrize("html", ["<!DOCTYPE html>\n<html><body></body></html>\n", ""])
def test_a_page_with_nothing_passes_nothing(court, html):
    for record in judged(court, (own.answer(task, "nothing", html) for task in load.tasks())):
        assert set(passed(record).values()) == {False}


def test_a_clone_looks_like_its_app_and_answers_nothing(court):
    """Listeners of every kind, timers and frames are gone; what a script draws while it loads is there."""
    page = """<!DOCTYPE html><html><head><title>x</title></head><body>
    <button id="a" onclick="said.textContent = 'attribute'">One</button><button id="b">Two</button>
    <button id="c">Three</button><p id="said"></p><p id="drawn"></p><p id="framed"></p>
    <script>
    const get = id => document.getElementById(id);
    get('b').onclick = () => { get('said').textContent = 'property'; };
    get('c').addEventListener('click', () => { get('said').textContent = 'listener'; });
    document.addEventListener('DOMContentLoaded', () => { get('drawn').textContent = 'loaded'; });
    requestAnimationFrame(() => { get('framed').textContent = 'framed'; });
    setTimeout(() => { get('said').textContent = 'timer'; }, 500);
    </script></body></html>
"""

    def item(name, *steps):
        check = json.dumps({"cases": [{}, {}], "steps": list(steps)})
        rest = {"kind": "interaction", "importance": "essential", "parents": []}
        return {"id": name, "requirement": name, "check": check} | rest

    words = {"One": "attribute", "Two": "property", "Three": "listener"}
    presses = [
        item(says, {"do": "click", "target": {"role": "button", "name": name}}, {"expect": "text", "contains": says})
        for name, says in words.items()
    ]
    waits = item("timer", {"do": "wait", "ms": 1000}, {"expect": "text", "contains": "timer"})
    looks = [item(says, {"expect": "text", "contains": says}) for says in ("loaded", "framed")]
    task = {"group": "t", "task": {"prompt": [], "rubric": [*presses, waits, *looks]}}
    alive, gone = judged(court, [own.answer(task, "alive", page), own.answer(task, "clone", dead(page))])
    assert set(passed(alive).values()) == {True}
    assert passed(gone) == dict.fromkeys([*words.values(), "timer"], False) | {"loaded": True, "framed": True}
