"""Runs a benchmark: answers from a model or a file, judged as they come, counted, and reported at the end."""

import contextlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from rcca_cli import console, filter, jsonl, seeds
from rcca_cli.bench import answers, benchmark, expected, reports, summary
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line

HERE: dict[str, Any] = {"config": False}  # where it runs or what is read, not how it is judged
Record = dict[str, Any]
WINDOW = 4  # tasks sampled together, then judged


@dataclass(frozen=True)
class Options:
    """Which benchmark, and whose answers: those of the file `answers` (or embedded:NAME) if given, else of a model."""

    name: str
    model: str = "embedded"
    base_url: str | None = field(default=None, metadata=HERE)
    answers: str | None = field(default=None, metadata=HERE)
    samples: int = 1
    seed: int = 0
    temperature: float = 1.0
    max_new_tokens: int = 8192
    device: str = field(default="auto", metadata=HERE)
    isolation: str | None = field(default=None, metadata=HERE)  # the least that will do, as of the judge
    cdn: Any = None  # the mirror of the libraries that apps load, as of the judge
    jobs: int = field(default=2, metadata=HERE)


def write(chosen: benchmark.Benchmark, options: Options, output: str = "-", report: str = "") -> None:
    """One judged record an app on `output`, a table on standard error, a report in the file `report`.

    ItemsFailed, with the count, if some apps could not be judged, or answers of which it is known what they must come
    to came to something else; everything is written all the same.
    """
    form = reports.form(report) if report else None
    outcomes: list[summary.Outcome] = []
    tally = expected.Tally()

    def counted() -> Iterator[Record]:
        for record in run(chosen, options):
            outcomes.append(summary.outcome(record, chosen))
            tally.add(record)
            yield record | {"bench": asdict(outcomes[-1]) | {"config": seeds.config_digest(options)}}

    filter.write_all(filter.Plan("bench", seeds.config_digest(options), output=output), counted())
    figures = reports.Figures.of(chosen, subject(options), outcomes)
    show(figures)
    for line in tally.notes():
        console.note(line)
    if form:
        reports.write(report, form(figures))
    if errors := figures.rows[0].errors:
        raise ItemsFailed(f"{errors} of {len(outcomes)} apps could not be judged and are left out of the figures")
    if tally.problems:
        raise ItemsFailed(
            f"{len(tally.problems)} of {tally.n} embedded answers did not come to what is expected of them"
        )


def write_tasks(chosen: benchmark.Benchmark, output: str) -> None:
    """The benchmark's tasks as records, for `rcca rollout` or anything else that answers them."""
    filter.write_all(filter.Plan("task", "", output=output), chosen.tasks())


def run(chosen: benchmark.Benchmark, options: Options) -> Iterator[Record]:
    """The judged records, in the order of the answers; `judge` is null where there is no answer (`rollout` null)."""
    from rcca_cli.judge import stage

    # No evidence of what works: nobody is credited for it here.
    judging = stage.Options(jobs=options.jobs, replay_passes=0.0, isolation=options.isolation, cdn=options.cdn)
    with stage.court(judging) as court:
        if options.answers is not None:
            lines = finished(chosen, options.answers)
            yield from judged(stage.run(lines, judging, court))
            return
        # The judge reads its input in a thread; a model must not sample there, where no signal reaches it.
        for window in windows(sampled(chosen.tasks(), options), WINDOW * options.samples):
            lines = (Line(record, "<bench>", 0) for record in window if record["rollout"] is not None)
            verdicts = judged(stage.run(lines, judging, court))
            yield from (record | {"judge": None} if record["rollout"] is None else next(verdicts) for record in window)


def finished(chosen: benchmark.Benchmark, given: str) -> Iterator[Line]:
    """The answers of a file, or of the benchmark's own."""
    kind, colon, name = given.partition(":")
    if chosen.own and colon and kind == "embedded":
        return (Line(record, given, number) for number, record in enumerate(chosen.own(name), 1))
    return answers.read(jsonl.read([given]), chosen.tasks())


def judged(records: Iterator[Record]) -> Iterator[Record]:
    """The same records; verdicts that are not known are counted from them."""
    with contextlib.suppress(ItemsFailed):
        yield from records


def windows(records: Iterator[Record], size: int) -> Iterator[list[Record]]:
    """The records, as many at once as the model samples together; answers not had are counted from them."""
    window: list[Record] = []
    with contextlib.suppress(ItemsFailed):
        for record in records:
            window.append(record)
            if len(window) == size:
                yield window
                window = []
    if window:
        yield window


def sampled(tasks: list[Record], options: Options) -> Iterator[Record]:
    """What the model answers, `samples` times a task."""
    from rcca_cli.rollout import stage

    if options.model == "embedded" and options.base_url is None:
        console.note("rcca bench: no --model, --base-url or --answers: sampling the embedded policy")
    wanted = stage.Options(
        group_size=options.samples,
        model=options.model,
        backend="openai" if options.base_url else "transformers",
        base_urls=(options.base_url,) if options.base_url else (),
        temperature=options.temperature,
        max_new_tokens=options.max_new_tokens,
        seed=options.seed,
        window=WINDOW,
        device=options.device,
    )
    lines = (Line(task, "<bench>", number) for number, task in enumerate(tasks, 1))
    return stage.run(lines, wanted)


def subject(options: Options) -> str:
    """Whose answers they are, for the head of the table."""
    if options.answers is not None:
        return "answers from standard input" if options.answers == "-" else options.answers
    return options.model


def show(figures: reports.Figures) -> None:
    """The table, and what a reader has to know about it."""
    rows = [summary.narrow(row) for row in figures.rows]
    console.table(summary.COLUMNS, rows, f"{figures.benchmark.title}: {figures.subject}")
    for line in figures.notes():
        console.note(line)
