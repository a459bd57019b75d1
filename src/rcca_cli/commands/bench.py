"""`rcca bench`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Name = Annotated[str, typer.Argument(metavar="NAME", help="Which benchmark: align, miniapp, redteam, speed.")]
Part = Annotated[str, typer.Argument(metavar="[PART]", help="Of speed: judge, align, rollout, train.")]
Url = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="An OpenAI-compatible server to ask.")]
Answers = Annotated[
    str | None,
    typer.Option("--answers", metavar="FILE", help="JSONL of finished answers; - is stdin; or embedded:KIND."),
]
Samples = Annotated[int, typer.Option("-k", "--samples", min=1, help="Answers a task.")]
Report = Annotated[str, typer.Option("--report", metavar="FILE", help="Also write .json, .md, .csv or .html.")]
Soak = Annotated[int, typer.Option(metavar="N", min=0, help="Of redteam: N hostile and honest pages, mixed.")]
Apps = Annotated[str | None, typer.Option("--apps", metavar="DIR", help="Of align: break these apps, with checks.")]
Repairs = Annotated[
    str | None, typer.Option("--repairs", metavar="FILE", help="Of align: failing answers with what mends them, JSONL.")
]
Fit = Annotated[bool, typer.Option("--fit", help="Of align: fit the weights on the other half of the families.")]
Cache = Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Of align: judge no mutant twice.")]
Quick = Annotated[bool, typer.Option("--quick", help="Of align: a sixth of the apps; of speed: one turn.")]
Tasks = Annotated[bool, typer.Option("--tasks", help="Only write the tasks, to be answered elsewhere.")]


def command(
    context: typer.Context,
    name: Name,
    part: Part = "",
    model: shared.Model = "embedded",
    base_url: Url = None,
    answers: Answers = None,
    samples: Samples = 1,
    tasks: Tasks = False,
    report: Report = "",
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="At most; less where the context is smaller.")] = 8192,
    seed: shared.Seed = 0,
    soak: Soak = 0,
    apps: Apps = None,
    repairs: Repairs = None,
    fit: Fit = False,
    cache: Cache = None,
    quick: Quick = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    require_isolation: shared.Isolation = None,
    cdn: shared.Cdn = None,
    jobs: shared.Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Answer a benchmark's tasks, judge the apps, and count.

    Writes one judged record an app, and a table (overall, by class, by level) on standard error. With
    neither a model, a server nor a file of answers it samples the embedded policy, which was made for
    the small apps of `synth` and passes none of the tasks of miniapp. `--answers embedded:references`
    (second, bugs, stubs, clones; of some tasks only: embedded:bugs:water,kanban) proves those tasks: it is known
    what the judge must find, and code 1 says that it found something else. `redteam` has its own answers, hostile
    pages, and asks of the judge that each comes to what it deserves; a model that is named there is a judge,
    to whom pages speak. `align` breaks apps that pass and asks how often the credit lands on what was broken.
    `speed judge` times it against today's harness on the same apps, `speed align` that stage against the
    judge, `speed rollout` our sampler against `generate` of transformers, `speed train` the update against TRL's.
    They take minutes, the first three ten and more.

    \b
    Examples:
      rcca bench miniapp --report report.md
      rcca bench miniapp --tasks -o bench.jsonl
      rcca bench miniapp --answers embedded:all:water -o water.jsonl
      rcca bench redteam --soak 20
      rcca bench align --quick --cache judged --report align.json
      rcca rollout bench.jsonl | rcca bench miniapp --answers - --report r.html
    """
    from rcca_cli.bench import benchmark, stage
    from rcca_cli.browser import Mirror

    chosen = benchmark.find(name, part)
    chosen.check([one for one in context.params if _is_given(context, one)])

    options = stage.Options(
        name=name,
        model=model,
        base_url=base_url,
        answers=answers,
        samples=samples,
        seed=seed,
        temperature=temperature,
        max_new_tokens=max_new_tokens,
        device=device,
        isolation=require_isolation,
        cdn=Mirror.at(cdn),
        jobs=jobs,
        soak=soak,
        apps=apps,
        repairs=repairs,
        fit=fit,
        cache=cache,
        quick=quick,
    )
    if tasks and chosen.write_tasks:
        chosen.write_tasks(output)
    else:
        chosen.write(options, output, report)


def _is_given(context: typer.Context, parameter: str) -> bool:
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"
