"""A real server with a real, very small model: it judges badly, and every answer of its is a row or a reason."""

import pytest

from rcca_cli.judge import verdicts
from tests.judge.model import scripted
from tests.judge.model.scripted import COUNTER, app, asked
from tests.models import smollm2


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """The address of `transformers serve` with SmolLM2-135M, and the model's name there."""
    try:
        folder = str(smollm2.folder())
    except ConnectionError as error:
        pytest.skip(str(error))
    with smollm2.served(folder, tmp_path_factory.mktemp("server") / "log") as url:
        yield url, folder


@pytest.mark.slow
@pytest.mark.parametrize("tools", [True, False])
def test_a_bad_model_on_a_real_server_gives_rows_or_reasons(court, served, tools):
    url, name = served
    record = app(COUNTER, asked("shows", "It shows a number", kind="initial"))
    how = {"model": name, "base_url": url, "tools": tools, "turns": 2, "max_tokens": 48, "seconds": 300.0}
    judge = scripted.judging(court.machine, **how).judge(record)
    (row,) = judge["verdicts"]
    assert row.keys() == verdicts.verdict("shows", True).keys()
    assert row["passed"] is not None or row["error"].startswith("the judge model")
    assert "gave no answer" not in (row["error"] or "")
