"""Judging again: a new score without a browser, some items anew, or only what is not known."""

import copy

import pytest

from rcca_cli.errors import RccaError, RecordError
from rcca_cli.jsonl import Line, encode
from rcca_cli.judge import again, stage, verdicts
from rcca_cli.judge.court import Court
from tests.judge.records import ADDS, RED, SHOWS, TODO, answer, item, record

GOOD = record(answer(TODO), SHOWS, ADDS, RED, name="t1/0")
BLUE = record(answer(TODO.replace("red", "blue")), SHOWS, ADDS, RED, name="t1/1")
BAD = record("no page", SHOWS, ADDS, RED, name="t1/2")
NONE = record(answer(TODO.replace("</style>", "")), name="t1/3")


def lines(*records):
    return [Line(one, "in.jsonl", number) for number, one in enumerate(records, 1)]


def judging(court, config="test", **options):
    """A court like the fixture's that judges again."""
    return Court(court.machine, 0, 1.0, "hierarchical", config, again=again.Again(**options))


def changed(record, name, **facts):
    """The record with other facts in the verdict on the item `name`."""
    record = copy.deepcopy(record)
    for row in record["judge"]["verdicts"]:
        if row["rubric"] == name:
            row.update(facts)
    return record


@pytest.fixture(scope="module")
def fresh(court):
    """The records, judged."""
    return list(stage.run(lines(GOOD, BLUE, BAD, NONE), stage.Options(), court))


def test_a_new_score_is_that_of_judging_so_and_needs_no_browser(rcca):
    one = [GOOD, BLUE, BAD]
    before = rcca("judge", stdin=one)
    wanted = rcca("judge", "--reward", "flat", stdin=one)
    scored = rcca("judge", "--score-only", "--reward", "flat", "--browser", "/bin/false", stdin=before.stdout)
    assert scored.code == 0, scored.stderr
    assert scored.stdout == wanted.stdout
    assert scored.stdout != before.stdout


def test_a_new_score_of_what_was_judged_otherwise_names_no_options(fresh):
    (scored,) = stage.run(lines(fresh[1]), stage.Options(reward="all-pass", score_only=True))
    assert scored["judge"] == fresh[1]["judge"] | {"reward": 0.0, "config": None}


def test_what_has_no_verdicts_cannot_be_scored(rcca):
    ended = rcca("judge", "--score-only", stdin=[GOOD])
    assert (ended.code, ended.stdout) == (2, b"")
    assert ended.stderr == "rcca judge: <stdin>:1: missing 'judge' (run `rcca judge` first)\n"


def test_only_the_named_items_are_judged_anew(court, fresh):
    old = changed(changed(fresh[1], "red", diagnosis="seen then"), "adds", passed=False, diagnosis="seen then")
    (found,) = stage.run(lines(old), stage.Options(), judging(court, only=("adds",)))
    assert found["judge"] == changed(fresh[1], "red", diagnosis="seen then")["judge"]


def test_a_record_without_the_item_is_kept_and_an_item_of_no_record_is_an_error(court, fresh):
    kept = copy.deepcopy(fresh[3])
    kept["judge"]["gates"][1]["diagnosis"] = "seen then"
    options = stage.Options(only=("adds", "ads"))
    results = stage.run(lines(fresh[0], kept), options, judging(court, only=options.only))
    assert [next(results), next(results)] == [fresh[0], kept]
    with pytest.raises(RccaError, match="--only ads: no record has an item of that name") as caught:
        next(results)
    assert caught.value.exit_code == 2


def test_several_items_at_once_are_told_how_to_be_named(court, fresh):
    results = stage.run(lines(fresh[0]), stage.Options(only=("adds,red",)), judging(court, only=("adds,red",)))
    next(results)
    with pytest.raises(RccaError, match=r"\(give it once an item: --only adds --only red\)"):
        next(results)


