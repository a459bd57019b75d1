"""The examples in docs/checks.md are checks."""

import re
from pathlib import Path

import pytest

from rcca_cli import checks

PAGE = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()


@pytest.mark.parametrize("text", re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
def test_an_example_is_a_check(text):
    assert len(checks.parse(text).cases) == 2
