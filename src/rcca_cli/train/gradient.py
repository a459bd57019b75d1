"""What a step would do to a policy, and what a policy says of given answers, as plain numbers: nothing is changed."""

from collections.abc import Iterable, Sequence

import numpy as np
import torch

from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, pack
from rcca_cli.train.batch import Group
from rcca_cli.train.loop import Trainer
from rcca_cli.train.metrics import Tally


def gradient(trainer: Trainer, lines: Iterable[Line]) -> np.ndarray:
    """The gradient (parameter,) of the loss of a step on these aligned records, as its first update would have it.

    Before clipping and before the optimizer. RccaError where a step makes several updates an epoch.
    """
    if trainer.options.minibatches > 1:
        raise RccaError("a gradient is of one update (minibatches 1)")
    return of_groups(trainer, list(batch.groups(lines, trainer.options.credit)))


def of_groups(trainer: Trainer, groups: Sequence[Group]) -> np.ndarray:
    """The same of groups that were read."""
    rows = [row for group in groups for row in group.rows]
    trainer.check(rows)
    used = [row for row in rows if not (trainer.options.mask_overlong and row.truncated)]
    lengths = [row.counted for row in used]
    needed, _ = trainer.with_old(trainer.world.deal(trainer.needed(used)))
    trainer.optimizer.zero_grad(set_to_none=True)
    trainer.accumulate(trainer.scaled(needed, lengths), Tally())
    found = [torch.zeros_like(w) if w.grad is None else w.grad for w in trainer.parameters.values()]
    flat = torch.cat([part.detach().reshape(-1) for part in found]).cpu().numpy().copy()
    trainer.optimizer.zero_grad(set_to_none=True)
    return flat


def logprobs(trainer: Trainer, lines: Iterable[Line]) -> list[np.ndarray]:
    """What the policy says of each record's answer, log-probabilities (token,); none has to have credit."""
    found = []
    for line in lines:
        rollout = line.record["rollout"]
        count = len(rollout["tokens"])
        _, temperature = batch.sampled_with(line, rollout)
        row = batch.Row(
            id=line.record["id"],
            prompt=rollout["prompt_ids"],
            tokens=rollout["tokens"],
            advantage=0.0,
            advantages=[0.0] * count,
            old=None,
            temperature=temperature,
            truncated=False,
            counted=count,
            scored=range(count),
        )
        found.append(trainer.scorer.logprobs(pack.tensors([row], trainer.policy.device)).cpu().numpy())
    return found
