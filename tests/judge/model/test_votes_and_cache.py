"""Repeats: votes on one item, replies that are kept, and verdicts that are all the same."""

import pytest

from rcca_cli.jsonl import Line
from rcca_cli.judge import stage
from rcca_cli.judge.model.opinion import combined
from rcca_cli.judge.verdicts import unknown
from rcca_cli.judge.verdicts import verdict as row
from tests.judge.model import scripted
from tests.judge.model.scripted import CLICK, FAILED, app, asked, verdict
from tests.rollout.server import serving

YES, NO = verdict(), verdict(**FAILED)


def only(judge):
    (found,) = judge["verdicts"]
    return found


def test_two_votes_that_agree_are_enough(ask):
    judge, requests = ask(app(), CLICK, YES, CLICK, YES, votes=5)
    assert (only(judge)["passed"], only(judge)["diagnosis"]) == (True, "2 of 2 votes: It counted.")
    assert len(requests) == 4


def test_a_disagreement_is_settled_by_more_votes(ask):
    judge, requests = ask(app(), CLICK, YES, CLICK, NO, CLICK, NO, votes=3)
    found = only(judge)
    assert (found["passed"], found["diagnosis"], len(requests)) == (False, "2 of 3 votes: It stays at 0.", 6)
    assert found["confidence"] == pytest.approx(0.8 * 2 / 3)


def test_votes_without_a_majority_are_null(ask):
    judge, _ = ask(app(), CLICK, YES, CLICK, NO, votes=2)
    assert only(judge)["error"] == "the votes disagree: 1 passed, 1 failed it"


def test_a_vote_that_is_not_known_counts_for_neither_side():
    lost, passed = unknown("a", "lost"), row("a", True, diagnosis="fine")
    assert combined([lost, passed, passed], 3)["passed"] is True
    assert combined([lost, lost], 3)["error"] == "lost"


def test_each_vote_has_a_seed_of_its_own(ask):
    _, requests = ask(app(), CLICK, YES, CLICK, YES, votes=2)
    assert [request["seed"] for request in requests[:2]] != [request["seed"] for request in requests[2:]]


def test_the_agreement_of_votes_is_reported(court, capsys):
    with serving(CLICK, YES, CLICK, YES, CLICK, YES, CLICK, NO, CLICK, YES) as server:
        bench = scripted.court(court.machine, server, votes=3)
        bench.judge(app(name="t1/0"))
        bench.judge(app(name="t1/1"))
    bench.asker.report()
    assert "the first two votes on 1 of 2 items agreed" in capsys.readouterr().err


def judged(machine, server, records, **asking):
    bench = scripted.court(machine, server, **asking)
    return [stage.judged(Line(one, "in", 1), bench) for one in records], bench.asker.client


def test_a_second_run_asks_nothing_and_gives_the_same_bytes(court, tmp_path):
    records = [app(name="t1/0"), app(scripted.DEAD, name="t1/1")]
    with serving(CLICK, YES, CLICK, NO) as server:
        first, client = judged(court.machine, server, records, cache=str(tmp_path))
        assert (client.asked, len(server.asked)) == (4, 4)
        second, client = judged(court.machine, server, records, cache=str(tmp_path))
        assert (client.asked, client.remembered, len(server.asked)) == (0, 4, 4)
    assert first == second
    assert [only(one["judge"])["passed"] for one in first] == [True, False]


def test_replies_are_kept_for_the_whole_request(court, tmp_path):
    with serving(CLICK, YES, CLICK, YES, CLICK, YES, CLICK, YES) as server:
        judged(court.machine, server, [app()], cache=str(tmp_path))
        judged(court.machine, server, [app(name="t1/1")], cache=str(tmp_path))
        judged(court.machine, server, [app()], cache=str(tmp_path), temperature=0.5)
        judged(court.machine, server, [app()], cache=str(tmp_path), votes=2)
        assert len(server.asked) == 8  # of the two votes, the first was known


def test_a_kept_reply_that_is_torn_is_asked_for_again(court, tmp_path):
    with serving(CLICK, YES, CLICK, YES) as server:
        first, _ = judged(court.machine, server, [app()], cache=str(tmp_path))
        for file in tmp_path.rglob("*.json"):
            file.write_bytes(file.read_bytes()[:20])
        second, client = judged(court.machine, server, [app()], cache=str(tmp_path))
    assert (client.asked, first) == (2, second)


def test_verdicts_that_are_all_the_same_are_warned_of(court, capsys):
    items = [asked(f"counts{number}") for number in range(5)]
    replies = [one for item in items for one in (CLICK, verdict(item=item["id"], **FAILED))]
    with serving(*replies) as server:
        bench = scripted.court(court.machine, server)
        bench.judge(app(scripted.COUNTER, *items))
    bench.asker.report()
    assert "warning: all 5 verdicts of the judge model are the same (every item failed)" in capsys.readouterr().err


def test_the_same_records_give_the_same_bytes_however_many_at_once(rcca, tmp_path):
    def play(request):
        """A model that goes by what it sees, so that it matters not in which order it is asked."""
        used = any(message["role"] == "tool" for message in request["messages"])
        return (YES if 'status \\"1\\"' in str(request) or 'status "1"' in str(request) else NO) if used else CLICK

    records = [app(scripted.DEAD if number % 2 else scripted.COUNTER, name=f"t1/{number}") for number in range(4)]
    with serving(play) as server:
        options = ("--model", "m", "--base-url", server.url)
        one = rcca("judge", *options, "--jobs", "1", stdin=records)
        four = rcca("judge", *options, "--jobs", "4", "--cache", str(tmp_path), stdin=records)
    assert (one.code, four.code) == (0, 0), one.stderr
    assert one.stdout == four.stdout
    assert [only(one["judge"])["passed"] for one in one.records] == [True, False, True, False]
