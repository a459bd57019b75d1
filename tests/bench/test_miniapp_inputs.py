"""What there is to do is read once, and what an earlier call did of it counts only if it was the same."""

import json
import os
import threading

import pytest

from rcca_cli import jsonl, seeds
from rcca_cli.bench.miniapp import inputs, outcome, stage
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.bench.miniapp.tasks import Choice
from rcca_cli.errors import RccaError, RecordError
from tests.bench.canned import judged

NAMES = ("projectile", "epidemic", "noughts")


def options(tmp_path, limit=2, texts=("", ""), **more):
    """Of answers to the first tasks of the suite, one each; without `texts` of a model."""
    rows = [{"id": name, "text": text} for name, text in zip(NAMES, texts or (), strict=False)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = {"answers": str(tmp_path / "answers.jsonl")} if texts else {}
    return Options(choice=Choice(limit=limit), **given, **more)


def left_by(call, place, names=NAMES[:2], samples=1):
    """A file as `call` would leave it, with records of these tasks."""
    with open(place, "wb") as file:
        for record in (judged(name, sample=sample) for name in names for sample in range(samples)):
            counts = stage.row(outcome.of(record, 0.8, "checks")) | {"config": seeds.config_digest(call)}
            file.write(jsonl.encode(record | {"original": None, "bench": counts}))


@pytest.mark.parametrize("texts", [("", ""), None], ids=["answers", "model"])
def test_a_finished_file_is_counted_again_for_the_same_input(tmp_path, capsys, texts):
    call, place = options(tmp_path, texts=texts), str(tmp_path / "out.jsonl")
    left_by(call, place)
    stage.write(call, place, str(tmp_path / "r.json"), resumed=True)
    assert "out.jsonl is finished" in capsys.readouterr().err
    figures = json.loads((tmp_path / "r.json").read_text())
    assert (figures["n"], figures["passes"], figures["missing"]) == (2, 2, [])


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"texts": ("", "another")}, ""),
        ({"texts": ("", "another")}, ".partial"),
        ({"limit": 1}, ""),
        ({"limit": 1}, ".partial"),
        ({"limit": 1, "texts": None}, ""),
    ],
)
def test_what_an_earlier_call_left_of_another_input_is_refused(tmp_path, change, end):
    call, place = options(tmp_path, **change), str(tmp_path / "out.jsonl")
    left_by(call, place + end)
    with pytest.raises(RecordError, match=f"out.jsonl{end}:2: of another task or answer"):
        stage.write(call, place, resumed=True)


@pytest.mark.parametrize("texts", [("", "", ""), None], ids=["answers", "model"])
def test_a_finished_file_that_lacks_some_of_the_input_is_refused(tmp_path, texts):
    call, place = options(tmp_path, 3, texts), str(tmp_path / "out.jsonl")
    left_by(call, place)
    with pytest.raises(RecordError, match=r":3: not in .*out.jsonl, which is finished"):
        stage.write(call, place, resumed=True)


def test_samples_of_a_model_are_one_unit_a_task(tmp_path):
    call, place = options(tmp_path, texts=None, samples=2), str(tmp_path / "out.jsonl")
    left_by(call, place, samples=2)
    left = inputs.given(inputs.wanted(call), call)
    assert len(list(inputs.earlier(place, left, call))) == 4
    assert list(left) == []


def piped(path, text):
    """A pipe of this name from which `text` can be read once."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(text,), daemon=True)
    writer.start()
    return str(path)


def test_tasks_and_answers_that_come_through_pipes_are_read_once(tmp_path):
    tasks = piped(tmp_path / "tasks", json.dumps(judged("water")))
    answers = piped(tmp_path / "answers", json.dumps({"id": "water", "text": "x"}))
    call = Options(tasks=tasks, answers=answers)
    asked = inputs.wanted(call)
    assert inputs.total(asked, call) is None  # asked for on a terminal
    (line,) = inputs.given(asked, call)
    assert line.record["rollout"]["text"] == "x"


def test_how_many_there_are_is_known_of_files_and_models(tmp_path):
    for call in (options(tmp_path), Options(choice=Choice(limit=2)), Options(answers="embedded:stubs:water")):
        assert inputs.total(inputs.wanted(call), call) == 2


def test_a_report_must_not_replace_the_records(tmp_path):
    with pytest.raises(RccaError, match="the records go there"):
        stage.write(options(tmp_path), str(tmp_path / "out.json"), str(tmp_path / "out.json"))
