"""Options that several commands share, so that they read the same everywhere."""

from typing import Annotated

import typer

Files = Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="JSONL files; - or none: standard input.")]
Output = Annotated[
    str, typer.Option("-o", "--output", metavar="FILE", help="Write here, whole or not at all; makes folders.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted -o FILE from FILE.partial.")]
Shard = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", help="Only the i-th of n parts, cut by group; `cat` joins the outputs."),
]
Seed = Annotated[
    int, typer.Option("--seed", help="Of every draw (tasks, answers, pages, order): same seed, same bytes.")
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many records are judged at once.")]
Model = Annotated[str, typer.Option("--model", "-m", help="embedded, a folder, or a hub name.")]
Report = Annotated[str, typer.Option("--report", metavar="FILE", help="Also write .json, .md, .csv or .html.")]
ReportJson = Annotated[str, typer.Option("--report", metavar="FILE", help="Also write all figures, as .json.")]
ReportTo = Annotated[
    list[str] | None,
    typer.Option("--report-to", metavar="TRACKER", help="jsonl, tensorboard, trackio or wandb; repeatable."),
]
Column = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="OURS=THEIRS", help="Foreign rows: what a column is called; repeatable."),
]
Isolation = Annotated[
    str | None,
    typer.Option(
        "--require-isolation", metavar="LEVEL", help="The least that will do: netns or flags (docs/judge.md)."
    ),
]
Cdn = Annotated[
    str | None,
    typer.Option(
        "--cdn", metavar="DIR", help="Packages, NAME@VERSION each, that apps get for the URLs of public CDNs."
    ),
]

# Of a model that is asked by a server: to judge what has no check, or to write checks.
JudgeModel = Annotated[str | None, typer.Option("--model", "-m", help="A model for the items without a check.")]
Url = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Its OpenAI-compatible server.")]
Tools = Annotated[
    bool, typer.Option("--tools/--no-tools", help="It calls tools by the server's interface, or as text.")
]
Votes = Annotated[int, typer.Option("--votes", min=1, help="Votes an item; two are enough if they agree.")]
Turns = Annotated[
    int, typer.Option("--turns", min=1, help="Times the model may reply (look, act, conclude) in a vote.")
]
Vision = Annotated[bool, typer.Option("--vision/--no-vision", help="Give the model pictures when it asks for them.")]
Cache = Annotated[str | None, typer.Option("--cache", metavar="DIR", help="Keep its replies here; ask nothing twice.")]
Attempts = Annotated[int, typer.Option("--attempts", min=1, help="Times that a request is tried.")]
Timeout = Annotated[float, typer.Option("--timeout", min=1, help="Seconds that one attempt may take.")]
