"""What must come of an answer is compared with what came of it, item by item."""

import pytest

from rcca_cli.bench.expected import Tally, problems
from tests.bench.canned import judged


def record(fails=(), may_fail=(), truth=None, **found):
    expected = {"expected": {"fails": list(fails), "may_fail": list(may_fail)}}
    return judged("unit-price", **found) | expected | ({"truth": truth} if truth else {})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (record(), []),
        (record(failed=["swap"]), ["swap failed: None"]),
        (record(fails=["swap"]), ["swap passed"]),
        (record(fails=["swap"], failed=["swap"]), []),
        (record(fails=["cheaper"], may_fail=["saving"], failed=["cheaper", "saving"]), []),
        (record(fails=["cheaper"], may_fail=["saving"], failed=["cheaper", "clear"]), ["clear failed: None"]),
        (record(fails=["swap"], unknown=["swap"]), ["swap is not known: the browser was lost"]),
        (
            record(fails=["swap"], failed=["swap"], truth=[{"rubric": "swap", "failure": "dead"}]),
            ["swap failed as silent, not as dead: None"],
        ),
        (record(level="runtime"), ["stopped at runtime: None"]),
    ],
)
def test_problems_are_what_did_not_come_out(given, said):
    assert list(problems(given)) == said


def test_a_tally_counts_only_answers_that_expect_something():
    tally = Tally()
    for one in (judged("water"), record(), record(failed=["swap"])):
        tally.add(one)
    assert (tally.n, list(tally.problems)) == (2, ["miniapp:unit-price/0"])
    assert list(tally.notes()) == [
        "expected of these answers: 1 of 2 came to just that.",
        "miniapp:unit-price/0: swap failed: None",
    ]
