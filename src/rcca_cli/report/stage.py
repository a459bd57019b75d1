"""Writes the report while the records arrive: one is held at a time, whatever the input's length."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rcca_cli import console, parallel, records
from rcca_cli.browser import Machine, Mirror, Settings
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.report import pictures, view
from rcca_cli.report.document import View, write_file, write_folder
from rcca_cli.report.frame import Frame
from rcca_cli.report.signal import Signal

Json = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """What the report shows. `only`: one record, by its id; `split`: records a file, at least, of a folder of files.

    `screenshots` renders each app anew: `seed`, `browser` and `cdn` are those it was judged with.
    """

    title: str = "Rollouts and their credit"
    only: str | None = None
    split: int | None = None
    screenshots: bool = False
    seed: int = 0
    jobs: int = 2
    browser: str | None = None
    cdn: Mirror | None = None


def write(lines: Iterable[Line], output: str, options: Options) -> None:
    """Put the report into the file `output`, whole or not at all (`-`: standard output); or into a folder, if split."""
    signal = Signal()
    shown = console.progress(views(lines, options, signal), "report")
    frame = Frame(options.title)

    def more() -> Json:
        return {"signal": signal.shown(), "uncounted": signal.left_out()}

    if options.split is None:
        write_file(output, shown, frame, more)
    elif output == "-":
        raise RccaError("--split needs -o DIR")
    else:
        write_folder(Path(output), shown, frame, options.split, more)


def views(lines: Iterable[Line], options: Options, signal: Signal) -> Iterator[View]:
    """What is shown of each record, in order, as soon as it is there; `signal` counts what all of them carry."""
    chosen = _chosen(signal.watched(map(checked, lines)), options.only)
    if not options.screenshots:
        for line in chosen:
            yield view.summary(line.record, line.file), view.detail(line.record)
        return
    lost = strange = 0
    with Machine(Settings(executable=options.browser, mirror=options.cdn)) as machine:
        camera = pictures.Photographer(machine, options.seed, every=options.only is not None)
        taken = parallel.ordered_map(lambda line: (line, camera.taken(line.record)[1]), chosen, options.jobs)
        for line, found in taken:
            lost += found is None
            strange += not camera.knows(line.record)
            yield view.summary(line.record, line.file), view.detail(line.record, found or ())
    if lost:
        console.note(f"report: no pictures of {lost} records, for which the browser was lost")
    if strange:
        console.note(
            f"report: no pictures of the checks of {strange} records, judged with another seed (give it: --seed)"
        )


def _chosen(found: Iterable[Line], only: str | None) -> Iterator[Line]:
    names = set()
    unanswered = 0
    for line in found:
        if only in (None, line.record["id"]):
            names.add(line.record["id"])
            unanswered += line.record["rollout"] is None
            yield line
    if unanswered:
        console.note(f"report: records without an answer: {unanswered}")
    if only is not None and not names:
        raise RccaError(f"--open {only}: no record has this id")


def checked(line: Line) -> Line:
    """The line, once its record, of whatever stages have run, is in its right shape; `rollout` is None if not had."""
    if line.record.get("rollout", "missing") is None:
        records.need(line, "task")
    else:
        present = [key for key in ("judge", "align") if line.record.get(key) is not None]
        records.need(line, "task", "rollout", *present)
    return line
