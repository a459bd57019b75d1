"""The numbers a step reports: about the rollouts, as they were read, and about the update."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from rcca_cli.train.batch import Group
from rcca_cli.train.loss import KL, k3, ratio, trust
from rcca_cli.train.objective import PolicyGradient


def pass_share(record: dict[str, Any]) -> float | None:
    """The share of the record's known verdicts that passed; 0 for a page that failed a gate, None if nothing is known.

    >>> pass_share({"judge": {"level": "functional", "reward": 0.9, "verdicts": [{"passed": True}, {"passed": None}]}})
    1.0
    >>> pass_share({"judge": {"level": "source", "reward": 0.1, "verdicts": []}})
    0.0
    """
    judge = record.get("judge") or {}
    if judge.get("reward") is None:
        return None
    if judge["level"] != "functional":
        return 0.0
    return mean(verdict["passed"] for verdict in judge["verdicts"] if verdict["passed"] is not None)


def mean(values: Iterable[float]) -> float | None:
    """The arithmetic mean, None of nothing."""
    listed = [float(value) for value in values]
    return math.fsum(listed) / len(listed) if listed else None


def of_rollouts(groups: Sequence[Group]) -> dict[str, Any]:
    """Means over the rollouts as judged; null where no judge has been, never 0."""
    judged = [line.record for group in groups for line in group.lines if line.record.get("judge")]
    known = [record for record in judged if record["judge"]["reward"] is not None]
    shares = [share for record in judged if (share := pass_share(record)) is not None]
    rows = [row for group in groups for row in group.rows]
    contrast = [any(any(row.advantages) for row in group.rows) for group in groups]
    return {
        "reward_mean": mean(record["judge"]["reward"] for record in known),
        "pass_mean": mean(shares),
        "functional": mean(record["judge"]["level"] == "functional" for record in known),
        "groups": len(groups),
        "rows": len(rows),
        "unscorable": sum(len(group.lines) for group in groups) - len(rows),
        "truncated": sum(row.truncated for row in rows),
        "frac_zero": 1 - (mean(contrast) or 0.0),
        "tokens": sum(row.counted for row in rows),
        "frac_zero_tokens": mean(number == 0 for row in rows for number in row.advantages) or 0.0,
    }


@dataclass
class Share:
    """A mean in the making."""

    total: float = 0.0
    count: int = 0

    def add(self, total: float, count: int) -> None:
        self.total += total
        self.count += count

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


@dataclass
class Tally:
    """What the updates of one step added up to. Over tokens: those that were computed."""

    loss: Share = field(default_factory=Share)  # over updates
    norm: Share = field(default_factory=Share)  # over updates, before clipping
    clipped: Share = field(default_factory=Share)  # over tokens and epochs
    sampler: Share = field(default_factory=Share)  # KL(sampler || policy) before the first update: should be 0
    old: Share = field(default_factory=Share)  # KL(old || policy) in the last epoch
    reference: Share = field(default_factory=Share)  # KL(policy || reference), over tokens and epochs
    trust: Share = field(default_factory=Share)  # the importance correction, over tokens for which it is known
    deviation: float = 0.0  # the largest |r - 1|
    skipped: int = 0  # updates that were not finite

    def see(self, logprobs_N: Tensor, asked: PolicyGradient, first: bool, last: bool) -> None:
        """Count one micro-batch of the step's first update, of its last epoch."""
        if asked.needs_rows:
            asked = asked.seeing(logprobs_N)
        old_N = asked.old(logprobs_N, slice(None))
        ratio_N, known_N = ratio(logprobs_N, old_N), ~asked.sampler_N.isnan()
        count = len(ratio_N)
        self.clipped.add(int(asked.loss.clipped(ratio_N, asked.advantages_N, asked.clip).sum()), count)
        self.deviation = max(self.deviation, float((ratio_N - 1).abs().max()))
        if first:
            recorded_N = torch.where(known_N, asked.sampler_N, old_N)
            self.sampler.add(float(k3(recorded_N, logprobs_N).sum()), count)
        if last:
            self.old.add(float(k3(old_N, logprobs_N).sum()), count)
        if asked.reference_N is not None:
            self.reference.add(float(KL[asked.kl_kind](logprobs_N, asked.reference_N).sum()), count)
        self.trust.add(float(trust(old_N, asked.sampler_N)[known_N].sum()), int(known_N.sum()))

    def add(self, other: "Tally") -> None:
        """Take in what another has counted."""
        for name, value in vars(other).items():
            if isinstance(value, Share):
                getattr(self, name).add(value.total, value.count)
        self.deviation = max(self.deviation, other.deviation)
        self.skipped += other.skipped

    def record(self) -> dict[str, float | int | None]:
        """The update's part of the metrics, all finite; null where every update was skipped."""
        nothing = self.skipped > 0 and self.loss.count == 0
        return {
            "loss": None if nothing else self.loss.mean,
            "updates": self.loss.count,
            "skipped": self.skipped,
            "grad_norm": None if nothing else self.norm.mean,
            "clip_frac": self.clipped.mean,
            "ratio_deviation": self.deviation,
            "kl_sampler": self.sampler.mean,
            "kl_old": self.old.mean,
            "kl_reference": self.reference.mean,
            "trust": self.trust.mean if self.trust.count else None,
        }
