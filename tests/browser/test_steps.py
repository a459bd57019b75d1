"""Every action and expectation on a real page, where it holds and where it does not: steps.txt and canvas.txt."""

import doctest
import json
import re
from pathlib import Path

import pytest

from rcca_cli import checks
from rcca_cli.browser import Screen, screen, visit


def rows():
    """Name, page, steps and what is wrong (None: nothing), for each row of the table."""
    text = "".join(Path(__file__).with_name(file).read_text() for file in ("steps.txt", "canvas.txt"))
    for block in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        name, *lines = block.strip().split("\n")
        page = "\n".join(line for line in lines if line[:2] not in ("> ", "! "))
        steps = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
        problem = next((line[2:] for line in lines if line.startswith("! ")), None)
        yield name, page, steps, problem


def cases(steps):
    """Both cases of a check with these steps; one that only acts expects nothing but an unlikely text to be absent."""
    if not any("expect" in step for step in steps):
        steps = [*steps, {"expect": "text", "lacks": "never there"}]
    return checks.parse(json.dumps({"cases": [{}, {}], "steps": steps})).cases


@pytest.mark.parametrize(
    ("page", "steps", "problem", "twice"),
    [pytest.param(*row, name.startswith("each case"), id=name) for name, *row in rows()],
)
def test_step(machine, page, steps, problem, twice):
    async def played():
        async with machine.visit(page, 1) as visit:
            for case in cases(steps)[: 2 if twice else 1]:
                await visit.load()
                outcome = await checks.play(Screen(visit), case)
            return outcome, visit.thrown

    outcome, thrown = machine.run(played)
    if problem is None:
        assert outcome.passed, outcome.diagnosis
    else:
        assert not outcome.passed
        assert problem in outcome.problem
    assert thrown == []


def test_every_word_of_the_language_is_tried_here():
    used = {step.get("do") or step.get("expect") for _, _, steps, _ in rows() for step in steps}
    assert used == {*checks.STEPS, *checks.EXPECTATIONS}


def test_the_examples_in_the_code_hold():
    assert doctest.testmod(screen).failed == 0


@pytest.mark.parametrize("source", ["history.back()", "window.history?.go(-1)", "history['forward']()"])
def test_a_page_that_goes_back_is_waited_for(source):
    assert visit.SLOW.search(source)


def test_a_list_of_moves_called_history_is_not():
    assert not visit.SLOW.search("const history = []; history.push(state); history.pop(); if (!history.length) return")
