"""A judge with a scripted model."""

import pytest

from rcca_cli.jsonl import Line
from rcca_cli.judge import stage
from tests.judge.model import scripted
from tests.rollout.server import serving


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ask(court):
    """Judge a record by a model that gives these replies: the value of `judge`, and the requests that it got."""

    def judged(record, *replies, **asking):
        with serving(*replies) as server:
            bench = scripted.court(court.machine, server, **asking)
            judge = stage.judged(Line(record, "in.jsonl", 1), bench)["judge"]
            return judge, server.asked

    return judged
