"""Every command is documented, has examples, and the examples run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rcca_cli import cli

ROOT = Path(__file__).parent.parent


def commands():
    """name -> help text (the docstring) of every command."""
    import importlib

    modules = {name: importlib.import_module(f"rcca_cli.commands.{name}") for name in cli.COMMANDS}
    return {name: module.command.__doc__ for name, module in modules.items()}


def examples(text):
    return re.findall(r"^ +(rcca .*)$", text.partition("Examples:")[2], re.MULTILINE)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_page_and_examples(name):
    assert f"rcca {name}" in (ROOT / "docs" / "commands.md").read_text()
    assert examples(commands()[name])


@pytest.mark.parametrize("name", ["", *cli.COMMANDS])
def test_help_fits_a_terminal_of_80_columns_uncut(name):
    words = [name, "--help"] if name else ["--help"]
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
@pytest.mark.parametrize("name", cli.COMMANDS)
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
    if name != "train":  # which refuses to replace one
        script.append("rcca -q train aligned.jsonl --out ckpt > metrics.jsonl")
    # A server of the reader's own cannot be run here.
    script += [line for line in examples(commands()[name]) if "http" not in line]
    ended = subprocess.run(["bash", "-c", "\n".join(script)], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


@pytest.mark.slow
def test_the_page_on_your_own_tasks_does_what_it_says(tmp_path):
    page = (ROOT / "docs" / "own.md").read_text()
    (made,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (commands_,) = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    subprocess.run([sys.executable, "-c", made], cwd=tmp_path, check=True)
    script = "set -euo pipefail\nrcca() { " + f'"{sys.executable}" -m rcca_cli "$@"; }}\n' + commands_
    ended = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    aligned = [json.loads(line) for line in (tmp_path / "aligned.jsonl").read_text().splitlines()]
    assert [record["judge"]["verdicts"][0]["passed"] for record in aligned] == [False, True]
    assert aligned[0]["align"]["spans"]
