"""Judgements of the oracle have the judge's shape, and no answer is judged twice."""

import pytest

from rcca_cli import records, rewards
from rcca_cli.bench.credit import oracle, tasks, verdicts
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.store import Store
from rcca_cli.synth import app

OPTIONS = judge.Options(replay_passes=0.0, jobs=2)


@pytest.fixture(scope="module")
def made():
    return app.make(11, 0)


def answer(made, text, number=0):
    """A record with this answer."""
    record = tasks.record(made) | {"id": f"{made.id}/{number}"}
    return record | {"rollout": records.text_only(text, "stop", "test")}


def strange(made):
    """An answer that the oracle does not know, and that runs."""
    return made.render().text.replace("<body>", '<body class="new">')


def test_a_judgement_of_the_oracle_has_the_keys_and_types_of_the_judge(made, tmp_path):
    texts = [made.render().text, made.render(made.faults()[:1]).text, made.render().text[:200]]
    answers = [answer(made, text, number) for number, text in enumerate(texts)]
    with verdicts.Bench(OPTIONS, Store(str(tmp_path)), ask_oracle=False) as bench:
        real = bench.judge({made.id: made}, answers)
    with verdicts.Bench(OPTIONS, Store(), ask_oracle=True) as bench:
        told = bench.judge({made.id: made}, answers)
    assert bench.counts == {"oracle": 3, "kept": 0, "browser": 0}
    for one, other in zip(real, told, strict=True):
        records.need(Line(other, "a", 1), "task", "rollout", "judge")
        assert one["judge"].keys() == other["judge"].keys()
        assert one["judge"]["level"] == other["judge"]["level"]
        assert one["judge"]["reward"] == other["judge"]["reward"]
        assert one["judge"]["artifact"] == other["judge"]["artifact"]
        assert one["judge"]["gates"] == other["judge"]["gates"]
        rows = zip(one["judge"]["verdicts"], other["judge"]["verdicts"], strict=True)
        for here, there in rows:
            same = ("rubric", "passed", "severity", "confidence", "error")
            assert {key: here[key] for key in same} == {key: there[key] for key in same}
            assert here.keys() == there.keys()


def test_what_the_oracle_leaves_open_is_judged_once_whatever_the_number_of_the_answer(made, tmp_path):
    answers = [answer(made, strange(made), number) for number in range(3)]
    with verdicts.Bench(OPTIONS, Store(str(tmp_path)), ask_oracle=True) as bench:
        first = bench.judge({made.id: made}, answers)
        assert bench.counts == {"oracle": 0, "kept": 2, "browser": 1}
    assert [one["id"] for one in first] == [f"{made.id}/{number}" for number in range(3)]
    assert all(row["passed"] for row in first[0]["judge"]["verdicts"])
    with verdicts.Bench(OPTIONS, Store(str(tmp_path)), ask_oracle=True) as bench:
        assert bench.judge({made.id: made}, answers) == first
        assert bench.counts == {"oracle": 0, "kept": 3, "browser": 0}


def test_other_options_of_the_judge_judge_anew(made, tmp_path):
    store, answers = Store(str(tmp_path)), [answer(made, strange(made))]
    for seed in (0, 1):
        with verdicts.Bench(judge.Options(replay_passes=0.0, seed=seed), store, ask_oracle=True) as bench:
            bench.judge({made.id: made}, answers)
            assert bench.counts["browser"] == 1


def test_a_judgement_with_evidence_does_where_none_is_needed_but_not_the_other_way_round(made, tmp_path):
    store, answers = Store(str(tmp_path)), [answer(made, strange(made))]
    found = []
    for evidence in (False, True, False):
        with verdicts.Bench(judge.Options(evidence=evidence), store, ask_oracle=False) as bench:
            found.append((bench.judge({made.id: made}, answers)[0]["judge"], bench.counts["browser"]))
    assert [count for _, count in found] == [1, 1, 0]
    without, with_evidence, _ = (said["verdicts"] for said, _ in found)
    assert [row["passed"] for row in without] == [row["passed"] for row in with_evidence]
    assert not any(row["evidence"] for row in without)
    assert any(row["evidence"] for row in with_evidence)


def test_the_reward_is_the_one_asked_for(made):
    text = made.render(made.faults()[:1]).text
    reading = oracle.read(made, text)
    for name in rewards.REWARDS:
        said = verdicts.judgement(answer(made, text), reading, judge.Options(reward=name))
        rubric = made.task()["rubric"]
        assert said["reward"] == rewards.REWARDS[name](said["level"], said["verdicts"], rubric, said["gates"])
