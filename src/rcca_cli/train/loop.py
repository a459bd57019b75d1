"""The update: a batch of groups in, one optimizer step or several out, and the numbers that describe them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from rcca_cli import console, seeds
from rcca_cli.errors import RccaError
from rcca_cli.train import batch, metrics
from rcca_cli.train.batch import Group, Row
from rcca_cli.train.logprobs import scorer
from rcca_cli.train.loss import KL, row_scales, surrogate
from rcca_cli.train.options import Options, base_rate, credit_share, rate_factor

BETAS = (0.9, 0.95)  # of AdamW; a run has few updates, and 0.999 would remember all of them


class Trainer:
    """A policy, its optimizer and how many steps they have made. The policy's own weights are changed in place."""

    def __init__(self, policy: Any, options: Options, reference: Any = None) -> None:
        self.policy = policy
        self.options = options
        self.reference = reference  # a second policy, for the KL term only
        self.step = 0
        self.recomputed = 0  # rows, so far
        self.model = policy.model.float().eval()  # eval: with dropout, r would not be 1 on policy
        self.parameters = {name: weight for name, weight in self.model.named_parameters() if weight.requires_grad}
        self.rate = base_rate(options, sum(weight.numel() for weight in self.parameters.values()))
        self.optimizer = torch.optim.AdamW(
            self.parameters.values(), lr=self.rate, betas=BETAS, weight_decay=options.weight_decay
        )
        self.score = scorer(self.model)
        self.score_reference = None if reference is None else scorer(reference.model.float().eval())

    def learn(self, groups: Sequence[Group]) -> dict[str, Any]:
        """One step on these groups; gives its metrics record. RccaError if the update is not finite."""
        self.step += 1
        options = self.options
        rows = [batch.ramped(row, credit_share(options, self.step)) for group in groups for row in group.rows]
        if options.explain:
            self.explain(rows)
        self.check(rows)
        used = [row for row in rows if not (options.mask_overlong and row.truncated)]
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = self.rate * rate_factor(options, self.step)
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

    def update_all(self, used: list[Row]) -> tuple[metrics.Tally, int]:
        """Every epoch's updates on these rows; gives their tally and how many old log-probs were recomputed."""
        options, tally = self.options, metrics.Tally()
        # Denominators are those of the whole batch, whatever is left out below because it has no gradient.
        tokens = sum(row.counted for row in used) / options.minibatches
        count = len(used) / options.minibatches
        if self.score_reference is None:
            used = [row.without_tail() for row in used]
        used, recomputed = self.with_old(used)
        for epoch in range(options.epochs):
            for rows in self.minibatches(used, epoch):
                scales = row_scales(options.loss, [row.counted for row in rows], tokens, count, options.horizon)
                scaled = [replace(row, scale=scale) for row, scale in zip(rows, scales, strict=True)]
                self.update([row for row in scaled if row.tokens], tally, last=epoch == options.epochs - 1)
        return tally, recomputed

    def update(self, rows: Sequence[Row], tally: metrics.Tally, last: bool) -> None:
        """One optimizer step on these rows, exact however they are cut into micro-batches; none without rows."""
        if not rows:
            return
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for part in batch.micro_batches(rows, self.options.micro_tokens):
            loss = self.loss(part, tally, last)
            loss.backward()
            total += float(loss.detach())
        norm = float(torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), self.options.max_grad_norm))
        if not (math.isfinite(total) and math.isfinite(norm)):
            raise RccaError(f"step {self.step}: loss {total}, gradient norm {norm}: not saved (try a lower --lr)")
        self.optimizer.step()
        tally.loss.add(total, 1)
        tally.norm.add(norm, 1)

    def loss(self, rows: Sequence[Row], tally: metrics.Tally, last: bool) -> Tensor:
        """This micro-batch's part of the loss of its update: sum_i scale_i sum_t (surrogate + kl KL)."""
        options, device = self.options, self.policy.device
        micro = batch.tensors(rows, device)
        old_N = batch.flat(row.old or [] for row in rows).to(device)
        advantages_N = batch.flat(row.advantages for row in rows).to(device)
        scales_N = batch.per_token(rows, [row.scale for row in rows]).to(device)
        logprobs_N = self.score(micro)
        tally.see(logprobs_N, old_N, advantages_N, options, last)
        loss_N = surrogate(logprobs_N, old_N, advantages_N, options.clip_low, options.clip_high)
        if self.score_reference is not None:
            with torch.no_grad():
                reference_N = self.score_reference(micro)
            kl_N = KL[options.kl_kind](logprobs_N, reference_N)  # never multiplied by credit
            tally.reference.add(float(kl_N.detach().sum()), len(kl_N))
            loss_N = loss_N + options.kl * kl_N
        return (scales_N * loss_N).sum()

    def minibatches(self, rows: Sequence[Row], epoch: int) -> Iterator[list[Row]]:
        """The rows in as many updates as asked for; shuffled by names, so that resuming needs no random state."""
        parts, order = self.options.minibatches, list(rows)
        if parts > 1:
            seeds.generator(self.options.seed, "minibatches", self.step, epoch).shuffle(order)
        for part in range(parts):
            if chosen := order[part * len(order) // parts : (part + 1) * len(order) // parts]:
                yield chosen

    def with_old(self, rows: list[Row]) -> tuple[list[Row], int]:
        """The rows with log-probabilities before the update: the sampler's, or else the policy's as it is now."""
        missing = [row for row in rows if row.old is None and row.tokens]
        if missing and not self.recomputed:
            console.note("no usable log-probabilities in some rollouts: computed anew, from the policy as it is now")
        self.recomputed += len(missing)
        found: dict[int, list[float]] = {}
        for part in batch.micro_batches(missing, self.options.micro_tokens):
            with torch.no_grad():
                logprobs_N = self.score(batch.tensors(part, self.policy.device))
            found |= {id(row): old for row, old in zip(part, batch.split(logprobs_N, part), strict=True)}
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

    def explain(self, rows: Sequence[Row]) -> None:
        """Say how large the terms of the credit are."""
        size = metrics.root_mean_squares(rows)
        console.error(
            f"step {self.step}: root mean square of the sequence's advantage {size['sequence']:.4f}, "
            f"of the tokens' own {size['token']:.4f}, of their difference {size['added']:.4f}"
        )
