"""`rcca report`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Title = Annotated[str, typer.Option("--title", help="What the page is called.")]


def command(
    files: shared.Files = None, output: shared.Output = "-", title: Title = "Rollouts and their credit"
) -> None:
    """Make one offline HTML page of rollouts: the source coloured by credit, each requirement with its lines.

    Takes records of any stage from `rollout` on, and shows what is known so far.

    \b
    Examples:
      rcca report aligned.jsonl -o report.html
    """
    from rcca_cli import jsonl
    from rcca_cli.report import stage

    stage.write(jsonl.read(files or ()), output, title)
