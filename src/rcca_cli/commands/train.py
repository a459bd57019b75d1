"""`rcca train`."""

from collections import deque
from collections.abc import Sequence
from functools import partial
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
    objective: Annotated[str, typer.Option(help="rl: credit on sampled answers; sft: learn answers as is.")] = "rl",
    credit: Annotated[str, typer.Option(help="advantages, or weights times the sequence's advantage.")] = "advantages",
    credit_warmup: Annotated[int, typer.Option(min=0, help="Steps from the sequence's advantage to the tokens'.")] = 0,
    learning_rate: Annotated[float | None, typer.Option("--lr", min=0, help="Learning rate; else by size.")] = None,
    warmup: Annotated[int, typer.Option(min=0, help="Steps in which the rate rises.")] = 0,
    total_steps: Annotated[int, typer.Option(min=0, help="Steps in which the rate falls to 0; 0: constant.")] = 0,
    groups_per_step: Annotated[int, typer.Option(min=1, help="Groups in one step.")] = 4,
    epochs: Annotated[int, typer.Option(min=1, help="Times each step's rollouts, or sft's input, are used.")] = 1,
    rows_per_step: Annotated[int, typer.Option(min=1, help="Answers in one step of sft.")] = 32,
    held_out: Annotated[float, typer.Option(min=0, max=0.9, help="Share of groups that sft only measures.")] = 0.0,
    held_out_every: Annotated[int, typer.Option(min=1, help="Steps from one such measurement to the next.")] = 50,
    minibatches: Annotated[int, typer.Option(min=1, help="Updates an epoch.")] = 1,
    loss: Annotated[str, typer.Option(help="dapo, grpo, dr_grpo, bnpo, cispo, sapo, gspo or reinforce.")] = "dapo",
    horizon: Annotated[int, typer.Option(min=0, help="Tokens a row counts as, for dr_grpo.")] = 0,
    clip_low: Annotated[
        float | None, typer.Option(min=0, max=1, help="The ratio is clipped below 1 minus this; else the loss's own.")
    ] = None,
    clip_high: Annotated[
        float | None, typer.Option(min=0, help="The ratio is clipped above 1 plus this; else the loss's own.")
    ] = None,
    dual_clip: Annotated[float, typer.Option(min=0, help="The ratio's bound where credit is negative; 0: none.")] = 0.0,
    old_logprobs: Annotated[
        str, typer.Option(help="recorded: the sampler's; recomputed or detach: ours, corrected for the sampler's.")
    ] = "recorded",
    kl: Annotated[float, typer.Option(min=0, help="Coefficient of the KL to a reference.")] = 0.0,
    kl_kind: Annotated[str, typer.Option(help="k1, k2 or k3.")] = "k3",
    reference: Annotated[str | None, typer.Option(help="Model of the KL term; else where training began.")] = None,
    mask_overlong: Annotated[bool, typer.Option("--mask-overlong", help="Leave out answers cut off.")] = False,
    optimizer: Annotated[str, typer.Option(help="adamw, or muon for the matrices between the layers.")] = "adamw",
    weight_decay: Annotated[float, typer.Option(min=0, help="The optimizer's.")] = 0.0,
    max_grad_norm: Annotated[float, typer.Option(min=0, help="Gradients are scaled down to it.")] = 1.0,
    micro_tokens: Annotated[
        int | None, typer.Option(min=0, help="Positions that go through the model at once; 0: a row at a time.")
    ] = None,
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Keep less in memory, compute it twice.")
    ] = False,
    dtype: Annotated[str, typer.Option(help="fp32, or bf16 for the decoder's products.")] = "fp32",
    lora: Annotated[int, typer.Option(min=0, help="Train adapters of this rank only; 0: all weights.")] = 0,
    save_every: Annotated[int, typer.Option(min=1, help="Steps from one checkpoint to the next.")] = 1,
    keep: Annotated[bool, typer.Option("--keep", help="Keep each checkpoint, as DIR-step0001.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Train nothing: say how much signal there is.")] = False,
    report_to: ReportTo = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    seed: Seed = 0,
) -> None:
    """Update a policy with token-level credit (GRPO), or warm it up.

    Writes one metrics record a step. With --explain, one record that says how much signal the input has and where the
    rest went; the options of the update mean nothing to it.

    \b
    Examples:
      rcca train aligned.jsonl --explain
      rcca train aligned.jsonl --out ckpt
      rcca train aligned.jsonl --out ckpt --resume
      rcca train aligned.jsonl --out drawn --report-to tensorboard
      rcca train aligned.jsonl --from ckpt --out next --epochs 2 --kl 0.01
      rcca align --mode uniform judged.jsonl | rcca train --credit weights --out u
      rcca synth -n 16 --solutions references > solved.jsonl
      rcca train solved.jsonl --objective sft -m embedded --out warm
    """
    given = {name: value for name, value in locals().items() if name not in ("files", "output", "report_to", "explain")}
    if explain:
        told(files or (), output)
        return
    from rcca_cli import filter, seeds
    from rcca_cli.errors import RccaError
    from rcca_cli.train import stage, trackers
    from rcca_cli.train.launched import joined

    if not out:
        raise RccaError("--out: empty (name a folder for the checkpoint)")
    trackers.check(report_to or ())
    options = stage.Options(**given)
    # Not the filter's own --resume: a resumed `train` writes the metrics of the whole call again, from the checkpoint.
    plan = filter.Plan("train", seeds.config_digest(options), files or (), output, expected=lambda: None)
    place = trackers.Place.beside(f"{out}-reports", out, options)
    with joined(options.device) as world:
        if world.rank == 0:
            steps = partial(stage.run, options=options, world=world)
            filter.run(plan, lambda lines: trackers.told(steps(lines), report_to or (), place))
        else:
            deque(stage.run((), options, world=world), maxlen=0)  # its records are those of the first process


def told(files: Sequence[str], output: str) -> None:
    """Say how much signal the files have."""
    from rcca_cli import filter
    from rcca_cli.explain import stage

    filter.run(filter.Plan("explain", "", files, output, expected=lambda: None), stage.run)
