"""What a step would do to a policy, and what a policy says of given answers, as plain numbers: nothing is changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import torch
from torch import Tensor

from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, head, pack
from rcca_cli.train.batch import Row
from rcca_cli.train.loop import Trainer
from rcca_cli.train.metrics import Tally

EXACT = 1e-6  # of the largest slope: what is below is float32's rounding


def gradient(trainer: Trainer, lines: Iterable[Line]) -> np.ndarray:
    """The gradient (parameter,) of the loss of a step on these aligned records, as its first update would have it.

    Before clipping and before the optimizer. RccaError where a step makes several updates an epoch.
    """
    trainer.optimizer.zero_grad(set_to_none=True)
    trainer.accumulate(of_update(trainer, lines), Tally())
    found_P = torch.empty(size(trainer))
    flat(trainer, [weight.grad for weight in trainer.parameters.values()], found_P)
    trainer.optimizer.zero_grad(set_to_none=True)
    return found_P.numpy()


def gradients(trainer: Trainer, credits: Sequence[Iterable[Line]]) -> np.ndarray:
    """`gradient` of the same answers with credit in several ways, (credit, parameter), in less time than one by one.

    The loss reaches the weights through the tokens' log-probabilities only: dL/dw = sum_t dL/dl_t dl_t/dw. So each
    answer goes forward once, and backward once for each direction (token,) in which the dL/dl of the credits differ;
    their gradients are sums of these.
    """
    answers: dict[str, list[tuple[int, Row]]] = {}
    for number, lines in enumerate(credits):
        for row in of_update(trainer, lines):
            answers.setdefault(row.id, []).append((number, row))
    found_CP = torch.zeros(len(credits), size(trainer))
    parts_DP = torch.empty_like(found_CP)  # made once: fresh memory for each direction costs a tenth of the time
    for rows in answers.values():
        whole = shared([row for _, row in rows])
        micro = pack.tensors([whole], trainer.policy.device)
        shares_CD, directions_DN = independent(slopes(trainer, whole, rows, len(credits)))
        count = along(trainer, micro, directions_DN, parts_DP)
        found_CP.addmm_(shares_CD.to(found_CP), parts_DP[:count])
    return found_CP.numpy()


def of_update(trainer: Trainer, lines: Iterable[Line]) -> list[Row]:
    """The rows of the step's first update, as far as its gradient depends on them. RccaError if it has several."""
    if trainer.options.minibatches > 1:
        raise RccaError("a gradient is of one update (minibatches 1)")
    rows = [row for group in batch.groups(lines, trainer.options.credit) for row in group.rows]
    trainer.check(rows)
    used = [row for row in rows if not (trainer.options.mask_overlong and row.truncated)]
    needed, _ = trainer.with_old(trainer.world.deal(trainer.needed(used)))
    return trainer.scaled(needed, [row.counted for row in used])


def shared(rows: Sequence[Row]) -> Row:
    """A row whose scored tokens are those of all these, each of which is as much of one answer as its credit needs."""
    longest = max(rows, key=lambda row: len(row.tokens))
    return replace(longest, scored=sorted(set().union(*(row.scored for row in rows))))


def slopes(trainer: Trainer, whole: Row, rows: Iterable[tuple[int, Row]], count: int) -> Tensor:
    """dL/dl (credit, token), in float64, at the scored tokens of `whole`; `rows` are numbered by credit."""
    device = trainer.policy.device
    logprobs_N = trainer.scorer.logprobs(pack.tensors([whole], device))
    places = {index: place for place, index in enumerate(whole.scored)}
    found_CN = torch.zeros(count, len(places), dtype=torch.float64, device=device)
    for number, row in rows:
        at = torch.tensor([places[index] for index in row.scored], device=device)
        asked = trainer.asked([row], pack.tensors([row], device))
        if asked.needs_rows:
            asked = asked.seeing(logprobs_N[at])
        _, slopes_N = head.slope(asked, logprobs_N[at], slice(None))
        found_CN[number, at] = slopes_N.double()
    return found_CN


def independent(slopes_CN: Tensor) -> tuple[Tensor, Tensor]:
    """(credit, direction) and (direction, token) whose product they are, with as few directions as there can be."""
    _, sizes_D, right_DN = torch.linalg.svd(slopes_CN, full_matrices=False)
    directions_DN = right_DN[sizes_D > EXACT * sizes_D.max()]
    return slopes_CN @ directions_DN.T, directions_DN  # so that without credit all shares are 0


@dataclass(frozen=True)
class Weighted:
    """The objective sum_t weight_t l_t."""

    weights_N: Tensor
    needs_rows: bool = False

    def __call__(self, logprobs_C: Tensor, at: slice) -> Tensor:
        """The part of the tokens `at`."""
        return (self.weights_N[at] * logprobs_C).sum()

    def seeing(self, logprobs_N: Tensor) -> Self:
        """The same."""
        return self


def along(trainer: Trainer, micro: pack.Micro, directions_DN: Tensor, out_DP: Tensor) -> int:
    """Write the gradient of each weighted sum of the log-probabilities of the scored tokens; gives their number."""
    weights = list(trainer.parameters.values())
    seen_N = trainer.scorer.seen(micro)
    for place, weights_N in enumerate(directions_DN.to(micro.temperatures_N)):
        loss, _ = trainer.scorer.loss_of(seen_N, micro, Weighted(weights_N))
        flat(trainer, torch.autograd.grad(loss, weights, retain_graph=True, allow_unused=True), out_DP[place])
    return len(directions_DN)


def flat(trainer: Trainer, parts: Iterable[Tensor | None], out_P: Tensor) -> None:
    """Write the gradients of the trained weights one after the other; 0 where there is none."""
    pairs = zip(trainer.parameters.values(), parts, strict=True)
    whole = [(torch.zeros_like(w) if part is None else part.detach()).reshape(-1).cpu() for w, part in pairs]
    torch.cat(whole, out=out_P)


def size(trainer: Trainer) -> int:
    """How many numbers a gradient has."""
    return sum(weight.numel() for weight in trainer.parameters.values())


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
