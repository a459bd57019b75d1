"""`rcca validate`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Unique = Annotated[str, typer.Option("--unique", metavar="KEY", help="Also refuse a second record with this id.")]


def command(files: shared.Files = None, unique: Unique = "") -> None:
    """Check that every line is a valid record.

    Do its lengths and offsets agree, are its names there, do its checks parse?

    Problems go to standard error as FILE:LINE: place: what. Ends with 1 if any record is not valid.

    \b
    Examples:
      rcca validate judged.jsonl
      rcca synth -n 3 | rcca validate --unique id
    """
    from rcca_cli.doctor import validate

    validate.run(files or (), unique)
