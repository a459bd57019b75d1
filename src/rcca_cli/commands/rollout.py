"""`rcca rollout`."""

from enum import StrEnum
from typing import Annotated

import typer

from rcca_cli.commands import options as shared


class Kind(StrEnum):
    """Where answers come from."""

    transformers = "transformers"
    openai = "openai"
    replay = "replay"


def command(
    files: shared.Files = None,
    group_size: Annotated[int, typer.Option("-g", "--group-size", min=1, help="Answers a task.")] = 1,
    model: shared.Model = "embedded",
    backend: Annotated[Kind | None, typer.Option(help="Else openai with --base-url, replay with --answers.")] = None,
    base_url: Annotated[
        list[str] | None,
        typer.Option("--base-url", metavar="URL", help="OpenAI-compatible server; several may be given."),
    ] = None,
    tokenizer: Annotated[
        str | None, typer.Option("--tokenizer", metavar="MODEL", help="Of a served model: folder or name on the hub.")
    ] = None,
    answers: Annotated[str | None, typer.Option("--answers", metavar="FILE", help="JSONL of known answers.")] = None,
    column: shared.Column = None,
    temperature: Annotated[float, typer.Option(min=0, help="0: always the likeliest token.")] = 1.0,
    top_p: Annotated[float, typer.Option(min=0, max=1, help="1: no truncation.")] = 1.0,
    top_k: Annotated[int, typer.Option(min=0, help="0: no truncation.")] = 0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="At most; less where the context is smaller.")] = 8192,
    stop_at_document: Annotated[bool, typer.Option("--stop-at-document", help="An answer ends with its page.")] = False,
    window: Annotated[int, typer.Option(min=1, help="Tasks taken in together.")] = 16,
    batch: Annotated[int, typer.Option(min=1, help="Answers written at once.")] = 32,
    seed: shared.Seed = 0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Requests at once, to each server.")] = 8,
    timeout: shared.Timeout = 600.0,
    output: shared.Output = "-",
    resume: shared.Resume = False,
    shard: shared.Shard = None,
) -> None:
    """Sample answers to tasks, or put known answers to them.

    Each comes with its tokens, their offsets and log probabilities, as far as they are known.

    \b
    Examples:
      rcca synth -n 2 | rcca rollout -g 4
      rcca rollout tasks.jsonl -g 8 --model ckpt -o more.jsonl --resume
      rcca rollout tasks.jsonl --stop-at-document --batch 8 > stopped.jsonl
      rcca rollout tasks.jsonl -g 2 --answers answers.jsonl
      rcca rollout --backend replay answers.jsonl --column answer=completion
    """
    from rcca_cli.shard import Shard

    part = Shard.of(shard)
    if backend is Kind.replay and answers is None:
        from rcca_cli.foreign import replay

        replay.write(files or (), tuple(column or ()), output, resume, part)
        return
    from rcca_cli import filter, seeds
    from rcca_cli.resume import Unit
    from rcca_cli.rollout import stage

    inferred = "openai" if base_url else "replay" if answers else "transformers"
    options = stage.Options(
        group_size=group_size,
        model=model,
        backend=backend.value if backend else inferred,
        temperature=temperature,
        top_p=top_p,
        top_k=top_k,
        max_new_tokens=max_new_tokens,
        seed=seed,
        window=window,
        batch=batch,
        stop_at_document=stop_at_document,
        tokenizer=tokenizer,
        answers=answers,
        columns=tuple(column or ()),
        base_urls=tuple(base_url or ()),
        device=device,
        jobs=jobs,
        timeout=timeout,
    )
    unit = Unit(key="group", size=group_size, window=window, kept=("task",))
    plan = filter.Plan("rollout", seeds.config_digest(options), files or (), output, resume, unit, part)
    filter.run(plan, lambda lines: stage.run(lines, options))
