"""Runs the benchmark: answers from a model or a file, judged as they come, counted, and reported at the end."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rcca_cli import console, filter, jsonl, records, resume, seeds
from rcca_cli.bench import expected, reports
from rcca_cli.bench.miniapp import answers, outcome, own, report, sampling, summary, tasks, whole
from rcca_cli.bench.miniapp.figures import EMBEDDED, Figures
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.judge.court import Court

Record = dict[str, Any]
OWN = "embedded:"  # what names answers of the suite's own


def write(
    options: Options, output: str = "-", to: str = "", min_score: float | None = None, resumed: bool = False
) -> None:
    """One judged record an app on `output`, a table on standard error, a report in the file `to`.

    `resumed`: what an interrupted call has left of `output` is counted and not done again. ItemsFailed if apps could
    not be judged, if fewer than `min_score` percent pass, or if answers of which it is known what they must come to
    came to something else; everything is written all the same.
    """
    form = reports.form(to, report.FORMS) if to else None
    chosen = wanted(options)
    config = seeds.config_digest(options)
    plan = filter.Plan(
        "bench", config, output=output, resume=resumed, unit=unit(options), expected=lambda: total(chosen, options)
    )
    outcomes: list[outcome.Outcome] = []
    tally = expected.Tally()
    spent: dict[str, int] = {}

    def count(record: Record) -> Record:
        outcomes.append(outcome.of(record, options.threshold, options.judge))
        tally.add(record)
        kept = {"original": record.get("original"), "bench": row(outcomes[-1]) | {"config": config}}
        return record | kept

    def counted(done: list[resume.Done]) -> Iterator[Record]:
        with judge.court(judging(options)) as court:
            yield from map(count, run(chosen, options, court, done))
            spent.update(costs(court))

    with filter.alone(output):
        whole_file = filter.finished(plan)
        done = whole_file or filter.unfinished(plan, counts=", which are counted too")
        for record in earlier(plan, done, whole_file is not None):
            count(record)
        if whole_file is None:
            filter.write(plan, counted(done), append=bool(done))
        else:
            filter.say_finished(plan)
    figures = Figures(
        subject=options.subject(),
        source=options.tasks or EMBEDDED,
        kind=options.judge,
        threshold=options.threshold,
        tasks=tuple(chosen),
        outcomes=tuple(outcomes),
        rows=tuple(summary.rows(outcomes, chosen)),
        spent=spent,
    )
    show(figures, tally)
    if form:
        reports.write(to, form(figures))
    refuse(figures, tally, min_score)


def earlier(plan: filter.Plan, done: Sequence[resume.Done], is_whole: bool) -> Iterator[Record]:
    """The records of an earlier call, whose units are `done`: of the whole file, or of what is left of one."""
    place = plan.output if is_whole else str(jsonl.partial_path(plan.output))
    return (line.record for line in jsonl.read([place])) if done else iter(())


def write_tasks(options: Options, output: str) -> None:
    """The tasks as records, for `rcca rollout` or anything else that answers them, or for `rcca synth --compile`."""
    filter.write_all(filter.Plan("task", "", output=output), options.choice.of_tasks(tasks.read(options.tasks)))


def wanted(options: Options) -> list[Record]:
    """The tasks that are to be answered; RccaError if the judge could judge none of them."""
    chosen = options.choice.of_tasks(tasks.read(options.tasks))
    if (options.answers or "").startswith(OWN):
        if options.tasks is not None:
            raise RccaError(f"--answers {options.answers}: they answer the embedded suite (leave --tasks out)")
        named = set(own.chosen((options.answers or "").removeprefix(OWN)))
        chosen = [task for task in chosen if task["group"] in named]
    open_, every = tasks.unchecked(chosen)
    if options.judge == "checks" and open_ == every:
        cure = "--judge model with --judge-model NAME, or write checks once: rcca synth --compile, docs/bench.md"
        raise RccaError(f"--judge checks: none of the {every} items has a check ({cure})")
    return chosen


def judging(options: Options) -> judge.Options:
    """How the apps are judged. No evidence of what works: nobody is credited for it here."""
    return judge.Options(
        seed=options.seed,
        jobs=options.jobs,
        replay_passes=0.0,
        isolation=options.isolation,
        cdn=options.cdn,
        stamp=options.stamp,
        asking=options.asking,
    )


def unit(options: Options) -> resume.Unit:
    """What is done as a whole: an answer of a file, a window of answers of a model."""
    if options.answers is not None:
        return resume.Unit()
    return resume.Unit("group", options.samples, sampling.rollout_options(options).window)


def total(chosen: list[Record], options: Options) -> int:
    """How many answers there are to judge."""
    if options.answers is None:
        return len(chosen) * options.samples
    return sum(1 for _ in finished(chosen, options))


def run(chosen: list[Record], options: Options, court: Court, done: Sequence[resume.Done] = ()) -> Iterator[Record]:
    """The judged records, in the order of the answers; `judge` is null where there is no answer (`rollout` null).

    The units in `done` (`unit`) are left out.
    """
    how = judging(options)
    if options.answers is not None:
        lines = resume.skip(finished(chosen, options), done, unit(options))
        yield from known(judge.run(prepared(lines, options), how, court))
        return
    named = {one.name for one in done}
    left = [task for task in chosen if task["group"] not in named]
    # The judge reads its input in a thread; a model must not sample there, where no signal reaches it.
    for window in sampling.windows(left, options) if left else ():
        answered = (Line(record, "<bench>", 0) for record in window if record["rollout"] is not None)
        verdicts = known(judge.run(prepared(answered, options), how, court))
        yield from (record | {"judge": None} if record["rollout"] is None else next(verdicts) for record in window)


def finished(chosen: list[Record], options: Options) -> Iterator[Line]:
    """The answers of a file or folder, or of the suite's own, to the chosen tasks."""
    given = options.answers or ""
    if given.startswith(OWN):
        groups = {task["group"] for task in chosen}
        made = (one for one in own.answers(given.removeprefix(OWN)) if one["group"] in groups)
        return (Line(record, given, number) for number, record in enumerate(made, 1))
    return answers.joined(answers.read(given), tasks.read(options.tasks), chosen)


