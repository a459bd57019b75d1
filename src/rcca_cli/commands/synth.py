"""`rcca synth`."""

from enum import StrEnum
from typing import Annotated

import typer

from rcca_cli.commands import options as shared


class Solutions(StrEnum):
    """What to write beside the task."""

    none = "none"
    references = "references"
    bugs = "bugs"
    all = "all"


Count = Annotated[int, typer.Option("-n", "--count", min=0, help="How many tasks (or, with --verify, apps).")]
Families = Annotated[str, typer.Option("--families", metavar="A,B,…", help="Only these (docs/synth.md); none: all.")]
Answers = Annotated[Solutions, typer.Option("--solutions", help="Write finished answers: right, broken, or both.")]
Verify = Annotated[bool, typer.Option("--verify", help="Judge every solution; exit 1 if any verdict is wrong.")]


def command(
    files: shared.Files = None,
    count: Count = 8,
    seed: shared.Seed = 0,
    families: Families = "",
    solutions: Answers = Solutions.none,
    verify: Verify = False,
    output: shared.Output = "-",
    resume: shared.Resume = False,
    jobs: shared.Jobs = 2,
) -> None:
    """Make tasks whose requirements can be checked; or, with FILE, give the tasks in it their ids.

    \b
    Examples:
      rcca synth -n 4 --seed 1
      rcca synth -n 2 --families counter,todo --solutions all
      rcca synth --verify -n 1 --families tip > /dev/null
    """
    from rcca_cli.synth import stage

    names = tuple(name for name in families.split(",") if name)
    options = stage.Options(seed, count, names, solutions.value)
    if verify:
        from rcca_cli.verify import composer

        composer.command(options, jobs, output)
    else:
        stage.write(options, files or (), output, resume)
