"""`rcca align`."""

from enum import StrEnum
from typing import Annotated

import typer

from rcca_cli.commands import options as shared


class Mode(StrEnum):
    """How credit is given to tokens (docs/align.md)."""

    rubric = "rubric"
    paper = "paper"
    uniform = "uniform"


def command(
    files: shared.Files = None,
    mode: Annotated[Mode, typer.Option(help="Credit per item on its code, the paper's weights, or plain GRPO.")] = (
        Mode.rubric
    ),
    sequence_share: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, show_default="0.8", help="Mode rubric: share of the whole answer's advantage in each token's."
        ),
    ] = None,
    mean_one: Annotated[bool, typer.Option("--mean-one", help="Mode paper: divide the weights by their mean.")] = False,
    tokenizer: Annotated[
        str | None, typer.Option(metavar="MODEL", help="For answers known as text only: whose tokens to use.")
    ] = None,
    column: shared.Column = None,
    pass_at: Annotated[
        float | None,
        typer.Option("--pass-at", metavar="SCORE", help="Foreign verdicts: the score from which one passes."),
    ] = None,
    output: shared.Output = "-",
    resume: shared.Resume = False,
    shard: shared.Shard = None,
) -> None:
    """Map verdicts to the code and the tokens that decided them.

    Every sampled token gets its credit.

    The answers to one task must be adjacent; a group leaves when the next begins. Verdicts of another evaluator
    (docs/foreign.md) need no judge: rows of prompt, answer and verdicts.

    \b
    Examples:
      rcca align judged.jsonl > aligned.jsonl
      rcca align judged.jsonl --mode paper --mean-one
      rcca align judged.jsonl --mode uniform -o aligned.jsonl
      rcca align verdicts.jsonl --tokenizer embedded --column answer=completion
    """
    from rcca_cli import filter, seeds
    from rcca_cli.align import stage
    from rcca_cli.columns import Columns
    from rcca_cli.errors import RccaError
    from rcca_cli.foreign import Reader
    from rcca_cli.resume import Unit
    from rcca_cli.shard import Shard

    if sequence_share is not None and mode is not Mode.rubric:
        raise RccaError(f"--sequence-share is of mode rubric, not of {mode.value}")
    if mean_one and mode is not Mode.paper:
        raise RccaError(f"--mean-one is of mode paper, not of {mode.value}")
    share = stage.Options.sequence_share if sequence_share is None else sequence_share
    options = stage.Options(mode.value, share, mean_one, tokenizer, tuple(column or ()), pass_at)
    reader = Reader(Columns.of(options.columns), pass_at)
    config, unit = seeds.config_digest(options), Unit("group", None, kept=("task", "rollout.text", "judge"))
    plan = filter.Plan("align", config, files or (), output, resume, unit, Shard.of(shard))
    filter.run(plan, lambda lines: reader.checked(stage.run(lines, options)), reader.judged)
