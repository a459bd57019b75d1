"""`rcca schema`."""

import orjson
import typer


def command() -> None:
    """Print the JSON Schema of the record that the stages pass on.

    \b
    Examples:
      rcca schema
    """
    from rcca_cli import records

    typer.echo(orjson.dumps(records.schema(), option=orjson.OPT_INDENT_2))