def prepared(lines: Iterable[Line], options: Options) -> Iterator[Line]:
    """The records as they are judged: the page in one piece, and without the checks if a model is to judge alone.

    Where files were put into the page the tokens are no longer those of the text; `original` is what was answered.
    """
    for line in lines:
        record = line.record
        if options.judge == "model":
            task = record["task"]
            record = record | {"task": task | {"rubric": [item | {"check": None} for item in task["rubric"]]}}
        rollout = record["rollout"]
        if rollout is not None and (put := whole.answer(rollout["text"])).text != rollout["text"]:
            lost = {key: value for key, value in records.text_only("").items() if isinstance(value, list)}
            mended = rollout | lost | {"text": put.text, "thought_end": 0, "usage": used(rollout)}
            record = record | {"rollout": mended, "original": rollout["text"]}
        yield Line(record, line.file, line.number)


def used(rollout: Record) -> Record | None:
    """The answer's tokens, counted before they go; null where nobody told."""
    written = outcome.tokens(rollout)
    if rollout.get("usage") or written is None:
        return rollout.get("usage")
    return {"input_tokens": len(rollout["prompt_ids"]), "output_tokens": written}


def known(judged: Iterator[Record]) -> Iterator[Record]:
    """The same records; verdicts that are not known are counted from them."""
    with contextlib.suppress(ItemsFailed):
        yield from judged


def row(one: outcome.Outcome) -> Record:
    """What a record says of its own app: the outcome, but for what stands in the record's other keys."""
    return {key: value for key, value in asdict(one).items() if key not in ("id", "task", "index")}


def costs(court: Court) -> dict[str, int]:
    """What a judge model was asked in this call; nothing without one."""
    if court.asker is None:
        return {}
    client = court.asker.client
    counts = {"requests": client.asked, "remembered": client.remembered}
    return counts | {"input_tokens": client.read, "output_tokens": client.written}


def show(figures: Figures, tally: expected.Tally) -> None:
    """The table, and what a reader has to know about it."""
    rows = [summary.cells(one) for one in figures.rows if one.scope != "subclass"]
    console.table(summary.COLUMNS, rows, report.title(figures))
    for line in (*figures.notes(), *tally.notes()):
        console.note(line)


def refuse(figures: Figures, tally: expected.Tally, min_score: float | None) -> None:
    """ItemsFailed for what makes the call end with 1."""
    told = []
    if errors := figures.all.errors:
        told.append(f"{errors} of {len(figures.outcomes)} apps could not be judged (the reasons are in bench.error)")
    if tally.problems:
        told.append(f"{len(tally.problems)} of {tally.n} embedded answers did not come to what is expected of them")
    if min_score is not None and (figures.pass_rate or 0.0) < min_score:
        told.append(f"pass rate {figures.pass_rate or 0.0:g} %, wanted: {min_score:g} % or more (--min-score)")
    if told:
        raise ItemsFailed("; ".join(told))
