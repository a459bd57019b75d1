"""`rcca doctor`."""

from typing import Annotated

import typer


def command(as_json: Annotated[bool, typer.Option("--json", help="The findings as JSON.")] = False) -> None:
    """Say what this machine can do, and how to mend what it cannot; ends with 1 if something needed is missing.

    \b
    Examples:
      rcca doctor
      rcca doctor --json
    """
    from rcca_cli.doctor import machine, report

    findings = machine.run()
    typer.echo(report.as_json(findings) if as_json else report.as_text(findings))
    report.refuse_missing(findings)
