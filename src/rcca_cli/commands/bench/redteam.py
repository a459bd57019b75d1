"""`rcca bench redteam`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Soak = Annotated[int, typer.Option(metavar="N", min=0, help="N hostile and honest pages, mixed, in one browser.")]
Judge = Annotated[str | None, typer.Option("-m", "--model", help="A judge model, to whom pages speak.")]
Url = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="The OpenAI-compatible server it is on.")]


def command(
    soak: Soak = 0,
    model: Judge = None,
    base_url: Url = None,
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Judge hostile pages, each of which deserves something.

    What must come of a hostile or deceptive page is known. Writes one judged record a page,
    the figures on standard error; code 1 says that some page did not hold.

    \b
    Examples:
      rcca bench redteam --soak 20
    """
    from rcca_cli.bench.redteam import stage

    stage.write(stage.Options(soak, model, base_url, seed, jobs), output)
