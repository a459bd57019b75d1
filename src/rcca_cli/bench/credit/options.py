"""What one run of one arm is asked to do, and what that asks of each stage."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rcca_cli.rollout.stage as rollout
import rcca_cli.train.stage as train
from rcca_cli import seeds
from rcca_cli.bench.credit import tasks
from rcca_cli.bench.credit.arms import ARMS, SIMULATED, Arm
from rcca_cli.synth.app import App

HERE: dict[str, Any] = {"config": False}  # where and how it runs, not what comes out


@dataclass(frozen=True)
class Options:
    """One run. The same `seed` gives every arm the same tasks, prompts and sampling seeds."""

    arm: str = "oracle"
    seed: int = 0
    tier: str = SIMULATED
    model: str = "embedded"
    steps: int = 60
    groups: int = 4
    group_size: int = 8
    sequence_share: float = 0.3  # λ, of arms whose items have credit of their own
    learning_rate: float | None = None  # None: by the size of the model
    epochs: int = 2
    kl: float = 0.0
    held_out: str = "tuning"  # the set whose tasks are evaluated on; confirmation is opened once
    eval_every: int = 10  # steps
    eval_tasks: int = 96
    eval_samples: int = 1
    calibration_tasks: int = 16  # whose groups give the scale of the localised term
    max_new_tokens: int = 384
    items: int | None = field(default=None, metadata={"config": "given"})  # of each task's rubric; None: all
    out: str = field(default="credit", metadata=HERE)
    cache: str | None = field(default=None, metadata=HERE)
    jobs: int = field(default=2, metadata=HERE)  # pages that the real judge looks at together
    agreement: bool = field(default=False, metadata=HERE)  # ask the real judge too of what the oracle judged
    stamp: bool = field(default=False, metadata=HERE)  # processor seconds in each record

    @property
    def how(self) -> Arm:
        """The arm."""
        return ARMS[self.arm]

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.arm}-{self.tier}-{self.seed:03d}"

    @property
    def path(self) -> str:
        """The run's file."""
        return str(Path(self.out) / f"{self.name}.jsonl")

    @property
    def checkpoint(self) -> str:
        """Where the policy is while the run goes on."""
        return str(Path(self.out) / f"{self.name}.checkpoint")

    def sampling(self, size: int, seed: int) -> rollout.Options:
        """Sampling `size` answers to each of some tasks."""
        return rollout.Options(model=self.model, group_size=size, seed=seed, max_new_tokens=self.max_new_tokens)

    def training(self, started: bool) -> train.Options:
        """The update; a run that has `started` goes on from its own checkpoint."""
        return train.Options(
            out=self.checkpoint,
            model=None if started else self.model,
            start=self.checkpoint if started else None,
            device="cpu",
            learning_rate=self.learning_rate,
            groups_per_step=self.groups,
            epochs=self.epochs,
            kl=self.kl,
            save_every=self.eval_every,
            seed=self.seed,
        )

    @property
    def held_out_seed(self) -> int:
        """Of the evaluation: the same tasks and chances whenever it is made."""
        return seeds.derive(self.seed, "held out")

    @property
    def full(self) -> bool:
        """Whether only tasks with the longest rubrics are drawn, since each is cut to `items`."""
        return self.items is not None

    def learned(self) -> list[App]:
        """The tasks of all steps, in order."""
        return tasks.draw("rl", self.seed, self.steps * self.groups, self.full)

    def evaluated(self, name: str) -> list[App]:
        """The tasks of an evaluation on the set `name`."""
        return tasks.draw(name, self.held_out_seed, self.eval_tasks, self.full)
