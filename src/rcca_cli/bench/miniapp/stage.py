"""Runs the benchmark: answers from a model or a file, judged as they come, counted, and reported at the end."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rcca_cli import console, filter, jsonl, records, seeds
from rcca_cli.bench import expected, reports
from rcca_cli.bench.miniapp import inputs, outcome, report, sampling, summary, tasks, whole
from rcca_cli.bench.miniapp.figures import EMBEDDED, Figures
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judge
from rcca_cli.judge.court import Court

Record = dict[str, Any]


def write(
    options: Options, output: str = "-", to: str = "", min_score: float | None = None, resumed: bool = False
) -> None:
    """One judged record an app on `output`, a table on standard error, a report in the file `to`.

    `resumed`: what an interrupted call has left of `output` is counted and not done again; RecordError if it is of
    other tasks or answers. ItemsFailed if apps could not be judged, if fewer than `min_score` percent pass, or if
    answers of which it is known what they must come to came to something else; everything is written all the same.
    """
    form = reports.form(to, report.FORMS, output) if to else None
    asked = inputs.wanted(options)
    config = seeds.config_digest(options)
    plan = filter.Plan(
        "bench",
        config,
        output=output,
        resume=resumed,
        unit=inputs.unit(options),
        expected=lambda: inputs.total(asked, options),
    )
    outcomes: list[outcome.Outcome] = []
    tally = expected.Tally()
    spent: dict[str, int] = {}

    def count(record: Record) -> Record:
        outcomes.append(outcome.of(record, options.threshold, options.judge))
        tally.add(record)
        kept = {"original": record.get("original"), "bench": row(outcomes[-1]) | {"config": config}}
        return record | kept

    def counted(given: Iterator[Line]) -> Iterator[Record]:
        with judge.court(judging(options)) as court:
            yield from map(count, run(given, options, court))
            spent.update(costs(court))

    with filter.alone(output):
        given = inputs.given(asked, options)
        is_whole = filter.finished(plan) is not None
        goes_on = is_whole or bool(filter.unfinished(plan, counts=", which are counted too"))
        place = output if is_whole else str(jsonl.partial_path(output))
        for record in inputs.earlier(place, given, options) if goes_on else ():
            count(record)
        if not is_whole:
            filter.write(plan, counted(given), append=goes_on)
        else:
            filter.refuse_more(plan, given)
            filter.say_finished(plan)
    figures = Figures(
        subject=options.subject(),
        source=options.tasks or EMBEDDED,
        kind=options.judge,
        threshold=options.threshold,
        tasks=tuple(asked.chosen),
        outcomes=tuple(outcomes),
        rows=tuple(summary.rows(outcomes, asked.chosen)),
        spent=spent,
    )
    show(figures, tally)
    if form:
        reports.write(to, form(figures))
    refuse(figures, tally, min_score)


def write_tasks(options: Options, output: str) -> None:
    """The tasks as records, for `rcca rollout` or anything else that answers them, or for `rcca synth --compile`."""
    filter.write_all(filter.Plan("task", "", output=output), options.choice.of_tasks(tasks.read(options.tasks)))


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


def run(given: Iterator[Line], options: Options, court: Court) -> Iterator[Record]:
    """The judged records of these inputs, in their order; `judge` is null where there is no answer."""
    how = judging(options)
    if options.answers is not None:
        yield from known(judge.run(prepared(given, options), how, court))
        return
    left = [line.record for line in given]
    # The judge reads its input in a thread; a model must not sample there, where no signal reaches it.
    for window in sampling.windows(left, options) if left else ():
        answered = (Line(record, "<bench>", 0) for record in window if record["rollout"] is not None)
        verdicts = known(judge.run(prepared(answered, options), how, court))
        yield from (record | {"judge": None} if record["rollout"] is None else next(verdicts) for record in window)


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
