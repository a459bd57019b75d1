"""Every command is documented, has examples, and the examples run."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rcca_cli import cli

ROOT = Path(__file__).parent.parent


HELP = {" ".join(words): text for words, text in cli.paths()}


def examples(text):
    return re.findall(r"^ +(rcca .*)$", text.partition("Examples:")[2], re.MULTILINE)


@pytest.mark.parametrize("name", HELP)
def test_every_command_has_a_page_and_examples(name):
    assert f"rcca {name}" in (ROOT / "docs" / "commands.md").read_text()
    assert examples(HELP[name])


@pytest.mark.parametrize("name", ["", *HELP])
def test_help_fits_a_terminal_of_80_columns_uncut(name):
    words = [*name.split(), "--help"]
    shown = CliRunner().invoke(cli.build(), words, prog_name="rcca", env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})
    assert max(map(len, shown.output.splitlines())) <= 80
    assert name or all(line.endswith(".") for line in shown.output.partition("Commands:\n")[2].splitlines())
    assert "..." not in shown.output.partition("Commands:\n")[2]


def test_generated_parts_of_the_docs_are_up_to_date():
    pages = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]
    ended = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", *pages], cwd=ROOT, capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stdout.decode() + ended.stderr.decode()


def test_links_between_pages_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.mark.slow
@pytest.mark.parametrize("name", HELP)
def test_the_examples_run(rcca, tmp_path, name):
    script = [
        "set -euo pipefail",
        "rcca synth -n 2 > tasks.jsonl",
        "rcca rollout -g 2 tasks.jsonl > rollouts.jsonl",
        "rcca judge rollouts.jsonl > judged.jsonl",
        "rcca align judged.jsonl > aligned.jsonl",
        "cp rollouts.jsonl answers.jsonl",
        "mkdir libraries",
    ]
    says = {"requirement": "It shows 0", "passed": False, "reason": "It shows `<p>1</p>`."}
    theirs = {"prompt": "A counter.", "completion": "```html\n<!DOCTYPE html>\n<p>1</p>\n```", "verdicts": [says]}
    criteria = [{"id": n, "title": "Is it there?", "description": "It is.", "maxScore": 10} for n in range(10)]
    row = {"index": 1, "question": "Show 1.", "checklist": criteria, "class": "Other", "difficulty": "easy"}
    (tmp_path / "artifacts.jsonl").write_text(json.dumps(row | {"answer": theirs["completion"]}) + "\n")
    (tmp_path / "verdicts.jsonl").write_text(json.dumps(theirs) + "\n")
    if name != "train":  # which refuses to replace one
        script.append("rcca -q train aligned.jsonl --out ckpt > metrics.jsonl")
    # A server of the reader's own cannot be run here.
    script += [line for line in examples(HELP[name]) if "http" not in line]
    ended = subprocess.run(["bash", "-c", "\n".join(script)], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def blocks(page, language):
    """The fenced blocks of a page of the docs, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)


def follow(page, folder):
    """Do what a page says: first its Python, then its commands."""
    for code in blocks(page, "python"):
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    script = ["set -euo pipefail", f'rcca() {{ "{sys.executable}" -m rcca_cli "$@"; }}', *blocks(page, "sh")]
    ended = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def records_in(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
def test_the_page_on_your_own_tasks_does_what_it_says(tmp_path):
    follow("own.md", tmp_path)
    aligned = records_in(tmp_path / "aligned.jsonl")
    assert [record["judge"]["verdicts"][0]["passed"] for record in aligned] == [False, True]
    assert aligned[0]["align"]["spans"]


@pytest.mark.slow
def test_the_page_on_other_evaluators_does_what_it_says(tmp_path):
    follow("foreign.md", tmp_path)
    bad, good = records_in(tmp_path / "aligned.jsonl")
    for record, code in ((bad, "1"), (good, "0")):
        assert [verdict["passed"] for verdict in record["judge"]["verdicts"]] == [True, record is good]
        span = record["align"]["spans"][0]
        assert record["rollout"]["text"][span["start"] : span["end"]] == code
    for record in records_in(tmp_path / "rollouts.jsonl"):
        assert [item["id"] for item in record["task"]["rubric"]] == [
            "each-press-of-add-guest-5260",
            "reset-goes-back-to-0",
        ]


@pytest.mark.slow
def test_the_page_on_other_trainers_trains_with_trl_and_samples_from_what_it_left(tmp_path):
    if importlib.util.find_spec("trl") is None:
        pytest.skip("the extra `trl` is not installed: the walk to TRL is NOT tested")
    rcca = f'rcca() {{ "{sys.executable}" -m rcca_cli "$@"; }}'
    (tmp_path / "walk.py").write_text("".join(blocks("export.md", "python")))
    script = ["set -euo pipefail", rcca, *blocks("export.md", "sh"), f'"{sys.executable}" walk.py']
    script.append("rcca synth -n 1 --seed 5 | rcca rollout --model by-trl -g 2 > next.jsonl")
    ended = subprocess.run(["bash", "-c", "\n".join(script)], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    groups = records_in(tmp_path / "groups.jsonl")
    assert [len(group["ids"]) for group in groups] == [4] * 4
    assert len(records_in(tmp_path / "next.jsonl")) == 2


@pytest.mark.slow
def test_the_page_on_many_machines_does_what_it_says(tmp_path):
    if importlib.util.find_spec("ray") is None:
        pytest.skip("the extra `scale` is not installed: Ray is NOT tested")
    script = ["set -euo pipefail", f'rcca() {{ "{sys.executable}" -m rcca_cli "$@"; }}', *blocks("scale.md", "sh")]
    (tmp_path / "program.py").write_text("".join(blocks("scale.md", "python")))
    script.append(f'timeout 900 "{sys.executable}" program.py')  # stages that wait for each other's cores never end
    ended = subprocess.run(["bash", "-c", "\n".join(script)], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert len(records_in(tmp_path / "judged.jsonl")) == len(records_in(tmp_path / "aligned.jsonl")) == 8


@pytest.mark.slow
def test_the_page_on_python_does_what_it_says(tmp_path):
    code = "\n".join(blocks("api.md", "python"))
    ended = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert len(ended.stdout.splitlines()) > 2
