"""`rcca report`."""

from typing import Annotated

import typer

from rcca_cli.commands import options as shared

Title = Annotated[str, typer.Option("--title", help="What the page is called.")]
Screenshots = Annotated[
    bool, typer.Option("--screenshots", help="Run each app anew for pictures: loaded, and where failed checks ended.")
]
Split = Annotated[
    int | None,
    typer.Option("--split", min=1, metavar="N", help="-o is a folder: an index, and files of about N records."),
]
Open = Annotated[
    str | None,
    typer.Option("--open", metavar="ID", help="Show this record only, with a picture of every check, in your browser."),
]
Seed = Annotated[int, typer.Option("--seed", help="The --seed of `rcca judge`: checks are played with its data.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, help="How many apps are run at once.")]
Browser = Annotated[str | None, typer.Option("--browser", metavar="PATH", help="A Chromium to run them in instead.")]
Cdn = Annotated[str | None, typer.Option("--cdn", metavar="DIR", help="The libraries that `rcca judge --cdn` had.")]


def command(
    files: shared.Files = None,
    output: shared.Output = "-",
    title: Title = "Rollouts and their credit",
    screenshots: Screenshots = False,
    split: Split = None,
    open_: Open = None,
    seed: Seed = 0,
    jobs: Jobs = 2,
    browser: Browser = None,
    cdn: Cdn = None,
) -> None:
    """Make one offline HTML page of rollouts.

    It shows the source coloured by credit, and each requirement with its lines. Takes records of any stage
    from `rollout` on, and shows what is known so far.

    \b
    Examples:
      rcca report aligned.jsonl -o report.html
      rcca report aligned.jsonl --screenshots --title "step 40" -o step-40.html
      rcca report aligned.jsonl --split 500 -o report
    """
    from rcca_cli import jsonl
    from rcca_cli.browser import Mirror
    from rcca_cli.report import reader, stage

    options = stage.Options(
        title=title,
        only=open_,
        split=split,
        screenshots=screenshots or open_ is not None,
        seed=seed,
        jobs=jobs,
        browser=browser,
        cdn=Mirror.at(cdn),
    )
    output = reader.place(output) if open_ is not None else output
    stage.write(jsonl.read(files or ()), output, options)
    if open_ is not None:
        reader.show(output)
