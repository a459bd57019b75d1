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
