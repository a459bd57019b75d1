"""The loop in one process: the stages' own functions, with the model and the browser kept warm."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

import rcca_cli.align.stage as align
import rcca_cli.judge.stage as judge
import rcca_cli.rollout.stage as rollout
import rcca_cli.synth.stage as synth
import rcca_cli.train.stage as train
from rcca_cli import console, jsonl, seeds
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.jsonl import Line
from rcca_cli.run import evaluation
from rcca_cli.run.options import Options
from rcca_cli.train import folders

PLAN = "run.json"


@dataclass
class Loop:
    """A run under way."""

    options: Options
    session: train.Session
    court: Any
    failed: list[str] = field(default_factory=list)  # what stages said about items that are not known

    def lines(self, records: Iterable[dict[str, Any]], place: str) -> Iterator[Line]:
        """The records as the next stage's input. Items that failed are noted, and stop nothing."""
        try:
            for number, record in enumerate(records, 1):
                yield Line(record, f"<{place}>", number)
        except ItemsFailed as error:
            console.note(f"{place}: {error}")
            self.failed.append(f"{place}: {error}")

    def judged(self, tasks: Iterable[dict[str, Any]], sampling: rollout.Options) -> Iterator[Line]:
        """Answers to the tasks, judged. A window of answers is judged while the next one is sampled."""
        backend = rollout.open_backend(sampling, self.session.trainer.policy)
        answers = rollout.run(self.lines(tasks, "synth"), sampling, backend)
        return self.lines(judge.run(self.lines(answers, "rollout"), self.options.judging(), self.court), "judge")

    def step(self, tasks: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """One step on these tasks: its records go to a file of their own, its metrics to the caller."""
        number = self.session.state.step + 1
        judged = self.judged(tasks, self.options.sampling(self.session.trainer.policy.name))
        aligned = self.lines(align.run(judged, self.options.crediting()), "align")
        written = kept(aligned, str(Path(self.options.out) / "steps" / f"{number:04d}.jsonl"))
        yield from train.run(written, self.session.options, self.session)
        self.session.trainer.policy.name = self.options.checkpoint

    def evaluate(self, name: str) -> evaluation.Score:
        """The policy as it is on the held-out tasks; the judged records go to NAME.jsonl."""
        tasks = synth.run(self.options.held_out_tasks())
        judged = self.judged(tasks, self.options.held_out_sampling(self.session.trainer.policy.name))
        path = str(Path(self.options.out) / f"{name}.jsonl")
        return evaluation.score(line.record for line in kept(judged, path))


def kept(lines: Iterable[Line], path: str) -> Iterator[Line]:
    """The same lines, each written to `path` before it goes on; the file appears when all are."""
    writer = jsonl.Writer(path)
    for line in lines:
        writer.write(line.record)
        yield line
    writer.finish()


def run(options: Options) -> Iterator[dict[str, Any]]:
    """Evaluate, train for `steps` steps or about `minutes` minutes, evaluate: one metrics record a step.

    ItemsFailed, at the end, if some answers or verdicts were not known.
    """
    begun = time.monotonic()
    session = opened(options)
    with judge.court(options.judging()) as court:
        loop = Loop(options, session, court)
        before = first_score(loop)
        reserve = time.monotonic() - begun  # what loading and one evaluation take, about
        yield from session.metrics
        console.note("steps: figures of the answers trained on; each step has other tasks, so they jump")
        tasks = synth.run(options.tasks())
        for _ in islice(tasks, session.state.step * options.groups):
            pass  # used by the steps that a resumed run has behind it
        more = "--steps"
        while session.state.step < options.steps:
            if options.minutes and time.monotonic() - begun + reserve > options.minutes * 60:
                more = "--minutes"
                if session.state.step:
                    console.note(f"stopped after step {session.state.step}: --minutes")
                break
            since = time.monotonic()
            for record in loop.step(islice(tasks, options.groups)):
                console.note(told(record, options, time.monotonic() - since))
                yield record
        after = loop.evaluate("after") if options.eval_tasks and session.state.step else None
    if before and after:
        report(options, before, after, more)
    if session.state.step:
        tell_where(options, session.state.step)
    else:
        console.note(
            f"no step fits into --minutes {options.minutes:g}: loading and one evaluation took {reserve:.0f} s "
            "(--resume with more --minutes)"
        )
    if loop.failed:
        raise ItemsFailed(f"{len(loop.failed)} times something was not known (first: {loop.failed[0]})")


def opened(options: Options) -> train.Session:
    """The session at the run's start, or where the interrupted run was. RccaError if `out` is in use."""
    folder, plan = Path(options.out), {"config": seeds.config_digest(options)} | vars(options)
    resumed = options.resume and (folder / PLAN).exists()
    if resumed:
        if orjson.loads((folder / PLAN).read_bytes())["config"] != plan["config"]:
            raise RccaError(f"{options.out}: made with other options (use the same ones, or another --out)")
        folders.mend(options.checkpoint)
    elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RccaError(f"{options.out}: is there already (continue that run with --resume, or choose another --out)")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PLAN).write_bytes(orjson.dumps(plan, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    started = resumed and folders.exists(options.checkpoint)
    session = train.open_session(options.training(started), options.checkpoint if started else options.model)
    if started:
        console.note(f"resumed after step {session.state.step}")
    return session


def first_score(loop: Loop) -> evaluation.Score | None:
    """The evaluation before the first step; a resumed run reads the one it made then."""
    if not loop.options.eval_tasks:
        return None
    path = Path(loop.options.out) / "before.jsonl"
    if path.exists():
        return evaluation.score(line.record for line in jsonl.read([str(path)]))
    found = loop.evaluate("before")
    console.note(f"before: rubric pass {evaluation.estimate(list(found.passed.values()))} on held-out tasks")
    return found


def told(record: dict[str, Any], options: Options, seconds: float) -> str:
    """One step in words. How many there will be is known only if no clock decides."""
    names = {"pass": "pass_mean", "reward": "reward_mean", "functional": "functional"}
    numbers = ", ".join(
        f"{word} {'not known' if record[key] is None else format(record[key], '.3f')}" for word, key in names.items()
    )
    number = f"{record['step']}" if options.minutes else f"{record['step']}/{options.steps}"
    return f"step {number}: {numbers}, clipped {record['clip_frac']:.3f}, {seconds:.1f} s"


def report(options: Options, before: evaluation.Score, after: evaluation.Score, more: str) -> None:
    """The result, to standard error and to DIR/summary.json; `more` is the option that ended the run."""
    folder = Path(options.out)
    (folder / "summary.json").write_bytes(orjson.dumps(evaluation.summary(before, after), option=orjson.OPT_INDENT_2))
    rows = []
    for label, name in (("rubric pass", "passed"), ("reward", "reward"), ("functional", "functional")):
        old, new = getattr(before, name), getattr(after, name)
        values = (evaluation.estimate(list(scores.values())) for scores in (old, new))
        rows.append([label, *map(str, values), str(evaluation.difference(old, new))])
    title = f"{len(before.passed)} held-out tasks, ± standard error"
    console.table(["mean over tasks", "before", "after", "difference"], rows, title)
    gain = evaluation.difference(before.passed, after.passed)
    if gain.mean is not None and gain.error is not None and abs(gain.mean) < 2 * gain.error:
        console.note(f"the change is within twice its error: too little to tell (--resume with more {more})")


def tell_where(options: Options, step: int) -> None:
    """Where everything is, and what to do with it."""
    folder = Path(options.out)
    console.note(f"policy: {options.checkpoint} (rcca rollout --model {options.checkpoint})")
    console.note(f"metrics: {options.checkpoint}/metrics.jsonl")
    console.note(f"evaluations: {folder}/before.jsonl, {folder}/after.jsonl")
    last = f"{folder}/steps/{step:04d}.jsonl"
    console.note(f"records of every step: {folder}/steps; to see the credit: rcca report {last} -o report.html")
