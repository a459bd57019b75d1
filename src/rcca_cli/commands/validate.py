"""`rcca validate`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Unique = Annotated[str, typer.Option("--unique", metavar="KEY", help="Also refuse a second record with this id.")]

Against = Annotated[
    str | None,
    typer.Option("--against", metavar="FILE", help="Also name the tasks or records of this file that the input lacks."),
]


def command(files: shared.Files = None, unique: Unique = "", against: Against = None) -> None:
    """Check that every line is a valid record.

    Do its lengths and offsets agree, are its names there, do its checks parse?

    With --against, is all there that should be: of each record its id, of each task an answer?

    Problems go to standard error as FILE:LINE: place: what. Ends with 1 if any record is not valid.

    \b
    Examples:
      rcca validate judged.jsonl
      rcca synth -n 3 | rcca validate --unique id
      rcca validate judged.jsonl --against rollouts.jsonl
    """
    from rcca_cli.doctor import validate

    validate.run(files or (), unique, against)
