"""`rcca doctor`."""

from typing import Annotated

import typer

Cdn = Annotated[
    str | None,
    typer.Option("--cdn", metavar="FILE", help="Say instead what the answers in FILE (- for stdin) load from CDNs."),
]
MirrorFolder = Annotated[
    str | None, typer.Option("--mirror", metavar="DIR", help="With --cdn: the packages that `judge --cdn DIR` has.")
]


def command(
    as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False,
    cdn: Cdn = None,
    mirror: MirrorFolder = None,
) -> None:
    """Say what this machine can do, and how to mend the rest.

    Ends with 1 if something needed is missing.

    \b
    Examples:
      rcca doctor
      rcca doctor --json
      rcca doctor --cdn rollouts.jsonl
    """
    from rcca_cli.errors import RccaError

    if cdn is not None:
        libraries(cdn, mirror, as_json)
        return
    if mirror is not None:
        raise RccaError("--mirror: compared with what? (--cdn FILE)")
    from rcca_cli.doctor import machine, report

    findings = machine.run()
    typer.echo(report.as_json(findings) if as_json else report.as_text(findings))
    report.refuse_missing(findings)


def libraries(file: str, folder: str | None, as_json: bool) -> None:
    """Print what the answers in `file` load from CDNs."""
    from rcca_cli import jsonl
    from rcca_cli.browser import Mirror
    from rcca_cli.doctor import libraries

    mirror = Mirror.at(folder)
    rows = libraries.asked(jsonl.read([file]), mirror, folder or "libraries")
    if rows or as_json:
        typer.echo(libraries.as_json(rows) if as_json else libraries.as_text(rows))
    libraries.refuse_missing(rows)
