import json

from tests.rollout.tasks import task

TASKS = [task(name, f"Make a timer called {name}") for name in "abcde"]


def test_an_interrupted_call_goes_on_to_the_same_bytes(rcca, tmp_path):
    file = tmp_path / "out.jsonl"
    call = ("rollout", "-g", "2", "--window", "2", "--max-new-tokens", "5", "-o", str(file))
    assert rcca(*call, stdin=TASKS).code == 0
    whole = file.read_bytes()
    records = [json.loads(line) for line in whole.splitlines()]
    assert [record["id"] for record in records] == [f"{name}/{index}" for name in "abcde" for index in range(2)]

    file.unlink()
    torn = len(b"\n".join(whole.split(b"\n")[:6])) + 40  # into the seventh record: the second window is not whole
    file.with_name("out.jsonl.partial").write_bytes(whole[:torn])
    assert rcca(*call, "--resume", stdin=TASKS).code == 0
    assert file.read_bytes() == whole


def test_tasks_without_a_group_and_tasks_of_one_name_are_gone_on_with(rcca, tmp_path):
    tasks = [{key: value for key, value in task(name).items() if key != "group"} for name in "aab"]
    known = tmp_path / "answers.jsonl"
    answers = [{"id": name, "text": name * index} for name in "ab" for index in (1, 2)]
    known.write_text("".join(json.dumps(answer) + "\n" for answer in answers))
    file = tmp_path / "out.jsonl"
    call = ("rollout", "-g", "2", "--window", "1", "--answers", str(known), "-o", str(file))
    assert rcca(*call, stdin=tasks).code == 0
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 6
    file.unlink()
    file.with_name("out.jsonl.partial").write_bytes(b"".join(lines[:3]))
    assert rcca(*call, "--resume", stdin=tasks).code == 0
    assert file.read_bytes() == whole


def test_answers_from_a_file(rcca, tmp_path):
    known = tmp_path / "answers.jsonl"
    known.write_text('{"id": "a", "text": "<p>hi</p>"}\n')
    ended = rcca("rollout", "--answers", str(known), stdin=TASKS[:2])
    assert (ended.code, [record["rollout"] is None for record in ended.records]) == (1, [False, True])
    assert ended.stderr.splitlines()[-1].startswith("rcca rollout: 1 of 2 answers could not be had")


def test_an_unknown_model_is_one_line(rcca):
    ended = rcca("rollout", "--model", "./nowhere", stdin=TASKS[:1])
    assert (ended.code, ended.stderr) == (2, "rcca rollout: ./nowhere: no such folder\n")
