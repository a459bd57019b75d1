"""A call of `train` under way: a trainer, how far it is in its input, and the checkpoints it leaves."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

import orjson
import torch

from rcca_cli import console, models, seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import checkpoint
from rcca_cli.train.batch import Group
from rcca_cli.train.checkpoint import State
from rcca_cli.train.distributed import ALONE, World
from rcca_cli.train.loop import Trainer
from rcca_cli.train.options import Options
from rcca_cli.train.sft import Step

FAR = 0.1  # KL(sampler || policy), nats a token, before a call's first update: engines differ by a thousandth
FLAGS = {"learning_rate": "--lr"}  # of the options whose flag is not their name


@dataclass(frozen=True)
class Batch:
    """The groups of one step, and how to recognise the input up to here."""

    groups: list[Group]
    used: int  # groups of the input, these included
    digest: str  # of their records
    first: str  # digest of the first step's records

    def bare(self) -> "Batch":
        """The batch without its records: all that an update needs."""
        return replace(self, groups=[replace(group, lines=[]) for group in self.groups])

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
    doubted: set[str] = field(default_factory=set)  # what was said already

    def learn(self, step: Batch | Step) -> dict[str, Any]:
        """Make the step, write the checkpoint if it is due, and give the step's metrics."""
        record = step.learn(self.trainer)
        self.metrics.append(record)
        self.warn(record)
        self.state = replace(self.state, step=self.trainer.step, groups=step.used, input=step.digest, first=step.first)
        if (self.state.step - self.state.first_step) % self.options.save_every == 0:
            self.save()
        return record

    def warn(self, record: dict[str, Any]) -> None:
        """Say each of the doubts about a step once."""
        begins = record["step"] == self.state.first_step + 1
        for kind, words in doubts(record, begins).items():
            if kind not in self.doubted:
                self.doubted.add(kind)
                console.note(f"step {record['step']}: {words}")

    def say_left_out(self) -> None:
        """How many rollouts of the call there was nothing to learn from, if any."""
        left = sum(record["unscorable"] for record in self.told())
        if left:
            every = left + sum(record["rows"] for record in self.told())
            console.note(f"{left} of {every} rollouts left out: no answer, or not scored (align.advantages is null)")

    def told(self) -> list[dict[str, Any]]:
        """The metrics of this call's steps so far."""
        return [record for record in self.metrics if record["step"] > self.state.first_step]

    def finish(self) -> None:
        """The input is used up: say so in the checkpoint."""
        self.state = replace(self.state, finished=True)
        if self.saved != self.state.step:
            self.save()
        elif self.options.out:
            self.trainer.world.first(lambda: checkpoint.finish(self.options.out))

    def save(self) -> None:
        """Write the checkpoint, if one is wanted at all."""
        if self.options.out:
            checkpoint.save(self.options.out, self.trainer, self.state, self.metrics, self.options.keep)
        self.saved = self.state.step


def doubts(record: dict[str, Any], begins: bool) -> dict[str, str]:
    """What makes a step of little use, in words by kind; `begins`: it is the call's first, so on policy by rights."""
    found = {}
    if 2 * record["truncated"] > record["rows"]:  # they learn to end by luck, if at all
        found["truncated"] = (
            f"{record['truncated']} of {record['rows']} answers ran into their length limit "
            "(rollout --max-new-tokens raises it, --mask-overlong leaves such answers out)"
        )
    if begins and record["kl_sampler"] > FAR:
        found["sampler"] = (
            f"the log-probabilities in the rollouts are not this policy's (KL {record['kl_sampler']:.2g} a token): "
            "another model, or an engine that tells them otherwise (--old-logprobs recomputed)"
        )
    if not record["updates"] and not record["skipped"]:
        found["credit"] = f"no credit in any of its {record['rows']} rollouts, so nothing was learned (frac_zero)"
    return found


def open_session(options: Options, name: str, policy: models.Policy | None = None, world: World = ALONE) -> Session:
    """A session at its start: from the checkpoint `options.start`, or afresh with the model `name`.

    `policy` is the loaded model, if the caller has it: it will be trained in place.
    """
    before, metrics = world.first(lambda: beginning(options, name))
    check_optimizer(options, before)
    state = State(
        step=before.step,
        first_step=before.step,
        config=seeds.config_digest(options),
        source=name,
        reference=options.reference or before.reference,
        options=resolved(options),
    )
    trainer = open_trainer(options, policy or loaded(name, options, world), state, world)
    if options.start:
        checkpoint.load_optimizer(options.start, trainer)
    if options.learning_rate is None:
        console.note(f"learning rate {trainer.rate:g}, by the size of the model (--lr chooses another)")
    return Session(trainer, options, state, metrics)


def beginning(options: Options, name: str) -> tuple[State, list[dict[str, Any]]]:
    """What a call begins with: the state and the metrics of `options.start`, or none of either."""
    if options.out:
        checkpoint.check_replaceable(options.out, options.start)
    if options.start is None:
        return State(reference=name), []
    return checkpoint.load_state(options.start), checkpoint.load_metrics(options.start)


def resumed(options: Options, world: World = ALONE) -> Session:
    """The session as the checkpoint in `out` has it. RccaError if other options made it, naming them."""
    state, metrics = world.first(lambda: kept(options))
    trainer = open_trainer(options, loaded(options.out, options, world), state, world)
    checkpoint.load_optimizer(options.out, trainer)
    console.note(f"resumed after step {state.step}")
    return Session(trainer, options, state, metrics, saved=state.step)


def kept(options: Options) -> tuple[State, list[dict[str, Any]]]:
    """The state and the metrics in `out`. RccaError if other options made it."""
    state = checkpoint.load_state(options.out)
    if different := differences(state, options):
        raise RccaError(f"{options.out}: {', '.join(different)} (use the same, or --from for another call)")
    return state, checkpoint.load_metrics(options.out)


def open_trainer(options: Options, policy: models.Policy, state: State, world: World) -> Trainer:
    """The policy's trainer after `state.step` steps, its optimizer still empty."""
    reference = loaded(str(state.reference), replace(options, lora=0), world) if options.kl else None
    trainer = Trainer(policy, options, reference, world)
    trainer.step = state.step
    return trainer


def loaded(name: str, options: Options, world: World) -> models.Policy:
    """The policy called `name` on the device to train on; of several processes, on its way there."""
    device = chosen_device(options) if world.device is None else "cpu"
    policy = models.load(name, device, apart=bool(options.lora))
    if world.device is not None:
        policy.device = world.device  # where `World.spread` puts this process's part of it
    return policy


def resolved(options: Options) -> dict[str, Any]:
    """The options that the bytes depend on, as JSON has them."""
    counted = (one.name for one in fields(options) if one.metadata.get("config", True))
    content: dict[str, Any] = orjson.loads(orjson.dumps({name: getattr(options, name) for name in counted}))
    return content


def differences(state: State, options: Options) -> list[str]:
    """What was asked for otherwise when the checkpoint was made: `--loss was dapo, now grpo`."""
    wanted = options.model or options.start
    now = resolved(options)
    pairs = [(FLAGS.get(name, f"--{name.replace('_', '-')}"), state.options.get(name), now[name]) for name in now]
    pairs.append(("--from" if options.start else "--model", state.source, wanted or state.source))
    return [f"{flag} was {said(was)}, now {said(new)}" for flag, was, new in pairs if was != new]


def said(value: Any) -> str:
    """An option's value in a message."""
    return "not given" if value is None else str(value)


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
