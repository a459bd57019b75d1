import pytest

from rcca_cli.judge.verdicts import count_unknown, gate, not_reached, unknown


@pytest.mark.parametrize(
    ("gates", "verdicts", "count"),
    [
        ([True, True, True], [], 0),
        ([True, False, None], ["not reached"], 0),
        ([True, True, None], ["lost", "lost"], 2),
        ([True, True, None], [], 1),
    ],
)
def test_a_gate_behind_a_failed_one_is_not_unknown(gates, verdicts, count):
    rows = [gate(level, passed) for level, passed in zip(("format", "source", "runtime"), gates, strict=True)]
    found = [unknown("a", "the browser was lost") if word == "lost" else not_reached("a", "why") for word in verdicts]
    assert count_unknown({"gates": rows, "verdicts": found}) == count


def test_an_answer_that_could_not_be_had_goes_through_and_is_counted(rcca):
    record = {"schema": "rcca/1", "id": "t/0", "group": "t", "rollout": None, "error": "the server was gone"}
    record["task"] = {"prompt": [], "rubric": [], "class": None, "level": None, "source": None}
    ended = rcca("judge", stdin=[record])
    assert ended.code == 1
    assert ended.records == [record | {"judge": None}]
    assert "1 of 1 verdicts are not known" in ended.stderr
