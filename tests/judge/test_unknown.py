import pytest

from rcca_cli.errors import ItemsFailed
from rcca_cli.judge.counts import Counts
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
    assert ended.stderr == "rcca judge: 1 of 1 records have no answer (the reasons are in error)\n"


def test_answers_not_had_and_verdicts_not_known_count_apart():
    counts = Counts()
    lost = {"id": "t/1", "judge": {"gates": [], "verdicts": [unknown("a", "lost"), not_reached("b", "why")]}}
    for record in ({"id": "t/0", "judge": None}, lost):
        counts.add(record)
    with pytest.raises(ItemsFailed) as error:
        counts.refuse_unknown()
    assert str(error.value) == (
        "1 of 2 verdicts are not known (the reasons are in verdicts[].error); "
        "1 of 2 records have no answer (the reasons are in error)"
    )
