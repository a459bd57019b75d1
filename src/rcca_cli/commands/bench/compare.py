"""`rcca bench compare`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Outputs of `bench miniapp` or `artifacts`.")]
Force = Annotated[bool, typer.Option("--force", help="Also where judges, browsers or tasks are not the same.")]
Pictures = Annotated[bool, typer.Option("--pictures", help="In .html: each app as it looks, beside what it came to.")]


def command(
    runs: Runs,
    force: Force = False,
    report: shared.Report = "",
    pictures: Pictures = False,
    output: shared.Output = "-",
) -> None:
    """Rank runs, and say how sure their differences are.

    Writes one record for each two runs and metric: the difference paired by task, its interval, a test, rank
    correlations; a leaderboard on standard error, by the tasks that all have: a task without an answer is no
    pass. Runs that were judged by different judges or browsers, or whose tasks of one name are not the same,
    are refused, unless --force says that they are compared all the same.

    \b
    Examples:
      rcca bench miniapp --answers embedded:references:water,hours -o good.jsonl
      rcca bench miniapp --answers embedded:clones:water,hours -o dead.jsonl
      rcca bench compare good.jsonl dead.jsonl --report board.html --pictures
    """
    from rcca_cli.bench.compare import stage

    stage.write(runs, force, output, report, pictures)
