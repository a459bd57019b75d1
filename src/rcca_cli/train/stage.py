"""The stage: batches of groups from the input, a step and a checkpoint for each, metrics out."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from typing import Any

import torch

from rcca_cli import console, jsonl, models, seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, checkpoint
from rcca_cli.train.batch import Group
from rcca_cli.train.checkpoint import State
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import SMALL, Options

__all__ = ["Options", "Session", "open_session", "run"]


@dataclass(frozen=True)
class Batch:
    """The groups of one step, and how to recognise the input up to here."""

    groups: list[Group]
    used: int  # groups of the input, these included
    digest: str  # of their records


@dataclass
class Session:
    """A trainer, where its call is in the input, and the metrics so far. `rcca run` keeps one for all its steps."""

    trainer: Trainer
    options: Options
    state: State
    metrics: list[dict[str, Any]] = field(default_factory=list)
    saved: int = -1  # the step of the last checkpoint

    def learn(self, step: Batch) -> dict[str, Any]:
        """Make the step, write the checkpoint if it is due, and give the step's metrics."""
        record = self.trainer.learn(step.groups)
        self.metrics.append(record)
        self.state = replace(self.state, step=self.trainer.step, groups=step.used, input=step.digest)
        if (self.state.step - self.state.first_step) % self.options.save_every == 0:
            self.save()
        return record

    def finish(self) -> None:
        """The input is used up: say so in the checkpoint."""
        self.state = replace(self.state, finished=True)
        if self.saved != self.state.step:
            self.save()
        elif self.options.out:
            checkpoint.write_state(self.options.out, self.state)

    def save(self) -> None:
        """Write the checkpoint, if one is wanted at all."""
        if self.options.out:
            checkpoint.save(self.options.out, self.trainer, self.state, self.metrics)
            if self.options.keep:
                checkpoint.copy(self.options.out, self.state.step)
        self.saved = self.state.step


def run(lines: Iterable[Line], options: Options, session: Session | None = None) -> Iterator[dict[str, Any]]:
    """Train on the groups of `lines`: one metrics record a step, after its checkpoint is written.

    With `resume` the records of the steps that the interrupted call had finished come first, as they were.
    `session` is one that stays open over several calls, each as if it began from the checkpoint of the last.
    """
    steps = batches(lines, options)
    if session is not None:
        session.state = replace(session.state, first_step=session.state.step, finished=False)
    elif options.resume and (session := resumed(options)) is not None:
        first = session.state.first_step
        yield from (record for record in session.metrics if record["step"] > first)
        steps = after(steps, session.state)
    for step in steps:
        name = options.model or options.start or sampler(step, session.state.source if session else None)
        session = session or open_session(options, name)
        check_tokenizer(step, session.trainer.policy)
        yield session.learn(step)
    if session is None:
        raise RccaError("no records to train on")
    session.finish()


def batches(lines: Iterable[Line], options: Options) -> Iterator[Batch]:
    """`groups_per_step` groups at a time, fewer at the end of the input."""
    held: list[Group] = []
    used, seen = 0, blake2b(digest_size=16)
    for group in batch.groups(lines, options.credit):
        held.append(group)
        used += 1
        for line in group.lines:
            seen.update(jsonl.encode(line.record))
        if len(held) == options.groups_per_step:
            yield Batch(held, used, seen.hexdigest())
            held = []
    if held:
        yield Batch(held, used, seen.hexdigest())


def after(steps: Iterator[Batch], state: State) -> Iterator[Batch]:
    """The batches behind those that the checkpoint has used. RccaError if the input is not the one it was."""
    changed = RccaError(
        "--resume: the input is not the one that the checkpoint was made from (use --from for new data)"
    )
    found = False
    for step in steps:
        if found and not state.finished:
            yield step
        elif found or step.used > state.groups:
            raise changed
        elif step.used == state.groups:
            found = step.digest == state.input
    if not found:
        raise changed


def sampler(step: Batch, before: str | None) -> str:
    """The model that wrote this step's rollouts, and those of the steps before: the one to train.

    RecordError if there are two: which of them was meant?
    """
    for line in lines_of(step):
        name = line.record["rollout"]["model"]
        if not name:
            raise line.error("rollout.model: null (say which model to train with --model)")
        if name != (before or name):
            raise line.error(f"rollout.model: {name} after {before} (say which one to train with --model or --from)")
        before = name
    if before is None:
        raise RccaError("no answers, so no model that gave them (say which one to train with --model)")
    return before


def check_tokenizer(step: Batch, policy: models.Policy) -> None:
    """RecordError if a rollout's ids were made by another tokenizer than the policy's."""
    for line in lines_of(step):
        digest = line.record["rollout"].get("tokenizer")
        if digest not in (None, policy.digest):
            raise line.error(f"rollout.tokenizer: {digest}, but that of {policy.name} is {policy.digest}")


def lines_of(step: Batch) -> Iterator[Line]:
    """All records of the step that have an answer."""
    return (line for group in step.groups for line in group.lines if line.record["rollout"])


def open_session(options: Options, name: str, policy: models.Policy | None = None) -> Session:
    """A session at its start: from the checkpoint `options.start`, or afresh with the model `name`.

    `policy` is the loaded model, if the caller has it: it will be trained in place.
    """
    if options.out:
        checkpoint.check_replaceable(options.out)
    device = chosen_device(options)
    before = checkpoint.load_state(options.start) if options.start else State(reference=name)
    policy = policy or models.load(name, device)
    few_threads(policy)
    reference = options.reference or before.reference
    trainer = Trainer(policy, options, models.load(str(reference), device) if options.kl else None)
    if options.start:
        trainer.step = before.step
        checkpoint.load_optimizer(options.start, trainer)
    state = State(
        step=before.step,
        first_step=before.step,
        config=seeds.config_digest(options),
        source=name,
        reference=reference,
        options={key: value for key, value in asdict(options).items() if value is not None},
    )
    if options.learning_rate is None:
        console.note(f"learning rate {trainer.rate:g}, by the size of the model (--lr chooses another)")
    return Session(trainer, options, state, checkpoint.load_metrics(options.start) if options.start else [])


def resumed(options: Options) -> Session | None:
    """The session as the checkpoint in `out` has it; None if the interrupted call had not come to write one."""
    checkpoint.recover(options.out)
    if not checkpoint.exists(options.out):
        return None
    state = checkpoint.load_state(options.out)
    wanted = options.model or options.start
    if state.config != seeds.config_digest(options) or (wanted and wanted != state.source):
        raise RccaError(f"{options.out}: made with other options (use the same ones, or --from for another call)")
    device = chosen_device(options)
    reference = models.load(str(state.reference), device) if options.kl else None
    policy = models.load(options.out, device)
    few_threads(policy)
    trainer = Trainer(policy, options, reference)
    trainer.step = state.step
    checkpoint.load_optimizer(options.out, trainer)
    console.note(f"resumed after step {state.step}")
    return Session(trainer, options, state, checkpoint.load_metrics(options.out), saved=state.step)


def few_threads(policy: models.Policy) -> None:
    """One thread for a small model on a CPU, so that a busy machine does not make it crawl.

    Threads that share small products wait for each other by spinning: with a browser beside them on two cores
    an update was seen to take eight times as long with two threads as with one.
    """
    small = sum(weight.numel() for weight in policy.model.parameters()) < SMALL
    if small and torch.device(policy.device).type == "cpu":
        torch.set_num_threads(1)


def chosen_device(options: Options) -> str:
    """The device named, or the best there is."""
    if options.device != "auto":
        return options.device
    return "cuda" if torch.cuda.is_available() else "cpu"
