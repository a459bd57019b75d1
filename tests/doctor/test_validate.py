"""`rcca validate`: every problem with its place."""

import copy

import orjson
import pytest

from rcca_cli.doctor import consistency, validate
from rcca_cli.errors import ItemsFailed
from tests.judge.records import SHOWS, answer, record

CHECK = orjson.dumps({"cases": [{"n": 1}, {"n": 2}], "steps": [{"expect": "text", "contains": "{n}"}]}).decode()
RECORD = {
    "schema": "rcca/1",
    "id": "t/0",
    "group": "t",
    "task": {
        "prompt": [{"role": "user", "content": "a page"}],
        "rubric": [
            {
                "id": "shows",
                "requirement": "it shows",
                "kind": "initial",
                "importance": "essential",
                "parents": [],
                "check": CHECK,
            }
        ],
    },
    "rollout": {
        "text": "<p>é</p>",
        "prompt_ids": [1],
        "tokens": [5, 6, 7],
        "offsets": [[0, 3], [3, 8], [8, 8]],
        "logprobs": [-0.1, -0.2, -0.3],
        "logprobs_basis": "temperature",
        "finish_reason": "stop",
        "model": "m",
    },
    "judge": {
        "level": "functional",
        "reward": 0.5,
        "artifact": None,
        "gates": [],
        "verdicts": [
            {
                "rubric": "shows",
                "passed": False,
                "severity": 1.0,
                "failure": "silent",
                "confidence": 1.0,
                "diagnosis": None,
                "evidence": [{"kind": "element", "start": 0, "end": 3, "detail": "p"}],
                "error": None,
            }
        ],
    },
    "align": {
        "advantage": -0.5,
        "advantages": [0.0, -1.0, 0.0],
        "weights": [0.0, 3.0, 0.0],
        "spans": [],
        "unmatched": 0,
        "mode": "rubric",
    },
}

SPAN = {"rubric": "shows", "start": 0, "end": 3, "unit": "tag", "mass": 1.0, "sources": []}
SPAN |= {"advantage": -0.5, "confidence": 1.0}


def changed(place, value):
    """RECORD with another value at `place`, a dotted path."""
    record = copy.deepcopy(RECORD)
    *path, last = [int(part) if part.isdigit() else part for part in place.split(".")]
    inside = record
    for part in path:
        inside = inside[part]
    inside[last] = value
    return record


def problems(record):
    return validate.shape_problems(record) or list(consistency.problems(record))


def test_a_whole_record_has_no_problem():
    assert problems(RECORD) == []


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("schema", "rcca/9", "schema: 'rcca/9' is not 'rcca/1', the one this rcca reads"),
        ("judge.reward", "high", "judge.reward: input should be a valid number"),
        ("judge.reward", 1, "judge.reward: 1 is an integer (write 1.0)"),
        ("task.rubric.0.kind", "first", "task.rubric.0.kind: input should be 'initial' or 'interaction'"),
        ("task.rubric.0.parents", ["nobody"], "task.rubric.0.parents: 'nobody' is no other item"),
        ("rollout.logprobs", [-0.1], "rollout.logprobs: 1 for 3 tokens"),
        ("rollout.offsets", [], "rollout.offsets: none for 3 tokens"),
        (
            "rollout.offsets",
            [[0, 3], [3, 9], [8, 8]],
            "rollout.offsets.1: [3, 9] is no span of the text, or out of order",
        ),
        (
            "judge.verdicts.0.rubric",
            "other",
            "judge.verdicts.0.rubric: 'other' is no item of the rubric, or judged twice",
        ),
        ("judge.verdicts.0.passed", None, "judge.verdicts.0.error: not known, without a reason"),
        (
            "judge.verdicts.0.evidence.0.end",
            9,
            "judge.verdicts.0.evidence.0: 0 to 9 is no span of a text of 8 characters",
        ),
        ("align.advantages", [0.0], "align.advantages: 1 for 3 tokens"),
    ],
)
def test_each_problem_is_named_with_its_place(place, value, problem):
    assert problems(changed(place, value)) == [problem]


def test_what_align_says_of_a_failed_gate_is_valid(rcca):
    made = record(answer("<p>One</p><script>lost()</script>"), SHOWS)
    lines = rcca("judge", stdin=[made, made | {"id": "t1/1"}]).records
    aligned = rcca("align", "--tokenizer", "embedded", stdin=lines)
    assert {span["rubric"] for one in aligned.records for span in one["align"]["spans"]} == {"gate"}
    ended = rcca("validate", stdin=aligned.stdout)
    assert (ended.code, ended.stderr) == (
        0,
        "2 records (2 with task, 2 with rollout, 2 with judge, 2 with align), 0 problems\n",
    )
    assert problems(changed("align.spans", [SPAN | {"rubric": "gates"}])) == [
        "align.spans.0.rubric: 'gates' is no item of the rubric"
    ]


def test_a_check_that_does_not_parse_is_a_problem():
    (problem,) = problems(changed("task.rubric.0.check", '{"cases": []}'))
    assert problem.startswith("task.rubric.0.check: ")


def test_all_problems_of_all_lines_are_reported(tmp_path, capsys):
    path = tmp_path / "records.jsonl"
    lines = [orjson.dumps(RECORD), b"{", orjson.dumps(changed("judge.reward", None)), b"", orjson.dumps({"id": 1})]
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(ItemsFailed, match="2 of 4 records are not valid"):
        validate.run([str(path)])
    shown = capsys.readouterr().err
    assert f"{path}:2:1: not JSON" in shown
    assert f"{path}:5: id: input should be a valid string" in shown
    assert f"{path}:5: task: field required" in shown
    assert "4 records (2 with task, 2 with rollout, 2 with judge, 2 with align), 5 problems" in shown


def test_ids_can_be_asked_to_be_unique(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes((orjson.dumps(RECORD) + b"\n") * 2)
    validate.run([str(path)])
    with pytest.raises(ItemsFailed, match="1 of 2"):
        validate.run([str(path)], unique="id")


def test_a_row_beyond_pyarrows_block_is_a_warning(tmp_path, capsys):
    path = tmp_path / "records.jsonl"
    path.write_bytes(orjson.dumps(RECORD | {"note": "x" * (1 << 20)}) + b"\n")
    validate.run([str(path)])
    assert "1 rows are larger than pyarrow's default block of 1 MiB" in capsys.readouterr().err


def test_a_task_is_answered_by_an_answer_that_is_there(tmp_path, capsys):
    tasks, path = tmp_path / "tasks.jsonl", tmp_path / "records.jsonl"
    task = {"schema": "rcca/1", "id": "t1", "group": "t1", "task": RECORD["task"]}
    lost = task | {"id": "t1/0", "rollout": None, "error": "the server was silent"}
    tasks.write_bytes(orjson.dumps(task) + b"\n")
    path.write_bytes(orjson.dumps(lost) + b"\n")
    with pytest.raises(ItemsFailed, match="1 are missing"):
        validate.run([str(path)], against=str(tasks))
    assert "t1: missing" in capsys.readouterr().err
    path.write_bytes(path.read_bytes() + orjson.dumps(RECORD | {"id": "t1/1", "group": "t1"}) + b"\n")
    validate.run([str(path)], against=str(tasks))
    validate.run([str(path)], against=str(path))  # of each record its id
    validate.run([str(tasks)], against=str(tasks))  # tasks among tasks
