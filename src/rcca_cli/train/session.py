"""A call of `train` under way: a trainer, how far it is in its input, and the checkpoints it leaves."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import torch

from rcca_cli import console, models, seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import checkpoint
from rcca_cli.train.batch import Group
from rcca_cli.train.checkpoint import State
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from rcca_cli.train.sft import Step


@dataclass(frozen=True)
class Batch:
    """The groups of one step, and how to recognise the input up to here."""

    groups: list[Group]
    used: int  # groups of the input, these included
    digest: str  # of their records

    def answers(self) -> Iterator[Line]:
        """All records of the step that have an answer."""
        return (line for group in self.groups for line in group.lines if line.record["rollout"])

    def learn(self, trainer: Trainer) -> dict[str, Any]:
        """One step of the trainer; its metrics record."""
        return trainer.learn(self.groups) | {"held_out": None}


@dataclass
class Session:
    """A trainer, where its call is in the input, and the metrics so far. `rcca run` keeps one for all its steps."""

    trainer: Trainer
    options: Options
    state: State
    metrics: list[dict[str, Any]] = field(default_factory=list)
    saved: int = -1  # the step of the last checkpoint

    def learn(self, step: Batch | Step) -> dict[str, Any]:
        """Make the step, write the checkpoint if it is due, and give the step's metrics."""
        record = step.learn(self.trainer)
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


def open_session(options: Options, name: str, policy: models.Policy | None = None) -> Session:
    """A session at its start: from the checkpoint `options.start`, or afresh with the model `name`.

    `policy` is the loaded model, if the caller has it: it will be trained in place.
    """
    if options.out:
        checkpoint.check_replaceable(options.out, options.start)
    device = chosen_device(options)
    before = checkpoint.load_state(options.start) if options.start else State(reference=name)
    check_optimizer(options, before)
    policy = policy or models.load(name, device, apart=bool(options.lora))
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
    policy = models.load(options.out, device, apart=bool(options.lora))
    trainer = Trainer(policy, options, reference)
    trainer.step = state.step
    checkpoint.load_optimizer(options.out, trainer)
    console.note(f"resumed after step {state.step}")
    return Session(trainer, options, state, checkpoint.load_metrics(options.out), saved=state.step)


def check_optimizer(options: Options, before: State) -> None:
    """RccaError if another optimizer made the checkpoint that is gone on from: its state would be lost unsaid."""
    theirs = before.options.get("optimizer", options.optimizer)
    if theirs != options.optimizer:
        cure = f"--optimizer {theirs}, or --model {options.start} to begin afresh with it"
        raise RccaError(f"{options.start}: its optimizer is {theirs} ({cure})")


def chosen_device(options: Options) -> str:
    """The device named, or the best there is."""
    if options.device != "auto":
        return options.device
    return "cuda" if torch.cuda.is_available() else "cpu"
