"""The update: a batch of groups in, one optimizer step or several out, and the numbers that describe them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from rcca_cli import console, seeds
from rcca_cli.errors import RccaError
from rcca_cli.train import batch, memory, metrics, pack
from rcca_cli.train.batch import Group, Row
from rcca_cli.train.distributed import ALONE, World, whole
from rcca_cli.train.logprobs import Scorer
from rcca_cli.train.loss import Sizes
from rcca_cli.train.metrics import Tally
from rcca_cli.train.objective import PolicyGradient
from rcca_cli.train.optimizers import OPTIMIZERS, set_rate
from rcca_cli.train.options import Options, base_rate, credit_share, rate_factor
from rcca_cli.train.pack import Micro
from rcca_cli.train.policy import prepare

STRIKES = 3  # updates in a row that were not finite, before we give up
PACKED = 8192  # positions at once on a device with memory of its own


class Trainer:
    """A policy, its optimizer and how many steps they have made. The policy's own weights are changed in place."""

    def __init__(self, policy: Any, options: Options, reference: Any = None, world: World = ALONE) -> None:
        self.policy = policy
        self.options = options
        self.world = world
        self.step = 0
        self.recomputed = 0  # rows, so far
        self.strikes = 0  # updates that were not finite since the last that was
        self.model = prepare(policy, options)
        bf16 = options.dtype == "bf16"
        self.scorer = world.spread(Scorer(self.model, bf16))
        self.parameters = {name: weight for name, weight in self.model.named_parameters() if weight.requires_grad}
        self.rate = base_rate(options, sum(weight.numel() for weight in self.parameters.values()))
        made = OPTIMIZERS[options.optimizer]
        self.optimizer = made(self.model, list(self.parameters.values()), self.rate, options.weight_decay)
        self.reference = None if reference is None else world.spread(Scorer(reference.model.float().eval(), bf16))

    def learn(self, groups: Sequence[Group]) -> dict[str, Any]:
        """One step on these groups; gives its metrics record. RccaError after updates in a row that are not finite."""
        self.step += 1
        options = self.options
        rows = [batch.ramped(row, credit_share(options, self.step)) for group in groups for row in group.rows]
        self.check(rows)
        used = [row for row in rows if not (options.mask_overlong and row.truncated)]
        set_rate(self.optimizer, self.rate * rate_factor(options, self.step))
        tally, recomputed = self.update_all(used)
        return {
            "step": self.step,
            **metrics.of_rollouts(groups),
            **tally.record(),
            "lr": self.optimizer.param_groups[0]["lr"],
            "credit_share": credit_share(options, self.step),
            "recomputed": recomputed,
            "config": seeds.config_digest(options),
        }

    def update_all(self, used: list[Row]) -> tuple[Tally, int]:
        """Every epoch's updates on these rows; gives their tally and how many old log-probs were not the recorded."""
        options, tally = self.options, Tally()
        lengths = [row.counted for row in used]  # the whole batch's, whatever is left out below as without gradient
        used, recomputed = self.with_old(self.world.deal(self.needed(used)))
        for epoch in range(options.uses):
            for rows in self.minibatches(used, epoch):
                scaled = self.scaled(rows, lengths)
                tally.add(self.update(scaled, first=not tally.loss.count, last=epoch == options.uses - 1))
        return tally, recomputed

    def scaled(self, rows: Sequence[Row], lengths: Sequence[int]) -> list[Row]:
        """The rows of one update that have a gradient, each with its factor; `lengths` are those of all the batch's."""
        options = self.options
        sizes = Sizes.of(lengths, [row.counted for row in rows], options.minibatches, options.horizon)
        return [replace(row, scale=options.token_loss.scale(row.counted, sizes)) for row in rows if row.scored]

    def needed(self, rows: list[Row]) -> list[Row]:
        """The rows as far as the gradient depends on them. Rows are emptied, not dropped: they count as they did.

        With a KL term every token has a gradient; with a ratio of the sequence every token of a row has a say.
        """
        if self.reference is not None:
            return rows
        if self.options.token_loss.sequence:
            return [row if any(row.advantages) else row.sparse() for row in rows]
        return [row.sparse() for row in rows]

    def update(self, rows: Sequence[Row], first: bool, last: bool) -> Tally:
        """One optimizer step on these rows, exact however they are cut into micro-batches; none without rows.

        A loss, gradient or log-probability that is not finite: no step, and the tally says only that.
        """
        tally = Tally()
        if not rows:
            return tally
        self.optimizer.zero_grad(set_to_none=True)
        total, tally = self.world.added(self.accumulate(rows, tally, first, last), tally)
        norm = float(whole(torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.options.max_grad_norm)))
        if not (math.isfinite(total) and math.isfinite(norm)):
            return self.skipped(total, norm)
        self.optimizer.step()
        self.strikes = 0
        if not math.isfinite(float(whole(torch.nn.utils.get_total_norm(self.parameters.values())))):
            raise RccaError(f"step {self.step}: weights are not finite after it: not saved (try a lower --lr)")
        tally.loss.add(total, 1)
        tally.norm.add(norm, 1)
        return tally

    def accumulate(self, rows: Sequence[Row], tally: Tally, first: bool = True, last: bool = True) -> float:
        """Add the gradients of the rows' loss to the weights', a micro-batch at a time; gives the loss."""
        total, longest = 0.0, max((row.length for row in rows), default=0)
        for part in self.world.micro_batches(rows, self.budget):
            loss = self.loss(part, tally if part[0].scale else Tally(), first, last)
            (self.world.size * loss).backward()  # not finite or not: all processes meet in it, and take the mean
            total += float(loss.detach())
            del loss  # and its graph, before the next is made
            if self.policy.device.type == "cpu" and part[0].length > memory.LONG * longest:
                memory.give_back()
        return total

    def skipped(self, loss: float, norm: float) -> Tally:
        """An update that cannot be made: said and counted. RccaError if it is not the first in a row."""
        self.strikes += 1
        told = f"step {self.step}: loss {loss}, gradient norm {norm}"
        if self.strikes == STRIKES:
            raise RccaError(f"{told}: the {STRIKES}rd update in a row that is not finite: not saved (try a lower --lr)")
        console.note(f"{told}: update skipped")
        return Tally(skipped=1)

    def loss(self, rows: Sequence[Row], tally: Tally, first: bool = True, last: bool = True) -> Tensor:
        """This micro-batch's part of the loss of its update: sum_i scale_i sum_t (surrogate + kl KL)."""
        micro = pack.tensors(rows, self.policy.device)
        asked = self.asked(rows, micro)
        loss, logprobs_N = self.scorer.loss(micro, asked)
        tally.see(logprobs_N, asked, first, last)
        return loss

    def asked(self, rows: Sequence[Row], micro: Micro) -> PolicyGradient:
        """What the loss asks of the log-probabilities of these rows, which `micro` has as tensors."""
        asked = PolicyGradient.of(rows, self.options, self.policy.device)
        return asked if self.reference is None else replace(asked, reference_N=self.reference.logprobs(micro))

    @property
    def budget(self) -> int:
        """Positions that go through the model at once; 0: one row at a time."""
        scorers = [self.scorer] if self.reference is None else [self.scorer, self.reference]
        if not all(scorer.packs for scorer in scorers):
            return 0
        if self.options.micro_tokens is not None:
            return self.options.micro_tokens
        return 0 if self.policy.device.type == "cpu" else PACKED

    def minibatches(self, rows: Sequence[Row], epoch: int) -> Iterator[list[Row]]:
        """The rows in as many updates as asked for; shuffled by names, so that resuming needs no random state."""
        parts, order = self.options.minibatches, list(rows)
        if parts > 1:
            seeds.generator(self.options.seed, "minibatches", self.step, epoch).shuffle(order)
        for part in range(parts):
            if chosen := order[part * len(order) // parts : (part + 1) * len(order) // parts]:
                yield chosen

    def with_old(self, rows: list[Row]) -> tuple[list[Row], int]:
        """The rows with l_old, and how many of them have another than the recorded.

        Recorded: the engine's own is l_old, and where it cannot be used the policy's. Otherwise the policy's as it is
        now, and the engine's corrects for the difference. A single update needs no l_old: it is the policy's there.
        """
        if self.options.objective == "sft":
            return rows, 0  # nobody sampled them
        if self.options.old_logprobs != "recorded":
            rows = [replace(row, old=None, sampler=row.old) for row in rows]
        missing = [row for row in rows if row.old is None and row.scored]
        if missing and not self.recomputed and self.options.old_logprobs == "recorded":
            console.note("no usable log-probabilities in some rollouts: computed anew, from the policy as it is now")
        self.recomputed += len(missing)
        if self.options.uses * self.options.minibatches == 1:
            return rows, len(missing)
        found: dict[int, list[float]] = {}
        for part in self.world.micro_batches(missing, self.budget):
            logprobs_N = self.scorer.logprobs(pack.tensors(part, self.policy.device))
            for row, numbers in zip(part, pack.split(logprobs_N, part), strict=True):
                found[id(row)] = spread(row, numbers)
        return [replace(row, old=found[id(row)]) if id(row) in found else row for row in rows], len(missing)

    def check(self, rows: Sequence[Row]) -> None:
        """RccaError if a token id is outside the vocabulary: the rollout is another tokenizer's."""
        vocabulary = self.model.get_input_embeddings().weight.shape[0]
        for row in rows:
            for token in (min(row.tokens), min(row.prompt), max(row.tokens), max(row.prompt)):
                if not 0 <= token < vocabulary:
                    raise RccaError(
                        f"{row.id}: token {token} where {self.policy.name} has {vocabulary} (another tokenizer?)"
                    )


def spread(row: Row, numbers: Sequence[float]) -> list[float]:
    """Numbers of the row's scored tokens as a list with one for each token; NaN for those that nobody asks for."""
    found = [math.nan] * len(row.tokens)
    for index, number in zip(row.scored, numbers, strict=True):
        found[index] = number
    return found
