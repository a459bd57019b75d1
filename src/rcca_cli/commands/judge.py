"""`rcca judge`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Reward = Annotated[str, typer.Option("--reward", help="hierarchical, flat or all-pass (docs/reward.md).")]
Replay = Annotated[
    float,
    typer.Option(
        "--replay-passes", min=0, max=1, help="Share of passed items played once more, for evidence that `align` uses."
    ),
]
Evidence = Annotated[
    bool,
    typer.Option("--evidence/--no-evidence", help="Without: verdicts alone, in a third of the time; not for `align`."),
]
Browser = Annotated[str | None, typer.Option("--browser", metavar="PATH", help="A Chromium to use instead.")]
Repeat = Annotated[
    int,
    typer.Option("--repeat", min=1, metavar="N", help="Judge each page N times; what differs is flaky, and not known."),
]
Rejudge = Annotated[
    bool, typer.Option("--rejudge", help="Of records already judged, only what is not known or out of date.")
]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="ITEM", help="Of records already judged, only this item; repeatable."),
]
Tasks = Annotated[
    str | None, typer.Option("--tasks", metavar="FILE", help="Judge by the rubrics of these tasks, mended since.")
]
ScoreOnly = Annotated[
    bool, typer.Option("--score-only", help="Of records already judged, only the reward; no browser is started.")
]
Stamp = Annotated[bool, typer.Option("--stamp", help="Write into each record how long judging took.")]


def command(
    files: shared.Files = None,
    output: shared.Output = "-",
    resume: shared.Resume = False,
    shard: shared.Shard = None,
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 4,
    reward: Reward = "hierarchical",
    replay_passes: Replay = 0.25,
    evidence: Evidence = True,
    browser: Browser = None,
    require_isolation: shared.Isolation = None,
    cdn: shared.Cdn = None,
    repeat: Repeat = 1,
    rejudge: Rejudge = False,
    only: Only = None,
    tasks: Tasks = None,
    score_only: ScoreOnly = False,
    stamp: Stamp = False,
    model: shared.JudgeModel = None,
    base_url: shared.Url = None,
    votes: shared.Votes = 1,
    turns: shared.Turns = 24,
    tools: shared.Tools = True,
    vision: shared.Vision = False,
    cache: shared.Cache = None,
    attempts: shared.Attempts = 5,
    timeout: shared.Timeout = 120.0,
) -> None:
    """Judge each answer in a real browser.

    Does it parse, does it run, and which requirements hold?

    \b
    Examples:
      rcca synth -n 1 --solutions references | rcca judge
      rcca judge rollouts.jsonl -o judged.jsonl --jobs 2
      rcca judge rollouts.jsonl --cdn libraries -o judged.jsonl
      rcca judge judged.jsonl --rejudge --tasks tasks.jsonl
      rcca judge judged.jsonl --score-only --reward flat
      rcca judge rollouts.jsonl --model qwen3 --base-url http://gpu:8000/v1
    """
    from rcca_cli import filter, seeds
    from rcca_cli.browser import Mirror
    from rcca_cli.judge import renewal, stage
    from rcca_cli.judge.model import asking
    from rcca_cli.resume import Unit
    from rcca_cli.shard import Shard

    options = stage.Options(
        seed=seed,
        reward=reward,
        replay_passes=replay_passes,
        evidence=evidence,
        jobs=jobs,
        browser=browser,
        isolation=require_isolation,
        repeat=repeat,
        only=tuple(only or ()),
        rejudge=rejudge,
        score_only=score_only,
        stamp=stamp,
        asking=asking(
            model,
            base_url,
            votes=votes,
            turns=turns,
            tools=tools,
            vision=vision,
            cache=cache,
            attempts=attempts,
            seconds=timeout,
        ),
        cdn=Mirror.at(cdn),
    )
    unit = Unit(kept=("rollout",) if tasks is not None else ("task", "rollout"))
    plan = filter.Plan("judge", seeds.config_digest(options), files or (), output, resume, unit, Shard.of(shard))
    rubrics = renewal.read(tasks) if tasks is not None else None
    filter.run(plan, lambda lines: stage.run(lines if rubrics is None else renewal.renewed(lines, rubrics), options))
