"""`rcca train`."""

from typing import Annotated

import typer

from rcca_cli.commands.options import Files, ReportTo, Seed

Metrics = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="The metrics, whole or not at all.")]


def command(
    files: Files = None,
    output: Metrics = "-",
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="The policy: checkpoint and model folder.")] = "ckpt",
    model: Annotated[str | None, typer.Option("--model", "-m", help="Start from it; else the sampler.")] = None,
    start: Annotated[str | None, typer.Option("--from", metavar="DIR", help="Continue a checkpoint, new data.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted call, same input.")] = False,
    credit: Annotated[str, typer.Option(help="advantages, or weights times the sequence's advantage.")] = "advantages",
    credit_warmup: Annotated[int, typer.Option(min=0, help="Steps from the sequence's advantage to the tokens'.")] = 0,
    learning_rate: Annotated[float | None, typer.Option("--lr", min=0, help="Learning rate; else by size.")] = None,
    warmup: Annotated[int, typer.Option(min=0, help="Steps in which the rate rises.")] = 0,
    total_steps: Annotated[int, typer.Option(min=0, help="Steps in which the rate falls to 0; 0: constant.")] = 0,
    groups_per_step: Annotated[int, typer.Option(min=1, help="Groups in one step.")] = 4,
    epochs: Annotated[int, typer.Option(min=1, help="Times each step's rollouts are used.")] = 1,
    minibatches: Annotated[int, typer.Option(min=1, help="Updates an epoch.")] = 1,
    loss: Annotated[str, typer.Option(help="dapo, grpo, dr_grpo or bnpo.")] = "dapo",
    horizon: Annotated[int, typer.Option(min=0, help="Tokens a row counts as, for dr_grpo.")] = 0,
    clip_low: Annotated[float, typer.Option(min=0, max=1, help="The ratio is clipped below 1 minus this.")] = 0.2,
    clip_high: Annotated[float, typer.Option(min=0, help="The ratio is clipped above 1 plus this.")] = 0.28,
    kl: Annotated[float, typer.Option(min=0, help="Coefficient of the KL to a reference.")] = 0.0,
    kl_kind: Annotated[str, typer.Option(help="k1, k2 or k3.")] = "k3",
    reference: Annotated[str | None, typer.Option(help="Model of the KL term; else where training began.")] = None,
    mask_overlong: Annotated[bool, typer.Option("--mask-overlong", help="Leave out answers cut off.")] = False,
    weight_decay: Annotated[float, typer.Option(min=0, help="AdamW's.")] = 0.0,
    max_grad_norm: Annotated[float, typer.Option(min=0, help="Gradients are scaled down to it.")] = 1.0,
    micro_tokens: Annotated[int, typer.Option(min=1, help="Positions that go through the model at once.")] = 4096,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from one checkpoint to the next.")] = 1,
    keep: Annotated[bool, typer.Option("--keep", help="Keep each checkpoint, as DIR-step0001.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say how large the terms of the credit are.")] = False,
    report_to: ReportTo = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    seed: Seed = 0,
) -> None:
    """Update a policy with token-level credit (GRPO).

    Writes one metrics record a step.

    \b
    Examples:
      rcca train aligned.jsonl --out ckpt
      rcca train aligned.jsonl --out ckpt --resume
      rcca train aligned.jsonl --out drawn --report-to tensorboard
      rcca train aligned.jsonl --from ckpt --out next --epochs 2 --kl 0.01
      rcca align --mode uniform judged.jsonl | rcca train --credit weights --out u
    """
    given = {name: value for name, value in locals().items() if name not in ("files", "output", "report_to")}
    from rcca_cli import filter, seeds
    from rcca_cli.train import trackers

    trackers.check(report_to or ())
    from rcca_cli.train import stage

    options = stage.Options(**given)
    # Not the filter's own --resume: a resumed `train` writes the metrics of the whole call again, from the checkpoint.
    plan = filter.Plan("train", seeds.config_digest(options), files or (), output)
    place = trackers.Place.beside(f"{out}-reports", out, options)
    filter.run(plan, lambda lines: trackers.told(stage.run(lines, options), report_to or (), place))
