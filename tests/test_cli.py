import doctest
import os
import signal
import subprocess
import sys

import pytest
import typer

from rcca_cli import cli
from rcca_cli.errors import ItemsFailed, OutputClosed, RccaError


def ending(action):
    """An app of one command that ends as `action` says."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.command()
    def command() -> None:
        action()

    return app


def raising(error):
    def action():
        raise error

    return action


@pytest.mark.parametrize(
    ("action", "code", "message"),
    [
        (lambda: None, 0, ""),
        (raising(ItemsFailed("3 of 40 verdicts are not known")), 1, "rcca: 3 of 40 verdicts are not known\n"),
        (raising(RccaError("a.jsonl:7: missing 'align'")), 2, "rcca: a.jsonl:7: missing 'align'\n"),
        (raising(typer.BadParameter("no")), 2, None),
        (raising(OutputClosed()), 141, ""),
        (lambda: os.kill(os.getpid(), signal.SIGINT), 130, ""),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), 143, ""),
    ],
)
def test_each_kind_of_end_has_its_exit_code(action, code, message, capsys):
    assert cli.run([], app=ending(action)) == code
    assert message is None or capsys.readouterr().err == message


def test_a_bug_shows_its_traceback_and_ends_with_70(capsys):
    assert cli.run([], app=ending(raising(ZeroDivisionError("division")))) == 70
    error = capsys.readouterr().err
    assert error.startswith("Traceback")
    assert error.endswith("rcca: this is a bug in rcca, please report it\n")


def test_a_wrong_option_is_named(rcca):
    ended = rcca("schema", "--bogus")
    assert ended.code == 2
    assert "--bogus" in ended.stderr


@pytest.mark.parametrize("words", [["judge"], ["-q", "judge"], ["judge", "-q"]])
def test_every_message_names_its_command(rcca, words):
    assert rcca(*words, "nowhere").stderr == "rcca judge: nowhere: No such file or directory\n"


def test_quiet_may_be_said_behind_the_command():
    assert doctest.testmod(cli).failed == 0


def test_on_a_terminal_the_wait_for_input_is_said_by_name():
    here, there = os.openpty()
    command = [sys.executable, "-m", "rcca_cli", "validate"]
    with subprocess.Popen(command, stdin=there, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline() == b"rcca validate: reading records from standard input\n"
        os.write(here, b"\x04")
        process.communicate()
    os.close(here)
    os.close(there)


def test_the_schema_names_every_stage(rcca):
    ended = rcca("schema")
    assert ended.code == 0
    for key in (b'"task"', b'"rollout"', b'"judge"', b'"align"'):
        assert key in ended.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "--timeout", "inf"),
        ("bench", "miniapp", "--timeout", "inf"),
        ("bench", "artifacts", "--max-cost", "inf"),
    ],
)
def test_an_infinite_number_is_refused(words, capsys):
    assert cli.run([*words]) == 2
    assert capsys.readouterr().err.endswith(f": {' '.join(words[-2:])}: expected a number that can be reckoned with\n")
