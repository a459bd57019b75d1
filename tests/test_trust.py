"""Each pain of others that docs/trust.md lists is tested by what it names, or said not to be ours."""

import re
from pathlib import Path

SIZES = {"A": 13, "B": 22, "C": 16, "D": 14, "E": 9, "F": 8}
ROWS = [f"{table}{number}" for table, size in SIZES.items() for number in range(1, size + 1)]
HERE = Path(__file__).parent
TABLE = (HERE.parent / "docs" / "trust.md").read_text()


def rows():
    return {row[0]: row[2] for row in re.findall(r"^\| ([A-Z]\d+) \| (.+) \| (.+) \|$", TABLE, re.MULTILINE)}


def test_every_pain_has_a_row_with_a_test_or_a_reason():
    assert list(rows()) == ROWS
    assert [
        row for row, said in rows().items() if "`test_" not in said and not said.startswith("Does not apply: ")
    ] == []


def test_every_test_that_is_named_exists():
    there = {
        name for path in HERE.rglob("*.py") for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    assert sorted(set(re.findall(r"`(test_\w+)`", TABLE)) - there) == []
