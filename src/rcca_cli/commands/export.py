"""`rcca export`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

To = Annotated[
    str, typer.Option("--to", metavar="TRAINER", help="trl, verl, prime-rl, verifiers or tinker (docs/export.md).")
]
Credit = Annotated[str, typer.Option(help="advantages, or weights times the sequence's advantage.")]
Step = Annotated[
    int, typer.Option("--groups-per-step", min=1, help="For tinker: groups of one step, over whose tokens it averages.")
]


def command(
    to: To,
    files: shared.Files = None,
    output: shared.Output = "-",
    credit: Credit = "advantages",
    groups_per_step: Step = 4,
) -> None:
    """Write records with credit in another trainer's format.

    Rollouts that could not be scored are left out and counted.

    \b
    Examples:
      rcca export --to trl aligned.jsonl -o groups.jsonl
      rcca export --to verl aligned.jsonl -o rollouts.parquet
      rcca align --mode paper judged.jsonl | rcca export --to tinker > steps.jsonl
    """
    from rcca_cli import jsonl
    from rcca_cli.export import stage

    stage.write(jsonl.read(files or ()), output, stage.Options(to, credit, groups_per_step))
