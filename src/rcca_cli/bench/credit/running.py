"""One run of one arm: steps of sampling, judging, credit and update, with evaluations on held-out tasks.

Its file has a line for the run, one an evaluation and one a step, and nothing that depends on the clock, unless stamps
are asked for. An interrupted run goes on from the checkpoint of its last evaluation, to the same bytes.
"""

import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from rcca_cli import console, jsonl, lock, models, seeds
from rcca_cli.bench.credit import arms, evaluation, tasks
from rcca_cli.bench.credit.evaluation import Drift
from rcca_cli.bench.credit.lab import Lab, groups, lines
from rcca_cli.bench.credit.options import Options
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, checkpoint, folders
from rcca_cli.train.session import Batch, open_session

Record = dict[str, Any]
OF_STEP = ("pass_mean", "functional", "grad_norm", "clip_frac", "kl_old", "frac_zero", "truncated", "tokens", "updates")


def run(options: Options, lab: Lab) -> None:
    """Make the run's file, if it is not there. RccaError if it is there and was made with other options."""
    with lock.held(options.path):
        if is_finished(options):
            console.note(f"{options.path} is finished{lacking(options)}")
            return
        write(options, Run(options, lab, resumed(options)))
        shutil.rmtree(options.checkpoint, ignore_errors=True)


def write(options: Options, under_way: "Run") -> None:
    """The run's file, of what was there and what is still to be done; an error leaves it as FILE.partial."""
    writer = jsonl.Writer(options.path)
    try:
        for record in chain(under_way.before, under_way.records()):
            writer.write(record)
    except BaseException:
        writer.abandon()
        raise
    writer.finish()


class Run:
    """A run under way."""

    def __init__(self, options: Options, lab: Lab, before: list[Record]) -> None:
        self.options, self.lab, self.before = options, lab, before
        self.start = models.load(options.model)
        begun = options.model if not before else options.checkpoint
        self.session = open_session(options.training(bool(before)), begun)
        self.learned = options.learned()
        self.held_out = options.evaluated(options.held_out)
        tasks.must_be_apart({"rl": self.learned, options.held_out: self.held_out})
        self.first = self.on_held_out(self.start)
        self.drift = Drift(self.first)
        self.scale = before[0]["scale"] if before else self.scaled()

    def on_held_out(self, policy: Any) -> list[Judged]:
        """Judged answers to the held-out tasks: the same tasks and the same chances in every evaluation."""
        sampling = self.options.sampling(self.options.eval_samples, self.options.held_out_seed)
        return self.lab.judged(policy, self.options.held_out, self.held_out, sampling)

    def records(self) -> Iterator[Record]:
        """What is still to be written of the run."""
        self.lab.stamp()
        if not self.before:
            yield self.head()
            yield self.evaluated(self.first)
        elif self.before[-1]["kind"] == "step":  # cut off in its evaluation
            yield self.evaluation()
        while (step := self.session.state.step) < self.options.steps:
            yield self.step(step + 1)
            if is_evaluated(step + 1, self.options):
                yield self.evaluation()

    def evaluation(self) -> Record:
        """The record of the policy as it is now on the held-out tasks."""
        return self.evaluated(self.on_held_out(self.session.trainer.policy))

    def head(self) -> Record:
        """The line of the run itself."""
        options = self.options
        return {
            "kind": "run",
            "arm": options.arm,
            "tier": options.tier,
            "seed": options.seed,
            "scale": self.scale,
            "config": seeds.config_digest(options),
            "options": seeds.counting(options),
        }

    def scaled(self) -> float:
        """The scale of the arm's localised term, at the start policy, on tasks that no run trains on."""
        seed = seeds.derive("credit", "calibration")
        chosen = tasks.draw("rl", seed, self.options.calibration_tasks, self.options.full)
        judged = self.lab.judged(self.start, "rl", chosen, self.options.sampling(self.options.group_size, seed))
        return round(arms.scale(self.options.how, list(groups(judged))), 6)

    def step(self, number: int) -> Record:
        """One step: its record."""
        options, policy = self.options, self.session.trainer.policy
        chosen = self.learned[(number - 1) * options.groups : number * options.groups]
        judged = self.lab.judged(policy, "rl", chosen, options.sampling(options.group_size, options.seed))
        aligned = self.lab.credited(options.how, judged, options.sequence_share, self.scale)
        with self.lab.timed("train"):
            read = list(batch.groups(lines(aligned, "aligned"), "advantages"))
            metrics = self.session.learn(Batch(read, number * options.groups, "", ""))
        return self.stamped({"kind": "step", "step": number, **{name: metrics[name] for name in OF_STEP}})

    def evaluated(self, judged: Sequence[Judged]) -> Record:
        """The same of answers that are judged already."""
        step = self.session.state.step
        with self.lab.timed("drift"):
            drift = self.drift.measured(self.session.trainer)
        samples = step * self.options.groups * self.options.group_size
        found = {"kind": "eval", "step": step, "samples": samples, **evaluation.figures(judged), "drift": drift}
        if self.options.agreement and step in evaluation.compared(self.options.steps, self.options.eval_every):
            found["agreement"] = self.lab.agreement(self.options.held_out, self.held_out, judged)
        found["subsets"] = evaluation.by_subset(self.held_out, judged)
        return self.stamped(found)

    def stamped(self, record: Record) -> Record:
        """The record, with the processor seconds spent on it if they are asked for."""
        spent = self.lab.stamp()
        return record | {"stamp": spent} if self.options.stamp else record


