"""`rcca bench speed`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Part = Annotated[str, typer.Argument(metavar="[PART]", help="judge, align, rollout or train.")]
Quick = Annotated[bool, typer.Option("--quick", help="One turn.")]


def command(
    part: Part = "judge",
    quick: Quick = False,
    report: shared.ReportJson = "",
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Time a part beside what people use instead.

    In turn on this machine: `judge` against today's harness on the same apps, `align` against the judge, `rollout`
    against `generate` of transformers, `train` against TRL's update. Writes one record a turn, tables on
    standard error. They take minutes, `judge` and `train` ten and more.

    \b
    Examples:
      rcca bench speed align --report align.json
    """
    from rcca_cli.bench import speed

    speed.part(part)(speed.Options(quick, seed, jobs), output, report)
