"""One court for all tests of this folder."""

import pytest

from rcca_cli.browser import Machine, Settings
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage
from rcca_cli.judge.court import Court


@pytest.fixture(scope="session")
def court():
    """A court whose pages may be busy for a second of processor time; it collects evidence for all that passes."""
    with Machine(Settings(action_seconds=1.0, load_seconds=1.0)) as machine:
        yield Court(machine, seed=0, replay_passes=1.0, reward="hierarchical", config="test")


@pytest.fixture(scope="session")
def judged(court):
    """The value of `judge` for a record."""
    return lambda record: stage.judged(Line(record, "in.jsonl", 1), court)["judge"]
