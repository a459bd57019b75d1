"""What a run is asked to do, and what that asks of each stage."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rcca_cli.align.stage as align
import rcca_cli.judge.stage as judge
import rcca_cli.rollout.stage as rollout
import rcca_cli.synth.stage as synth
import rcca_cli.train.stage as train
from rcca_cli import seeds

HERE: dict[str, Any] = {"config": False}  # where and how long it runs, not what comes out


@dataclass(frozen=True)
class Options:
    """Options of `run`; the defaults of the update were tuned on the embedded policy (docs/run.md)."""

    out: str = field(default="run", metadata=HERE)
    steps: int = field(default=40, metadata=HERE)
    minutes: float = field(default=0.0, metadata=HERE)  # 0: no bound
    resume: bool = field(default=False, metadata=HERE)
    jobs: int = field(default=2, metadata=HERE)
    device: str = field(default="auto", metadata=HERE)

    model: str = "embedded"
    families: tuple[str, ...] = ()
    groups: int = 4
    group_size: int = 8
    mode: str = "rubric"
    sequence_share: float = 0.3
    seed: int = 0
    learning_rate: float | None = None
    epochs: int = 2
    minibatches: int = 1
    kl: float = 0.0
    credit_warmup: int = 0
    eval_tasks: int = 24
    eval_samples: int = 1

    @property
    def checkpoint(self) -> str:
        """Where the policy is after each step; also its name in `rollout.model` from the second step on."""
        return str(Path(self.out) / "checkpoint")

    def tasks(self) -> synth.Options:
        """All tasks of the run: step k takes number (k - 1) groups to k groups - 1."""
        return synth.Options(seed=self.seed, count=self.steps * self.groups, families=self.families)

    def sampling(self, name: str) -> rollout.Options:
        """Sampling of a step, from the policy called `name`."""
        return rollout.Options(model=name, group_size=self.group_size, seed=self.seed, device=self.device)

    def judging(self) -> judge.Options:
        """Judging, the same everywhere."""
        return judge.Options(jobs=self.jobs)

    def crediting(self) -> align.Options:
        """Credit in the mode of the run."""
        return align.Options(mode=self.mode, sequence_share=self.sequence_share)

    def training(self, started: bool) -> train.Options:
        """The update; a run that has `started` goes on from its own checkpoint."""
        return train.Options(
            out=self.checkpoint,
            model=None if started else self.model,
            start=self.checkpoint if started else None,
            device=self.device,
            learning_rate=self.learning_rate,
            groups_per_step=self.groups,
            epochs=self.epochs,
            minibatches=self.minibatches,
            kl=self.kl,
            credit_warmup=self.credit_warmup,
            seed=self.seed,
        )

    def held_out_tasks(self) -> synth.Options:
        """Tasks that no step trains on: another stream."""
        return synth.Options(seed=self.held_out_seed, count=self.eval_tasks, families=self.families)

    def held_out_sampling(self, name: str) -> rollout.Options:
        """Their sampling: the same seeds before and after, so that the two can be compared pair by pair."""
        return replace(self.sampling(name), group_size=self.eval_samples, seed=self.held_out_seed)

    @property
    def held_out_seed(self) -> int:
        """The seed of the evaluation, derived from the run's."""
        return seeds.derive(self.seed, "held out")
