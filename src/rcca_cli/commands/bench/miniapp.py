"""`rcca bench miniapp`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Url = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="An OpenAI-compatible server to ask.")]
Answers = Annotated[
    str | None,
    typer.Option("--answers", metavar="FILE", help="JSONL of finished answers; - is stdin; or embedded:KIND."),
]
Samples = Annotated[int, typer.Option("-k", "--samples", min=1, help="Answers a task.")]
Report = Annotated[str, typer.Option("--report", metavar="FILE", help="Also write .json, .md, .csv or .html.")]
Tasks = Annotated[bool, typer.Option("--tasks", help="Only write the tasks, to be answered elsewhere.")]


def command(
    model: shared.Model = "embedded",
    base_url: Url = None,
    answers: Answers = None,
    samples: Samples = 1,
    tasks: Tasks = False,
    report: Report = "",
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="At most; less where the context is smaller.")] = 8192,
    seed: shared.Seed = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    require_isolation: shared.Isolation = None,
    cdn: shared.Cdn = None,
    jobs: shared.Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Answer the tasks of the suite, judge the apps, and count.

    Writes one judged record an app, and a table (overall, by class, by level) on standard error. With
    neither a model, a server nor a file of answers it samples the embedded policy, which was made for
    the small apps of `synth` and passes none of the tasks. `--answers embedded:references`
    (second, bugs, stubs, clones, all; of some tasks only: embedded:bugs:water,kanban) proves the tasks: it is known
    what the judge must find, and code 1 says that it found something else.

    \b
    Examples:
      rcca bench miniapp --report report.md
      rcca bench miniapp --tasks -o bench.jsonl
      rcca bench miniapp --answers embedded:all:water -o water.jsonl
      rcca rollout bench.jsonl | rcca bench miniapp --answers - --report r.html
    """
    from rcca_cli.bench import stage
    from rcca_cli.bench.miniapp import BENCHMARK
    from rcca_cli.browser import Mirror

    if tasks:
        stage.write_tasks(BENCHMARK, output)
        return
    options = stage.Options(
        name="miniapp",
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
    )
    stage.write(BENCHMARK, options, output, report)
