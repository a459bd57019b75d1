"""One browser for all tests of this folder."""

import pytest

from rcca_cli.browser import Machine, Settings


@pytest.fixture(scope="session")
def machine():
    """A browser that gives up on a busy page after a second of its processor time."""
    with Machine(Settings(action_seconds=1.0, load_seconds=1.0)) as machine:
        yield machine
