"""`rcca judge`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Reward = Annotated[str, typer.Option("--reward", help="hierarchical, flat or all-pass (docs/reward.md).")]
Replay = Annotated[
    float, typer.Option("--replay-passes", min=0, max=1, help="Share of passed items whose evidence is collected too.")
]
Browser = Annotated[str | None, typer.Option("--browser", metavar="PATH", help="A Chromium to use instead.")]


def command(
    files: shared.Files = None,
    output: shared.Output = "-",
    resume: shared.Resume = False,
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 4,
    reward: Reward = "hierarchical",
    replay_passes: Replay = 0.25,
    browser: Browser = None,
) -> None:
    """Judge each answer in a real browser: does it parse, does it run, and which requirements hold?

    \b
    Examples:
      rcca synth -n 1 --solutions references | rcca judge
      rcca judge rollouts.jsonl -o judged.jsonl --jobs 2
    """
    from rcca_cli import filter, seeds
    from rcca_cli.judge import stage

    options = stage.Options(seed, reward, replay_passes, jobs, browser)
    plan = filter.Plan("judge", seeds.config_digest(options), files or (), output, resume)
    filter.run(plan, lambda lines: stage.run(lines, options))
