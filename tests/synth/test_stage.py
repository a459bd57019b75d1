"""The command `rcca synth`, as a process."""

import orjson

from rcca_cli.synth import stage


def test_the_same_seed_gives_the_same_bytes(rcca):
    first, second = (rcca("synth", "-n", "3", "--seed", "4").stdout for _ in range(2))
    assert first == second
    assert first != rcca("synth", "-n", "3", "--seed", "5").stdout


def test_a_longer_stream_begins_with_the_shorter_one(rcca):
    short = rcca("synth", "-n", "2", "--seed", "4").stdout
    assert rcca("synth", "-n", "4", "--seed", "4").stdout.startswith(short)


def test_references_are_complete_records_without_truth_entries():
    records = list(stage.run(stage.Options(seed=1, count=2, solutions="references")))
    assert [record["truth"] for record in records] == [[], []]
    assert [record["id"] for record in records] == [record["group"] + "/0" for record in records]
    assert all(record["rollout"]["model"] == "synth:reference" for record in records)


def test_all_solutions_of_a_task_are_adjacent_and_the_reference_comes_first():
    records = list(stage.run(stage.Options(seed=1, count=1, families=("todo",), solutions="all")))
    assert len({record["group"] for record in records}) == 1
    assert [len(record["truth"]) for record in records] == [0] + [1] * (len(records) - 1)
    bugs = list(stage.run(stage.Options(seed=1, count=1, families=("todo",), solutions="bugs")))
    assert [record["rollout"]["text"] for record in bugs] == [record["rollout"]["text"] for record in records[1:]]


def test_an_interrupted_file_is_continued(rcca, tmp_path):
    whole = rcca("synth", "-n", "4", "--solutions", "all").stdout
    lines = whole.splitlines(keepends=True)
    (tmp_path / "out.jsonl.partial").write_bytes(b"".join(lines[:-5]) + lines[-5][:40])
    ended = rcca("synth", "-n", "4", "--solutions", "all", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    assert ended.code == 0, ended.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == whole


def test_other_options_refuse_to_continue(rcca, tmp_path):
    (tmp_path / "out.jsonl.partial").write_bytes(rcca("synth", "-n", "2").stdout)
    ended = rcca("synth", "-n", "4", "--seed", "9", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    assert ended.code == 2
    assert "made with other options" in ended.stderr


def test_tasks_from_a_file_come_out_with_an_id(rcca):
    (task,) = rcca("synth", "-n", "1").records
    ended = rcca("synth", "-", stdin=orjson.dumps({"task": task["task"]}))
    assert [record["task"] for record in ended.records] == [task["task"]]
    assert ended.records[0]["id"] == ended.records[0]["group"]


def test_a_finished_file_is_not_made_again(rcca, tmp_path):
    made = ("synth", "-n", "2", "-o", "out.jsonl", "--resume")
    assert rcca(*made, cwd=tmp_path).code == 0
    before = (tmp_path / "out.jsonl").stat()
    ended = rcca(*made, cwd=tmp_path)
    assert (ended.code, ended.stderr) == (0, "rcca synth: out.jsonl is finished\n")
    assert (tmp_path / "out.jsonl").stat().st_ino == before.st_ino
    more = rcca("synth", "-n", "3", "-o", "out.jsonl", "--resume", cwd=tmp_path)
    assert (more.code, more.stderr) == (
        2,
        "rcca synth: out.jsonl: finished, with 2 tasks (remove it, or write another)\n",
    )


def test_a_check_written_as_an_object_comes_out_as_the_string_of_it(rcca):
    (task,) = rcca("synth", "-n", "1").records
    texts = [orjson.loads(item["check"]) for item in task["task"]["rubric"]]
    plain = {
        "task": task["task"]
        | {"rubric": [item | {"check": check} for item, check in zip(task["task"]["rubric"], texts, strict=True)]}
    }
    (named,) = rcca("synth", "-", stdin=[plain]).records
    assert [orjson.loads(item["check"]) for item in named["task"]["rubric"]] == texts
    assert rcca("synth", "-", stdin=[named | {"id": named["id"]}]).records == [named]
    ended = rcca("rollout", stdin=[plain | {"id": "t", "group": "t"}])
    assert ended.code == 2
    assert "task.rubric.0.check: an object, where a string that holds its JSON goes" in ended.stderr
    assert "an object, where a string that holds its JSON goes" in rcca("validate", stdin=[plain]).stderr


def test_a_family_that_does_not_exist_is_an_error_of_the_user(rcca):
    ended = rcca("synth", "--families", "todos")
    assert ended.code == 2
    assert "no family 'todos'" in ended.stderr
