"""How often oracle and judge agree: counted by hand."""

import pytest

from rcca_cli.bench.credit import agreement, evaluation, oracle, verdicts
from rcca_cli.judge import stage as judge
from rcca_cli.synth import app
from tests.bench.credit.test_verdicts import answer

OPTIONS = judge.Options(replay_passes=0.0)


@pytest.fixture(scope="module")
def made():
    return app.make(11, 0)


def test_agreement_counts_passed_and_failed_items_apart(made):
    text = made.render(made.faults()[:1]).text
    record = answer(made, text)
    reading = oracle.read(made, text)
    said = verdicts.judgement(record, reading, OPTIONS)
    passed = sum(reading.passed.values())
    found = agreement.measured({made.id: made}, [record | {"judge": said}])
    assert found["decided"] == found["same_reward"] == 1
    assert found["level"] == {"agree": 1, "of": 1}
    assert found["passed"] == {"agree": passed, "of": passed}
    assert found["failed"] == {"agree": len(reading.passed) - passed, "of": len(reading.passed) - passed}
    rows = [row | {"passed": not row["passed"]} for row in said["verdicts"]]
    turned = agreement.measured({made.id: made}, [record | {"judge": said | {"verdicts": rows}}])
    assert turned["passed"] == {"agree": 0, "of": len(rows) - passed}
    assert turned["failed"] == {"agree": 0, "of": passed}


def counted(passed, failed):
    """An agreement: so many of 10 passed and of 10 failed items."""
    return {"answers": 4, "passed": {"agree": passed, "of": 10}, "failed": {"agree": failed, "of": 10}}


def run(*counts):
    return [{"step": step, "agreement": counted(*both)} for step, both in enumerate(counts)]


def test_an_arms_agreement_is_of_all_its_items_at_a_time():
    found = agreement.of_arm([run((10, 8), (9, 10), (7, 10)), run((10, 10), (9, 9), (9, 10)), [{"step": 0}]])
    assert found["start"] == {"passed": {"share": 1.0, "of": 20}, "failed": {"share": 0.9, "of": 20}}
    assert found["end"]["passed"]["share"] == pytest.approx(0.8)
    assert found["all"]["passed"] == {"share": pytest.approx(54 / 60), "of": 60}
    assert agreement.of_arm([[{"step": 0}]]) is None


def test_arms_are_compared_by_the_least_share_and_by_how_far_they_are_apart():
    one, other = (agreement.of_arm([run(*counts)]) for counts in ([(10, 8)] * 3, [(9, 9), (10, 9), (9, 9)]))
    found = agreement.over_arms({"oracle": one, "uniform": other})
    assert found["least"] == {"passed": 0.9, "failed": 0.8}
    assert found["apart"] == {"passed": pytest.approx(1 - 28 / 30), "failed": pytest.approx(0.1)}
    assert not found["enough"]
    assert agreement.over_arms({}) is None


def test_the_oracle_is_good_enough_where_no_share_is_low_and_no_two_arms_are_far_apart():
    def said(passed, failed):
        at = {kind: {"share": share, "of": 1000} for kind, share in (("passed", passed), ("failed", failed))}
        return dict.fromkeys((*agreement.TIMES, "all"), at)

    def enough(*arms):
        return agreement.over_arms({str(place): said(*both) for place, both in enumerate(arms)})["enough"]

    assert enough((0.98, 1.0), (0.985, 0.995))
    assert not enough((0.979, 1.0), (0.98, 1.0))  # a share is low
    assert not enough((0.98, 1.0), (0.995, 1.0))  # two arms are .015 apart
    assert not enough((1.0, None))  # of failed items nothing is known


def test_they_are_compared_at_the_start_in_the_middle_and_at_the_end():
    assert evaluation.compared(60, 10) == (0, 30, 60)
    assert evaluation.compared(5, 2) == (0, 2, 5)
    assert evaluation.compared(1, 10) == (0, 1, 1)
