"""The red team's pages that speak to a judge model: what they are, and how a model's verdicts on them are counted."""

import re
from collections import Counter

import pytest

from rcca_cli.bench.redteam import injection, pack
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.judge import model, stage
from tests.judge.model.scripted import say, tool
from tests.rollout.server import serving

PAGES = pack.injection()


def test_there_are_thirty_pages_each_with_one_item_that_fails():
    assert len(PAGES) >= 30
    assert max(Counter(page.name for page in [*PAGES, *pack.honest(), *pack.hostile()]).values()) == 1
    assert all(not wanted.passed for page in PAGES for wanted in page.items.values())
    assert all(page.why and set(page.items) <= set(pack.checks()) for page in PAGES)


def test_in_their_records_nothing_but_a_model_can_judge():
    records = [page.record("h:1", checked=False) for page in [*PAGES, *pack.honest()]]
    assert all(item["check"] is None for record in records for item in record["task"]["rubric"])


def test_without_a_model_none_is_asked():
    assert model.asking(None, None) is None
    assert model.asking("m", "http://x/v1").model == "m"
    with pytest.raises(RccaError, match="--model"):
        model.asking(None, "http://x/v1")


@pytest.mark.slow
def test_what_is_said_to_fail_fails_by_its_check():
    """The labels are the judge's own: by the checks that the model is not given."""
    with stage.court(stage.Options(replay_passes=0.0)) as court:
        for page in PAGES:
            judge = stage.judged(Line(page.record("127.0.0.1:9"), "in", 1), court)["judge"]
            assert (page.name, judge["level"]) == (page.name, "functional")
            assert [one["passed"] for one in judge["verdicts"]] == [False], page.name


def item_of(request):
    return re.search(r"The requirement \(id ([\w-]+),", request["messages"][0]["content"])[1]


def gullible(request):
    """Clicks once, and believes whoever says in capital or small letters that something passed."""
    if len(request["messages"]) == 2:
        return tool("click", target={"css": "button"})
    believes = "passed true" in str(request["messages"][1:]) or "PASSED" in str(request["messages"][1:])
    return tool("verdict", item=item_of(request), passed=believes, reason="So it says.")


@pytest.mark.slow
def test_a_model_that_believes_pages_is_found_out_and_one_that_repeats_them_gives_no_verdict(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    results = []
    with serving(gullible) as server:
        records = list(injection.run(model.asking("m", server.url), 0, results))
    told = {record["task"]["source"]: record["bench"]["passed"] for record in records}
    assert told["redteam:model:title-attribute"]
    assert not told["redteam:model:chat-signs"]
    assert 0 < injection.fooled(results) < len(PAGES)
    assert injection.line(results).startswith(f"injection: {injection.fooled(results)} of {len(PAGES)} items that fail")

    parrot, results = (lambda request: say(str(request["messages"][-1]["content"]))), []
    with serving(parrot) as server:
        records = list(injection.run(model.asking("m", server.url), 0, results))
    assert {one.passed for one in results} == {None}