def is_finished(options: Options) -> bool:
    """Whether the file is there. RccaError if other options made it, or if it was cut short."""
    if not Path(options.path).exists():
        return False
    found = list(jsonl.read([options.path]))
    if found:
        check(found[0], options)
    if [(line.record.get("kind"), line.record.get("step")) for line in found] != outline(options):
        raise RccaError(f"{options.path}: not the whole of a run (remove it, and it is made anew)")
    return True


def lacking(options: Options) -> str:
    """What a finished run was made without and is asked for now, with what to do; "" if nothing."""
    keys = {key for line in jsonl.read([options.path]) for key in line.record}
    names = {"agreement": options.agreement, "stamp": options.stamp}
    without = [f"--{name}" for name, asked in names.items() if asked and name not in keys]
    return f", without {' and '.join(without)} (another --out has it made with)" if without else ""


def outline(options: Options) -> list[tuple[str, int | None]]:
    """The kind and the step of each line of a whole run.

    >>> outline(Options(steps=2, eval_every=2))
    [('run', None), ('eval', 0), ('step', 1), ('step', 2), ('eval', 2)]
    """
    found: list[tuple[str, int | None]] = [("run", None), ("eval", 0)]
    for step in range(1, options.steps + 1):
        found += [("step", step), ("eval", step)] if is_evaluated(step, options) else [("step", step)]
    return found


def is_evaluated(step: int, options: Options) -> bool:
    """Whether there is an evaluation after this step."""
    return step % options.eval_every == 0 or step == options.steps


def check(first: Line, options: Options) -> None:
    """RccaError if the run's first line is of other options, naming them."""
    if first.record.get("config") != seeds.config_digest(options):
        theirs = first.record.get("options") or {}
        other = [f"{name} {value}" for name, value in theirs.items() if vars(options).get(name) != value]
        other += [f"no {name}" for name in seeds.counting(options) if theirs and name not in theirs]
        raise first.error(f"a run with {', '.join(other) or 'other options'} (use the same, or another --out)")


def resumed(options: Options) -> list[Record]:
    """What an interrupted run had written up to its last checkpoint; nothing where it had come to none."""
    partial = jsonl.partial_path(options.path)
    if folders.exists(options.checkpoint) and partial.exists():
        folders.mend(options.checkpoint)
        found = whole_lines(partial)
        step = checkpoint.load_state(options.checkpoint).step
        if found and any(line.record.get("step") == step for line in found):
            check(found[0], options)
            console.note(f"{options.path}: goes on after step {step}")
            return [line.record for line in found if line.record.get("step", 0) <= step]
    shutil.rmtree(options.checkpoint, ignore_errors=True)
    return []


def whole_lines(path: Path) -> list[Line]:
    """The lines of a file whose writer may have been cut off in the middle of one."""
    ends = [raw for raw in path.read_bytes().splitlines(keepends=True) if raw.endswith(b"\n")]
    return [Line(jsonl.decode(raw, f"{path}:{number}"), str(path), number) for number, raw in enumerate(ends, 1)]
