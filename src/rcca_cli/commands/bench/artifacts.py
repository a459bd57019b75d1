"""`rcca bench artifacts`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Files = Annotated[
    list[str] | None, typer.Argument(metavar="[FILE]...", help="Rows with answers: JSONL or a JSON array; - is stdin.")
]
Tasks = Annotated[
    str | None, typer.Option("--tasks", metavar="FILE", help="The data set, joined to the rows by index.")
]
Compat = Annotated[str, typer.Option("--compat", metavar="MODE", help="fixed, or official: as the released harness.")]
Columns = Annotated[str, typer.Option("--columns", metavar="NAME", help="gemini or qvl: whose output fields.")]
Model = Annotated[str | None, typer.Option("-m", "--model", help="The judge model; it has to see pictures.")]
Urls = Annotated[
    list[str] | None, typer.Option("--base-url", metavar="URL", help="Its OpenAI-compatible server; repeatable.")
]
Tokenizer = Annotated[
    str | None, typer.Option("--tokenizer", metavar="NAME", help="The judge's, to count tokens exactly.")
]
Context = Annotated[int, typer.Option("--context", min=8192, help="Tokens of a request with its pictures and reply.")]
Reply = Annotated[int, typer.Option("--max-tokens", min=256, help="Of these, the reply's.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="Times each answer is marked; the median counts.")]
Probes = Annotated[bool, typer.Option("--probes/--no-probes", help="Use the page as a visitor would.")]
Sample = Annotated[int, typer.Option("--sample", metavar="N", min=0, help="N items of all classes and difficulties.")]
Step = Annotated[float, typer.Option("--step-seconds", min=1, help="Of official: a page's time for each step.")]
Network = Annotated[bool, typer.Option("--network", help="Of official: pages may use the network, as released.")]
Work = Annotated[
    str | None, typer.Option("--work", metavar="DIR", help="Journal, pictures and replies; else beside -o FILE.")
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Pages seen at once.")]
Connections = Annotated[int, typer.Option("--connections", min=1, help="Requests to the judge at once.")]
PriceIn = Annotated[float | None, typer.Option("--price-in", min=0, help="Of a million tokens read.")]
PriceOut = Annotated[float | None, typer.Option("--price-out", min=0, help="Of a million tokens written.")]
MaxCost = Annotated[float | None, typer.Option("--max-cost", min=0, help="What all calls on this journal may cost.")]
Prompts = Annotated[bool, typer.Option("--prompts", help="Only write the data set's tasks, for `rcca rollout`.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what it would cost.")]


def command(
    files: Files = None,
    prompts: Prompts = False,
    tasks: Tasks = None,
    compat: Compat = "fixed",
    columns: Columns = "gemini",
    model: Model = None,
    base_url: Urls = None,
    tokenizer: Tokenizer = None,
    context: Context = 32_768,
    max_tokens: Reply = 4096,
    repeats: Repeats = 1,
    probes: Probes = True,
    sample: Sample = 0,
    step_seconds: Step = 600.0,
    network: Network = False,
    require_isolation: shared.Isolation = None,
    cdn: shared.Cdn = None,
    seed: shared.Seed = 0,
    jobs: Jobs = 2,
    connections: Connections = 4,
    attempts: shared.Attempts = 5,
    timeout: shared.Timeout = 600.0,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    max_cost: MaxCost = None,
    dry_run: DryRun = False,
    work: Work = None,
    report: shared.Report = "",
    output: shared.Output = "-",
) -> None:
    """Score answers to ArtifactsBench's tasks.

    Writes each row with the official fields (gemini_ans, gemini_reason) and ours, the figures on standard
    error. What is done is noted in a journal: the same call again goes on where it was stopped, and pays
    for nothing twice. Without a model the marks come from measurements alone.

    \b
    Examples:
      rcca bench artifacts artifacts.jsonl --report artifacts.md
      rcca bench artifacts artifacts.jsonl --prompts -o prompts.jsonl
      rcca rollout prompts.jsonl | rcca bench artifacts --tasks artifacts.jsonl
      rcca bench artifacts a.json -m qwen3 --base-url http://gpu/v1 -o b.jsonl
      rcca bench artifacts a.json --compat official -m x --base-url http://gpu/v1
    """
    from rcca_cli.bench.artifacts import stage
    from rcca_cli.bench.artifacts.ledger import Prices
    from rcca_cli.bench.artifacts.referee import Limits
    from rcca_cli.browser import Mirror

    if prompts:
        stage.write_tasks(files or (), output)
        return
    options = stage.Options(
        files=tuple(files or ()),
        tasks=tasks,
        compat=compat,
        columns=columns,
        model=model,
        base_urls=tuple(base_url or ()),
        tokenizer=tokenizer,
        limits=Limits(context, max_tokens, repeats),
        probing=probes,
        sample=sample,
        seed=seed,
        step_seconds=step_seconds,
        network=network,
        cdn=Mirror.at(cdn),
        isolation=require_isolation,
        work=work,
        jobs=jobs,
        connections=connections,
        attempts=attempts,
        seconds=timeout,
        prices=Prices(price_in, price_out, max_cost),
        dry_run=dry_run,
    )
    stage.write(options, output, report)
