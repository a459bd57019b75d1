import json

import pytest

from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.rollout.stage import Options, run
from tests.rollout.tasks import KEYS, collect, lines, task


@pytest.fixture
def answers(tmp_path):
    def write(*records):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return Options(backend="replay", answers=str(path))

    return write


def test_answers_are_found_by_task_and_by_prompt(answers):
    options = answers({"id": "b", "text": "two"}, {"prompt": "Make a timer", "text": "one"})
    records = list(run(lines(task("a"), task("b", "Make a clock")), options))
    assert [record["rollout"]["text"] for record in records] == ["one", "two"]
    assert set(records[0]["rollout"]) == KEYS


def test_a_group_takes_its_answers_in_the_order_of_the_file(answers):
    options = answers({"id": "a", "text": "first"}, {"id": "a", "text": "second"})
    records = list(run(lines(task("a")), Options(backend="replay", answers=options.answers, group_size=2)))
    assert [(record["id"], record["rollout"]["text"]) for record in records] == [("a/0", "first"), ("a/1", "second")]


def test_a_record_keeps_what_is_known_of_its_tokens(answers):
    rollout = {
        "text": "hi",
        "tokens": [5],
        "offsets": [[0, 2]],
        "logprobs": [-0.5],
        "logprobs_basis": "raw",
        "model": "m",
    }
    given = next(run(lines(task("a")), answers({"id": "a/0", "group": "a", "rollout": rollout})))["rollout"]
    assert {name: given[name] for name in rollout} == rollout


def test_a_task_without_an_answer_is_null_and_counted(answers):
    got = []
    records = run(lines(task("zz", "?")), answers({"id": "a", "text": "x"}))
    with pytest.raises(ItemsFailed, match="1 of 1"):
        collect(records, got)
    assert (
        got[0]["rollout"],
        got[0]["error"].endswith("no answer to zz (none has its id, or its request as prompt)"),
    ) == (None, True)


def test_an_answer_that_could_not_be_had_is_left_out_and_counted(answers, capsys):
    lost = {"id": "a/0", "group": "a", "rollout": None, "error": "no reply"}
    options = answers(lost, {"id": "a", "text": "x"})
    assert next(run(lines(task("a")), options))["rollout"]["text"] == "x"
    assert capsys.readouterr().err == f"{options.answers}: records without an answer: 1\n"


@pytest.mark.parametrize("wrong", [{"text": "whose?"}, {"id": "a"}, {"id": "a", "text": 3}])
def test_a_line_that_is_no_answer_is_named(answers, wrong):
    with pytest.raises(RccaError, match=r"answers\.jsonl:2"):
        list(run(lines(task("a")), answers({"id": "a", "text": "x"}, wrong)))
