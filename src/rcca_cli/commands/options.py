"""Options that several commands share, so that they read the same everywhere."""

from typing import Annotated

import typer

Files = Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="JSONL files; - or none: standard input.")]
Output = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write here, whole or not at all.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted -o FILE from FILE.partial.")]
Seed = Annotated[int, typer.Option("--seed", help="Same seed, same bytes.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many records are judged at once.")]
Model = Annotated[str, typer.Option("--model", "-m", help="embedded, a folder, or a hub name.")]
