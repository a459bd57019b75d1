"""Objective `sft`: learn answers as they are, every token alike, as a warm start for the objective `rl`.

A row is one answer, all of whose tokens have advantage 1 in the loss -A l, which is their cross-entropy; the rest is
the update of `rl`. All answers are held in memory, four bytes a token, because each pass has an order of its own.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rcca_cli import seeds
from rcca_cli.jsonl import Line
from rcca_cli.models import Policy
from rcca_cli.train import answers, pack
from rcca_cli.train.answers import Answer
from rcca_cli.train.batch import Group, Row
from rcca_cli.train.options import Options


def parts(learned: Sequence[Answer], seed: int, first: int, size: int) -> Iterator[list[Answer]]:
    """One pass over the answers, in steps of at most `size` and as equal as can be.

    The order is made of the seed, the number `first` of the pass's first step, and the answers' ids: so the input's
    order does not matter, and a pass in a call of its own is the one it would have been in a long call.
    """
    order = sorted(learned, key=lambda answer: seeds.derive(seed, "sft", first, answer.id))
    steps = -(-len(order) // size)
    for step in range(steps):
        yield order[step * len(order) // steps : (step + 1) * len(order) // steps]


@dataclass(frozen=True)
class Step:
    """The answers of one step, and how to recognise the input; a step of `rl` is a `session.Batch`."""

    learned: list[Answer]
    held_out: list[Answer]  # measured after the step; none: not this time
    used: int  # answers so far, over all passes
    digest: str  # of the whole input, which is read before the first step
    first: str

    def bare(self) -> "Step":
        """What a process that reads no input is told of it: all."""
        return self

    def answers(self) -> Iterator[Line]:
        """None: an answer need not be the trained model's own, nor in its tokens."""
        return iter(())

    def learn(self, trainer: Any) -> dict[str, Any]:
        """One step of the trainer; its metrics record. `held_out` is the mean loss of a held-out token."""
        groups = [Group(answer.id, [], [row(answer)]) for answer in self.learned]
        record = trainer.learn(groups)
        return record | {"unscorable": 0, "held_out": mean_loss(trainer, self.held_out) if self.held_out else None}


def steps(lines: Iterable[Line], options: Options, policy: Policy, first: int = 1) -> Iterator[Step]:
    """Passes over all of the input, `options.epochs` of them; `first` is the number of the first step."""
    corpus = answers.read(lines, policy, options.held_out)
    corpus.say()
    step, used = first, 0
    for _ in range(options.epochs):
        chosen = list(parts(corpus.learned, options.seed, step, options.rows_per_step))
        for learned in chosen:
            used += len(learned)
            measured = step % options.held_out_every == 0 or learned is chosen[-1]
            yield Step(learned, corpus.held_out if measured else [], used, corpus.digest, corpus.digest)
            step += 1


def row(answer: Answer) -> Row:
    """The answer as a row whose tokens all have advantage 1."""
    ones = [1.0] * len(answer.tokens)
    return Row(
        id=answer.id,
        prompt=list(answer.prompt),
        tokens=list(answer.tokens),
        advantage=1.0,
        advantages=ones,
        old=None,
        temperature=1.0,
        truncated=answer.truncated,
        counted=len(ones),
        scored=range(len(ones)),
    )


def mean_loss(trainer: Any, held_out: Sequence[Answer]) -> float:
    """The mean cross-entropy of the answers' tokens under the trainer's model as it is now."""
    world, total = trainer.world, 0.0
    rows = world.deal([replace(row(answer), scale=1.0) for answer in held_out])
    for part in world.micro_batches(rows, trainer.budget):
        logprobs_N = trainer.scorer.logprobs(pack.tensors(part, trainer.policy.device)).cpu()
        total -= float((pack.per_token(part, [one.scale for one in part]) * logprobs_N).sum())  # 0 for anchors
    return math.fsum(world.everyone(total)) / sum(len(answer.tokens) for answer in held_out)
