"""`rcca run`."""

from typing import Annotated

import typer

from rcca_cli.commands.options import Jobs, Model, Output, ReportTo, Seed


def command(
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Checkpoint, records of every step, evaluations.")],
    output: Output = "-",
    steps: Annotated[int, typer.Option("--steps", min=1, help="Updates to make.")] = 40,
    minutes: Annotated[float, typer.Option(min=0, help="Stop after the step in which this is up; 0: never.")] = 0,
    groups: Annotated[int, typer.Option(min=1, help="Tasks a step.")] = 4,
    group_size: Annotated[int, typer.Option("-g", "--group-size", min=2, help="Answers a task.")] = 8,
    mode: Annotated[str, typer.Option(help="Credit: rubric, uniform or paper.")] = "rubric",
    sequence_share: Annotated[
        float, typer.Option(min=0, max=1, help="Mode rubric: share of the whole answer's advantage in each token's.")
    ] = 0.3,
    model: Model = "embedded",
    families: Annotated[str, typer.Option(help="Kinds of task, comma between; all if empty.")] = "",
    learning_rate: Annotated[float | None, typer.Option("--lr", min=0, help="Learning rate; else by size.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Times each step's answers are used.")] = 2,
    minibatches: Annotated[int, typer.Option(min=1, help="Updates an epoch.")] = 1,
    kl: Annotated[float, typer.Option(min=0, help="Coefficient of the KL to where the run began.")] = 0.0,
    credit_warmup: Annotated[int, typer.Option(min=0, help="Steps from the sequence's advantage to the tokens'.")] = 0,
    eval_tasks: Annotated[int, typer.Option(min=0, help="Held-out tasks, before and after; 0: none.")] = 24,
    eval_samples: Annotated[int, typer.Option(min=1, help="Answers to each of them.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the run that is in DIR.")] = False,
    report_to: ReportTo = None,
    jobs: Jobs = 2,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    seed: Seed = 0,
) -> None:
    """Train a policy on tasks of its own making.

    Each step samples, judges, aligns and updates, and writes one metrics record.

    \b
    Examples:
      rcca run --out first --steps 1 --groups 1 -g 2 --eval-tasks 2
      rcca run --out first --steps 2 --groups 1 -g 2 --eval-tasks 2 --resume
      rcca run --out plain --steps 1 --groups 1 -g 2 --mode uniform --eval-tasks 0
    """
    given = {name: value for name, value in locals().items() if name not in ("output", "report_to")}
    from rcca_cli import filter, seeds
    from rcca_cli.train import trackers

    trackers.check(report_to or ())
    from rcca_cli.run import loop
    from rcca_cli.run.options import Options

    options = Options(**given | {"families": tuple(name for name in families.split(",") if name)})
    plan = filter.Plan(
        "run", seeds.config_digest(options), output=output, expected=lambda: None if options.minutes else options.steps
    )
    place = trackers.Place.beside(f"{out}/reports", out, options)
    filter.write_all(plan, trackers.told(loop.run(options), report_to or (), place))