@pytest.mark.parametrize(("given", "name"), [({"repeat": 2}, "--repeat"), ({"stamp": True}, "--stamp")])
def test_what_only_a_judging_can_do_is_refused_of_a_new_score(given, name):
    with pytest.raises(RccaError, match=f"--score-only and {name}: nothing is judged"):
        stage.Options(score_only=True, **given)


def test_only_needs_a_judgement_to_keep(court):
    with pytest.raises(RecordError, match="missing 'judge'"):
        list(stage.run(lines(GOOD), stage.Options(), judging(court, only=("adds",))))


def test_what_is_not_known_is_judged_again_and_comes_to_the_same_bytes(court, fresh):
    lost = changed(fresh[0], "adds", **verdicts.unknown("adds", "the browser was lost"))
    lost["judge"]["reward"] = None
    gate = copy.deepcopy(fresh[1])
    gate["judge"]["gates"][2]["passed"] = None
    found = stage.run(lines(lost, gate, fresh[2], GOOD), stage.Options(), judging(court, stale=True))
    wanted = [*fresh[:3], fresh[0]]
    assert b"".join(map(encode, found)) == b"".join(map(encode, wanted))


def test_what_is_known_is_not_looked_at_again_unless_it_was_seen_otherwise(court, fresh):
    told = changed(fresh[0], "red", diagnosis="seen then")
    elsewhere = told | {"judge": told["judge"] | {"environment": told["judge"]["environment"] | {"browser": "1.0"}}}
    reworded = told | {"rollout": told["rollout"] | {"text": "\n" + told["rollout"]["text"]}}
    kept, other, moved = stage.run(lines(told, elsewhere, reworded), stage.Options(), judging(court, stale=True))
    assert kept == told
    assert other == fresh[0]
    assert moved["judge"]["artifact"]["start"] == fresh[0]["judge"]["artifact"]["start"] + 1
    assert (
        next(stage.run(lines(told), stage.Options(), judging(court, "other", stale=True)))["judge"]["config"] == "other"
    )


def test_mended_checks_are_judged_anew_and_come_to_the_same_bytes(rcca, tmp_path):
    old = [GOOD, GOOD | {"id": "t1/1"}, GOOD | {"id": "t2/0", "group": "t2"}]
    wrong = item("red", {"expect": "text", "contains": "never"}, kind="initial")
    rubric = GOOD["task"]["rubric"]
    before = [
        one | {"task": one["task"] | {"rubric": [wrong if own["id"] == "red" else own for own in rubric]}}
        for one in old
    ]
    judged = rcca("judge", stdin=before).records
    kept = changed(judged[0], "adds", diagnosis="seen then")
    task = {key: value for key, value in GOOD.items() if key != "rollout"}
    (tmp_path / "tasks.jsonl").write_bytes(encode(task | {"id": "t1"}))
    ended = rcca("judge", "--rejudge", "--tasks", str(tmp_path / "tasks.jsonl"), stdin=[kept, *judged[1:]])
    whole = rcca("judge", stdin=[*old[:2], before[2]]).records
    assert (ended.code, ended.records) == (0, [changed(whole[0], "adds", diagnosis="seen then"), *whole[1:]])
    assert ended.stderr == "--tasks: 1 of 3 records have the group of no task in it and keep their rubric\n"
    none = rcca("judge", "--rejudge", "--tasks", str(tmp_path / "tasks.jsonl"), stdin=judged[2:])
    assert (none.code, none.stderr) == (2, "rcca judge: --tasks: no record has the group of a task in it\n")


def test_two_ways_to_judge_again_are_one_too_many(rcca):
    ended = rcca("judge", "--rejudge", "--only", "adds", stdin=[GOOD])
    assert (ended.code, ended.stdout) == (2, b"")
    assert ended.stderr == "rcca judge: --rejudge and --only: each says what is judged again; give one\n"


def test_a_share_of_replays_without_any_is_refused():
    with pytest.raises(RccaError, match=r"--no-evidence and --replay-passes: .* give one"):
        stage.Options(evidence=False, replay_passes=1.0)
    assert not stage.Options(evidence=False, replay_passes=0.0).evidence  # none is none
