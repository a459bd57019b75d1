import doctest
import math

import pytest

from rcca_cli.run import evaluation


def judged(group, passed, reward=0.5, level="functional"):
    verdicts = [{"passed": value} for value in passed]
    return {"group": group, "judge": {"level": level, "reward": reward, "verdicts": verdicts}}


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(evaluation).failed == 0


def test_answers_of_one_task_are_averaged_before_tasks_are():
    score = evaluation.score([judged("a", [True, False]), judged("a", [True, True]), judged("b", [False, None])])
    assert score.passed == {"a": 0.75, "b": 0.0}
    assert evaluation.estimate(list(score.passed.values())).mean == 0.375


def test_a_broken_page_passes_nothing_and_an_unknown_one_is_left_out():
    score = evaluation.score([judged("a", [True], level="source"), judged("b", [], reward=None)])
    assert (score.passed, score.functional, score.unknown) == ({"a": 0.0}, {"a": 0.0}, 1)


def test_the_difference_is_taken_task_by_task():
    # The tasks differ by 0.8, but each has gained 0.1 or 0.2: mean 0.15, s = 0.0707, error 0.05.
    change = evaluation.difference({"a": 0.1, "b": 0.9, "c": 0.3}, {"a": 0.2, "b": 1.1})
    assert change.mean == pytest.approx(0.15)
    assert change.error == pytest.approx(0.05)
    assert change.tasks == 2


def test_nothing_known_is_said_in_words():
    assert str(evaluation.estimate([])) == "not known"
    assert str(evaluation.estimate([0.5])) == "0.500"
    assert str(evaluation.estimate([0.4, 0.6])) == f"0.500 ± {math.sqrt(0.02 / 2):.3f}"
