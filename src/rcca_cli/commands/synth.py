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
Compile = Annotated[bool, typer.Option("--compile", help="Give items of FILE that have no check one, if it is proved.")]
Apps = Annotated[str | None, typer.Option("--apps", metavar="FILE", help="With --compile: finished apps to prove by.")]
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
    compile_: Compile = False,
    apps: Apps = None,
    model: shared.JudgeModel = None,
    base_url: shared.Url = None,
    tools: shared.Tools = True,
    cache: shared.Cache = None,
    attempts: shared.Attempts = 5,
    timeout: shared.Timeout = 120.0,
) -> None:
    """Make tasks whose requirements can be checked.

    With FILE, give the tasks in it their ids instead, and parse their checks.

    \b
    Examples:
      rcca synth -n 4 --seed 1
      rcca synth -n 2 --families counter,todo --solutions all
      rcca synth --verify -n 1 --families tip > /dev/null
      rcca synth --compile tasks.jsonl --model qwen3 --base-url http://gpu:8000/v1
    """
    from rcca_cli.synth import stage

    names = tuple(name for name in families.split(",") if name)
    options = stage.Options(seed, count, names, solutions.value)
    if compile_:
        from rcca_cli.errors import RccaError
        from rcca_cli.judge.model import Asking
        from rcca_cli.verify import compiling

        if not model:
            raise RccaError("--compile: which model is to write the checks? (--model NAME)")
        asking = Asking(model, tools=tools, base_url=base_url, cache=cache, attempts=attempts, seconds=timeout)
        compiling.command(compiling.Options(asking, apps, seed, jobs), files or (), output, resume)
    elif verify:
        from rcca_cli.verify import composer

        composer.command(options, jobs, output)
    else:
        stage.write(options, files or (), output, resume)
