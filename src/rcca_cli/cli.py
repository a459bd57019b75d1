"""`rcca`: the commands' names, and the exit code for each kind of end."""

import contextlib
import functools
import gc
import importlib
import math
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from rcca_cli import __version__, console, stopping
from rcca_cli.errors import RccaError, Stopped

# Each is `commands/<name>.py` with a function `command`, whose docstring is the help text; a group is a folder of them.
COMMANDS = (
    *("synth", "rollout", "judge", "align", "train", "export"),
    *("run", "bench", "schema", "validate", "doctor", "report"),
)
STOPPED = 128  # exit codes above are those of a signal


def build() -> typer.Typer:
    """The command line. Only typer and the floor are imported; a stage is imported when it runs."""
    app = typer.Typer(name="rcca", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(common)
    for name in COMMANDS:
        if not parts(name):
            app.command(name)(finite(module(name).command))
            continue
        group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=module(name).HELP)
        for part in parts(name):
            group.command(part)(finite(module(name, part).command))
        app.add_typer(group, name=name)
    return app


def finite(command: Callable[..., None]) -> Callable[..., None]:
    """The command, which is given no infinite number: no clock waits so long. RccaError names the option."""

    @functools.wraps(command)
    def called(*words: Any, **options: Any) -> None:
        for name, value in options.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise RccaError(f"--{name.replace('_', '-')} {value}: expected a number that can be reckoned with")
        command(*words, **options)

    return called


def module(*words: str) -> Any:
    """The file of a command, or the folder of a group."""
    return importlib.import_module(".".join(["rcca_cli.commands", *words]))


def parts(name: str) -> tuple[str, ...]:
    """The commands of a group; none of what is a command itself."""
    return getattr(module(name), "COMMANDS", ())


def paths() -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of every command and group, and its help text."""
    for name in COMMANDS:
        yield (name,), module(name).HELP if parts(name) else module(name).command.__doc__ or ""
        for part in parts(name):
            yield (name, part), module(name, part).command.__doc__ or ""


def version(value: bool) -> None:
    """Print the version and stop."""
    if value:
        print(f"rcca {__version__}")  # noqa: T201 - the answer to --version
        raise typer.Exit


def common(
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="No notes, no progress, only errors; also behind a command.")
    ] = False,
    _version: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Rubric-to-Code Credit Assignment: from a failed requirement to credit on the tokens that wrote it.

    Stages are filters: each reads JSONL, adds one key, writes JSONL.

    \b
    Examples:
      rcca synth -n 2 | rcca rollout -g 2 | rcca judge | rcca align > out.jsonl
      rcca bench miniapp --report report.md
    """
    console.set_quiet(quiet)


def main() -> None:
    """Run `rcca` with the words of the command line, and leave with its exit code."""
    code = run(sys.argv[1:])
    if code > STOPPED:
        leave(code)
    sys.exit(code)


def run(arguments: list[str], app: typer.Typer | None = None) -> int:
    """The exit code of `rcca ARGUMENTS`, after running it: docs/exit-codes.md."""
    stopping.listen()
    code = ended(arguments, app or build())
    asked = stopping.settled()
    return code or asked


def ended(arguments: list[str], app: typer.Typer) -> int:
    """The exit code, after saying what went wrong."""
    stage = " ".join(["rcca", *named(arguments)])
    console.set_name(stage)
    try:
        app(quiet_first(arguments), standalone_mode=True)
    except (RccaError, Stopped) as error:
        stopping.settled()  # before the error goes, and with it the generators that were waiting to go on
        if str(error):
            console.error(f"{stage}: {error}")
        return error.exit_code
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0
    except Exception:  # noqa: BLE001 - the last resort: what is left is a bug
        traceback.print_exc()
        console.error(f"{stage}: this is a bug in rcca, please report it")
        return 70
    return 0


def named(arguments: list[str]) -> list[str]:
    """The words of the command that is called; [] if there is none.

    >>> named(["-q", "bench", "speed", "judge"]), named(["judge", "--help"]), named(["bench", "nothing"])
    (['bench', 'speed'], ['judge'], ['bench'])
    """
    at = next((place for place, word in enumerate(arguments) if word in COMMANDS), None)
    if at is None:
        return []
    return arguments[at : at + 1] + [word for word in arguments[at + 1 : at + 2] if word in parts(arguments[at])]


def quiet_first(arguments: list[str]) -> list[str]:
    """The words with -q before the command, where it belongs to, wherever it was said.

    >>> quiet_first(["judge", "-q", "in.jsonl", "--", "-q"])
    ['-q', 'judge', 'in.jsonl', '--', '-q']
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = [word for word in arguments[:end] if word not in ("-q", "--quiet")]
    return ["-q"] * (len(words) < end) + words + arguments[end:]


def leave(code: int) -> None:
    """End at once, when all that was open is closed: a library's thread in the middle of its work would not let us."""
    gc.collect()  # generators that were waiting to go on
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
