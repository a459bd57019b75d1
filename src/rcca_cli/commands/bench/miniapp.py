"""`rcca bench miniapp`."""

from enum import StrEnum
from typing import Annotated

import typer

from rcca_cli.commands import options as shared


class Judge(StrEnum):
    """Who judges."""

    checks = "checks"
    model = "model"
    both = "both"


Url = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="An OpenAI-compatible server to ask.")]
Tasks = Annotated[
    str | None, typer.Option("--tasks", metavar="FILE", help="MiniAppBench's file, or records; none: the suite.")
]
Answers = Annotated[
    str | None,
    typer.Option("--answers", metavar="FILE", help="Finished answers: JSONL, folder, batch; embedded:KIND."),
]
Write = Annotated[bool, typer.Option("--write-tasks", help="Only write the tasks, to be answered elsewhere.")]
Index = Annotated[str, typer.Option("--index", metavar="N,M-K", help="Only the tasks of these numbers.")]
Class = Annotated[list[str] | None, typer.Option("--class", metavar="CLASS", help="Only of this class; repeatable.")]
Level = Annotated[list[str] | None, typer.Option("--level", metavar="LEVEL", help="Only Easy, Mid, Hard; repeatable.")]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N of them.")]
Samples = Annotated[int, typer.Option("-k", "--samples", min=1, help="Answers a task.")]
By = Annotated[Judge | None, typer.Option("--judge", help="By checks, a model, or a model where there is no check.")]
JudgeModel = Annotated[str | None, typer.Option("--judge-model", metavar="NAME", help="The model that judges.")]
JudgeUrl = Annotated[str | None, typer.Option("--judge-url", metavar="URL", help="Its OpenAI-compatible server.")]
Cache = Annotated[
    str | None, typer.Option("--cache", metavar="DIR", help="Keep servers' replies here; pay for none twice.")
]
Threshold = Annotated[float, typer.Option("--threshold", min=0, max=1, help="The least of three scores that passes.")]
MinScore = Annotated[
    float | None, typer.Option("--min-score", metavar="PERCENT", min=0, max=100, help="End with 1 below this.")
]
Stamp = Annotated[bool, typer.Option("--stamp/--no-stamp", help="Write seconds by the clock into each record.")]


def command(
    model: shared.Model = "embedded",
    base_url: Url = None,
    answers: Answers = None,
    tasks: Tasks = None,
    write_tasks: Write = False,
    index: Index = "",
    class_: Class = None,
    level: Level = None,
    limit: Limit = None,
    samples: Samples = 1,
    judge: By = None,
    judge_model: JudgeModel = None,
    judge_url: JudgeUrl = None,
    votes: shared.Votes = 1,
    turns: shared.Turns = 24,
    tools: shared.Tools = True,
    vision: shared.Vision = False,
    cache: Cache = None,
    attempts: shared.Attempts = 5,
    timeout: shared.Timeout = 120.0,
    threshold: Threshold = 0.8,
    min_score: MinScore = None,
    report: shared.Report = "",
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="At most; less where the context is smaller.")] = 8192,
    seed: shared.Seed = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    require_isolation: shared.Isolation = None,
    cdn: shared.Cdn = None,
    jobs: shared.Jobs = 4,
    stamp: Stamp = True,
    output: shared.Output = "-",
    resume: shared.Resume = False,
) -> None:
    """Answer MiniApp tasks, judge the apps, and count.

    Writes one judged record an app, and a table (overall, by class, by level) on standard error. With
    neither a model, a server nor a file of answers it samples the embedded policy, which was made for
    the small apps of `synth` and passes none of the tasks. `--answers embedded:references`
    (second, bugs, stubs, clones, all; of some tasks only: embedded:bugs:water,kanban) proves the suite: it is known
    what the judge must find, and code 1 says that it found something else.

    \b
    Examples:
      rcca bench miniapp --limit 4 --report report.json
      rcca bench miniapp --answers embedded:all:water -o water.jsonl
      rcca bench miniapp --write-tasks --class lifestyle -o bench.jsonl
      rcca rollout bench.jsonl > out.jsonl
      rcca bench miniapp --answers out.jsonl --report r.html
      rcca bench miniapp --tasks bench.jsonl --answers out.jsonl
      rcca bench miniapp --model qwen3 --base-url http://gpu:8000/v1
    """
    from rcca_cli.bench.miniapp import options as given
    from rcca_cli.bench.miniapp import stage
    from rcca_cli.bench.miniapp.tasks import Choice
    from rcca_cli.browser import Mirror
    from rcca_cli.judge.model import asking

    asked = asking(
        judge_model,
        judge_url,
        votes=votes,
        turns=turns,
        tools=tools,
        vision=vision,
        cache=cache,
        attempts=attempts,
        seconds=timeout,
    )
    kind = judge.value if judge else ("both" if asked else "checks")
    options = given.Options(
        model=model,
        base_url=base_url,
        answers=answers,
        tasks=tasks,
        choice=Choice.of(index, class_ or (), level or (), limit),
        samples=samples,
        seed=seed,
        temperature=temperature,
        max_new_tokens=max_new_tokens,
        judge="checks" if write_tasks else kind,
        asking=None if write_tasks else asked,
        threshold=threshold,
        device=device,
        isolation=require_isolation,
        cdn=Mirror.at(cdn),
        jobs=jobs,
        cache=cache,
        stamp=stamp,
    )
    if write_tasks:
        stage.write_tasks(options, output)
        return
    stage.write(options, output, report, min_score, resume)
