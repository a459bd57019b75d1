"""The whole step on a real pretrained model, SmolLM2-135M: sampled in this process, and behind `transformers serve`.

It writes bad pages, but not equally bad ones: its answers to these tasks have rewards between -1 and 1.
"""

import json

import orjson
import pytest

from tests.conftest import run_rcca, start
from tests.models import smollm2


@pytest.fixture(scope="module")
def model():
    """The model's folder."""
    try:
        return str(smollm2.folder())
    except ConnectionError as error:
        pytest.skip(str(error))


def item(name, target):
    """A rubric item: the page shows this from the start."""
    check = {"cases": [{}, {}], "steps": [{"expect": "visible", "target": target}]}
    given = {"id": name, "requirement": f"It has {name}", "kind": "initial", "importance": "essential", "parents": []}
    return given | {"check": json.dumps(check)}


TASKS = {
    "Write a short HTML page that says Hello in a heading and has a button with the label OK.": [
        item("hello", {"text": "Hello"}),
        item("ok", {"role": "button", "name": "OK"}),
    ],
    "Write a short HTML page with the words Good morning and a text field.": [
        item("morning", {"text": "Good morning"}),
        item("field", {"role": "textbox"}),
    ],
}


def tasks():
    """The tasks as `rcca synth FILE` takes them."""
    for request, rubric in TASKS.items():
        prompt = [{"role": "user", "content": f"{request} Answer with one html code block."}]
        yield {"task": {"prompt": prompt, "class": "Tools", "level": "Easy", "source": "mine", "rubric": rubric}}


def stage(folder, *words, stdin=b""):
    """The records of one stage, which must end well."""
    ended = run_rcca(*words, stdin=stdin, cwd=folder, timeout=3600)
    assert ended.code == 0, ended.stderr
    return ended.stdout


def records(lines):
    return [orjson.loads(line) for line in lines.splitlines()]


@pytest.mark.slow
def test_a_step_with_adapters_on_answers_sampled_here(model, tmp_path):
    asked = stage(tmp_path, "synth", "-", stdin=list(tasks()))
    rolled = stage(tmp_path, "rollout", "-m", model, "-g", "4", "--max-new-tokens", "96", stdin=asked)
    judged = stage(tmp_path, "judge", stdin=rolled)
    assert len({record["judge"]["reward"] for record in records(judged)}) > 1
    (tmp_path / "aligned.jsonl").write_bytes(stage(tmp_path, "align", stdin=judged))

    command = ("train", "aligned.jsonl", "--lora", "8", "--lr", "1e-3", "--groups-per-step", "1", "--out")
    whole = stage(tmp_path, *command, "whole")
    first, second = records(whole)
    assert first["updates"] + second["updates"] >= 1
    assert first["ratio_deviation"] < 1e-3  # what was sampled is what is trained
    with start(*command, "cut", cwd=tmp_path) as cut:
        cut.stdin.close()
        assert cut.stdout.readline()
        cut.kill()
    assert stage(tmp_path, *command, "cut", "--resume") == whole
    for name in ("adapter_model.safetensors", "optimizer.safetensors"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()

    exported = records(stage(tmp_path, "export", "--to", "trl", "aligned.jsonl"))
    assert [len(row["ids"]) for row in exported] == [4, 4]

    again = stage(tmp_path, "rollout", "-m", "whole", "-g", "1", "--max-new-tokens", "8", stdin=asked)
    assert all(len(record["rollout"]["tokens"]) == 8 for record in records(again))
    assert [one["rollout"]["logprobs"][0] for one in records(again)] != [
        one["rollout"]["logprobs"][0] for one in records(rolled)[::4]
    ]


@pytest.mark.slow
def test_answers_of_a_server_are_judged_and_learned_as_they_are(model, tmp_path):
    asked = stage(tmp_path, "synth", "-", stdin=list(tasks())[:1])
    with smollm2.served(model, tmp_path / "log") as url:
        words = ("rollout", "-m", model, "--base-url", url, "-g", "2", "--max-new-tokens", "64")
        rolled = stage(tmp_path, *words, stdin=asked)
    judged = stage(tmp_path, "judge", stdin=rolled)
    aligned = records(stage(tmp_path, "align", "--tokenizer", model, stdin=judged))
    assert all(record["rollout"]["text"] and record["align"]["advantages"] for record in aligned)

    command = ("train", "--objective", "sft", "-m", model, "--lora", "8", "--epochs", "2", "--lr", "1e-3")
    before, after = records(stage(tmp_path, *command, "--out", "warm", stdin=judged))
    assert after["loss"] < before["loss"]
