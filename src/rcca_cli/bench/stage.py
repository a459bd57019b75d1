"""Runs a benchmark: answers from a model or a file, judged as they come, counted, and reported at the end."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from rcca_cli import console, filter, jsonl, seeds
from rcca_cli.bench import answers, benchmark, reports, summary
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line

HERE: dict[str, Any] = {"config": False}  # where it runs or what is read, not how it is judged
Record = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """Which benchmark, and whose answers: those of the file `answers` if there is one, else of a model."""

    name: str
    model: str = "embedded"
    base_url: str | None = field(default=None, metadata=HERE)
    answers: str | None = field(default=None, metadata=HERE)
    samples: int = 1
    seed: int = 0
    temperature: float = 1.0
    max_new_tokens: int = 8192
    device: str = field(default="auto", metadata=HERE)
    jobs: int = field(default=2, metadata=HERE)


def write(options: Options, output: str = "-", report: str = "") -> None:
    """One judged record an app on `output`, a table on standard error, a report in the file `report`.

    ItemsFailed, with the count, if some apps could not be judged; everything is written all the same.
    """
    chosen = benchmark.find(options.name)
    form = reports.form(report) if report else None
    outcomes: list[summary.Outcome] = []

    def counted() -> Iterator[Record]:
        for record in run(chosen, options):
            outcomes.append(summary.outcome(record, chosen))
            yield record | {"bench": asdict(outcomes[-1]) | {"config": seeds.config_digest(options)}}

    filter.write_all(filter.Plan("bench", seeds.config_digest(options), output=output), counted())
    figures = reports.Figures.of(chosen, subject(options), outcomes)
    show(figures)
    if form:
        reports.write(report, form(figures))
    if errors := figures.rows[0].errors:
        raise ItemsFailed(f"{errors} of {len(outcomes)} apps could not be judged and are left out of the figures")


def write_tasks(name: str, output: str) -> None:
    """The benchmark's tasks as records, for `rcca rollout` or anything else that answers them."""
    filter.write_all(filter.Plan("task", "", output=output), benchmark.find(name).tasks())


def run(chosen: benchmark.Benchmark, options: Options) -> Iterator[Record]:
    """The judged records, in the order of the answers; those without an answer (`rollout` null) come last."""
    lost: list[Record] = []
    yield from judged(answered(chosen.tasks(), options, lost), options)
    yield from (record | {"judge": None} for record in lost)


def answered(tasks: list[Record], options: Options, lost: list[Record]) -> Iterator[Line]:
    """The answers to be judged; a task that could not be answered goes to `lost`."""
    if options.answers is not None:
        yield from answers.read(jsonl.read([options.answers]), tasks)
        return
    with contextlib.suppress(ItemsFailed):  # its failures are in `lost`, and counted
        for number, record in enumerate(sampled(tasks, options), 1):
            if record["rollout"] is None:
                lost.append(record)
            else:
                yield Line(record, "<bench>", number)


def sampled(tasks: list[Record], options: Options) -> Iterator[Record]:
    """What the model answers, `samples` times a task."""
    from rcca_cli.rollout import stage

    if options.model == "embedded" and options.base_url is None:
        console.note("rcca bench: no --model, --base-url or --answers: sampling the embedded policy")
    wanted = stage.Options(
        group_size=options.samples,
        model=options.model,
        backend="openai" if options.base_url else "transformers",
        base_url=options.base_url,
        temperature=options.temperature,
        max_new_tokens=options.max_new_tokens,
        seed=options.seed,
        device=options.device,
    )
    lines = (Line(task, "<bench>", number) for number, task in enumerate(tasks, 1))
    return stage.run(lines, wanted)


def judged(lines: Iterable[Line], options: Options) -> Iterator[Record]:
    """The judge's verdicts on these answers."""
    from rcca_cli.judge import stage

    with contextlib.suppress(ItemsFailed):  # unknown verdicts are counted from the records
        # No evidence of what works: nobody is credited for it here.
        yield from stage.run(lines, stage.Options(jobs=options.jobs, replay_passes=0.0))


def subject(options: Options) -> str:
    """Whose answers they are, for the head of the table."""
    if options.answers is not None:
        return "answers from standard input" if options.answers == "-" else options.answers
    return options.model


def show(figures: reports.Figures) -> None:
    """The table, and what a reader has to know about it."""
    rows = [summary.cells(row) for row in figures.rows]
    console.table(summary.COLUMNS, rows, f"{figures.benchmark.title}: {figures.subject}")
    for line in figures.notes():
        console.note(line)
