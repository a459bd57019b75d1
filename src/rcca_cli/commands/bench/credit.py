"""`rcca bench credit`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Quick = Annotated[bool, typer.Option("--quick", help="Three arms, two seeds, short runs.")]
Only = Annotated[str, typer.Option("--only", metavar="PART", help="estimator or runs; both if empty.")]
Arms = Annotated[str, typer.Option("--arms", help="Ways of giving credit, comma between; all of the tier if empty.")]
Tier = Annotated[str, typer.Option("--tier", help="S: verdicts of the generator's oracle; R: of the real judge.")]
Seeds = Annotated[int, typer.Option("--seeds", min=1, help="Runs an arm, from --seed on.")]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="Updates a run.")]
Groups = Annotated[int, typer.Option("--groups", min=1, help="Tasks a step.")]
Size = Annotated[int, typer.Option("-g", "--group-size", min=2, help="Answers a task.")]
Items = Annotated[int | None, typer.Option(min=1, max=8, help="Of long tasks, cut to this many items; else all.")]
Share = Annotated[float, typer.Option(min=0, max=1, help="Of the sequence's advantage, where items have credit.")]
Rate = Annotated[float | None, typer.Option("--lr", min=0, help="Learning rate; else by size.")]
Epochs = Annotated[int, typer.Option(min=1, help="Times each step's answers are used.")]
Kl = Annotated[float, typer.Option(min=0, help="Coefficient of the KL to the start.")]
EvalTasks = Annotated[int, typer.Option(min=1, help="Held-out tasks of an evaluation.")]
EvalEvery = Annotated[int, typer.Option(min=1, help="Steps from one to the next.")]
HeldOut = Annotated[str, typer.Option("--held-out", metavar="SET", help="Their set: tuning or confirmation.")]
Answers = Annotated[int | None, typer.Option(min=64, help="Of the estimator's reference; else 8192, quick 1024.")]
Batches = Annotated[int | None, typer.Option(min=2, help="Of each arm in the estimator; else 200, quick 20.")]
Designs = Annotated[int, typer.Option(min=1, help="How many designs were tried, for the level of intervals.")]
Agreement = Annotated[bool, typer.Option("--agreement", help="Ask the real judge too of what the oracle judged.")]
Subsets = Annotated[bool, typer.Option("--subsets", help="Figures of unseen pairs and left-out families too.")]
Stamp = Annotated[bool, typer.Option("--stamp", help="Write processor seconds into each record.")]
Out = Annotated[str, typer.Option("--out", metavar="DIR", help="A file for each run; finished ones are not redone.")]
Cache = Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Judge no answer twice.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Runs, or parts of the estimator, at once.")]
QUICK_STEPS, STEPS = 30, 80


def command(
    arms: Arms = "",
    seeds: Seeds = 2,
    steps: Steps = None,
    tier: Tier = "S",
    quick: Quick = False,
    only: Only = "",
    model: shared.Model = "embedded",
    groups: Groups = 4,
    group_size: Size = 8,
    items: Items = None,
    sequence_share: Share = 0.3,
    learning_rate: Rate = None,
    epochs: Epochs = 2,
    kl: Kl = 0.0,
    held_out: HeldOut = "tuning",
    eval_tasks: EvalTasks = 96,
    eval_every: EvalEvery = 10,
    answers: Answers = None,
    batches: Batches = None,
    designs: Designs = 1,
    out: Out = "credit",
    cache: Cache = None,
    agreement: Agreement = False,
    subsets: Subsets = False,
    stamp: Stamp = False,
    report: shared.ReportJson = "",
    seed: shared.Seed = 0,
    jobs: Jobs = 2,
    output: shared.Output = "-",
) -> None:
    """Train with credit given in several ways, and compare.

    Each arm trains the same policy on the same tasks with the same chances; only the credit differs. Writes one
    record an arm, tables with differences, intervals and tests on standard error. `estimator` asks, before any
    training, how near each arm's gradient is to that of the pass rate.

    \b
    Examples:
      rcca bench credit --only runs --arms oracle --seeds 1 --steps 1
    """
    from rcca_cli.bench.credit import estimator, stage
    from rcca_cli.bench.credit.options import Options as Run

    run = Run(
        seed=seed,
        tier=tier,
        model=model,
        steps=steps or (QUICK_STEPS if quick else STEPS),
        groups=groups,
        group_size=group_size,
        items=items,
        sequence_share=sequence_share,
        learning_rate=learning_rate,
        epochs=epochs,
        kl=kl,
        held_out=held_out,
        eval_tasks=eval_tasks,
        eval_every=eval_every,
        out=out,
        cache=cache,
        agreement=agreement,
        subsets=subsets,
        stamp=stamp,
    )
    names = tuple(name.strip() for name in arms.split(",") if name.strip())
    usual = estimator.QUICK if quick else estimator.FULL
    size = estimator.Size(answers or usual.reference, batches or usual.batches)
    stage.write(stage.Options(run, names, seeds, only, quick, size, designs, jobs), output, report)
