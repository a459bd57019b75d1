"""`rcca bench align`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Apps = Annotated[str | None, typer.Option("--apps", metavar="DIR", help="Break these apps, with checks.")]
Repairs = Annotated[
    str | None, typer.Option("--repairs", metavar="FILE", help="Failing answers with what mends them, JSONL.")
]
Fit = Annotated[bool, typer.Option("--fit", help="Fit the weights on the other half of the families.")]
Cache = Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Judge no mutant twice.")]
Quick = Annotated[bool, typer.Option("--quick", help="A sixth of the apps.")]


def command(
    apps: Apps = None,
    repairs: Repairs = None,
    fit: Fit = False,
    cache: Cache = None,
    quick: Quick = False,
    report: shared.ReportJson = "",
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Break apps, and see whether the credit lands there.

    Takes apps that pass their checks, breaks them in known places, judges them and aligns the verdicts. Writes one
    record a fault and failed requirement, tables on standard error. Takes ten minutes and more; a
    second run with the same --cache takes two.

    \b
    Examples:
      rcca bench align --quick --cache judged --report align.json
    """
    from rcca_cli.bench.align import stage

    stage.write(stage.Options(apps, repairs, fit, cache, quick, seed, jobs), output, report)
