"""What is asked of a micro-batch's log-probabilities: the policy gradient's loss with credit per token."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from rcca_cli.train import pack
from rcca_cli.train.batch import Row
from rcca_cli.train.loss import KL, Clip, Loss, old_of_sequences, trust
from rcca_cli.train.options import Options


@dataclass(frozen=True)
class PolicyGradient:
    """sum_t scale_t (trust_t loss_t + kl KL_t) over the scored tokens of some rows, called chunk by chunk.

    All tensors are (N,), in the order of the rows. `old_N` is NaN where l_old is the policy's own as it is now
    (r = 1); `sampler_N` is NaN where the engine's log-probability is not known or is l_old itself.
    """

    loss: Loss
    clip: Clip
    advantages_N: Tensor
    scales_N: Tensor
    old_N: Tensor
    sampler_N: Tensor
    rows_N: Tensor
    reference_N: Tensor | None = None
    kl: float = 0.0
    kl_kind: str = "k3"

    @classmethod
    def of(cls, rows: Sequence[Row], options: Options, device: torch.device | str = "cpu") -> "PolicyGradient":
        """For these rows, in this order."""
        loss = options.token_loss
        found = {f"{name}_N": pack.flat(rows, name).to(device) for name in ("advantages", "old", "sampler")}
        scales_N = pack.per_token(rows, [row.scale for row in rows]).to(device)
        rows_N = pack.per_token(rows, range(len(rows))).long().to(device)
        clip = loss.clip_with(options.clip_low, options.clip_high, options.dual_clip)
        return cls(loss, clip, scales_N=scales_N, rows_N=rows_N, kl=options.kl, kl_kind=options.kl_kind, **found)

    def __call__(self, logprobs_C: Tensor, at: slice) -> Tensor:
        """The part of the tokens `at`."""
        old_C = self.old(logprobs_C.detach(), at)
        token_C = self.loss.token(logprobs_C, old_C, self.advantages_N[at], self.clip)
        loss_C = trust(old_C, self.sampler_N[at]) * token_C
        if self.reference_N is not None:
            loss_C = loss_C + self.kl * KL[self.kl_kind](logprobs_C, self.reference_N[at])  # never by credit
        return (self.scales_N[at] * loss_C).sum()

    @property
    def needs_rows(self) -> bool:
        """Whether it has to see the log-probabilities of whole rows (`seeing`) before it can be called."""
        return self.loss.sequence

    def seeing(self, logprobs_N: Tensor) -> "PolicyGradient":
        """The same, for a loss whose ratio is the sequence's."""
        old_N = self.old(logprobs_N, slice(None))
        return replace(self, old_N=old_of_sequences(logprobs_N, old_N, self.rows_N))

    def old(self, logprobs_C: Tensor, at: slice) -> Tensor:
        """l_old of the tokens `at`, given their l."""
        return torch.where(self.old_N[at].isnan(), logprobs_C, self.old_N[at])
