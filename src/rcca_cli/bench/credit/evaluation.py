"""How good a policy is on held-out tasks, and how far it has moved where no requirement is decided."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rcca_cli.bench.credit import tasks
from rcca_cli.bench.credit.lab import lines
from rcca_cli.bench.credit.placing import Judged
from rcca_cli.synth.app import App
from rcca_cli.train import gradient
from rcca_cli.train.loop import Trainer
from rcca_cli.train.metrics import mean, pass_share

Record = dict[str, Any]
# Of the held-out tasks; those with a family left out of attribution's fit are of either of the others too.
SUBSETS: dict[str, Callable[[App], bool]] = {
    "seen": lambda made: not tasks.is_unseen(made),
    "unseen": tasks.is_unseen,
    "left_out": tasks.is_left_out,
}


def figures(judged: Sequence[Judged]) -> Record:
    """The mean share of the rubric that passes (of a broken page none), whole passes, and pages that work."""
    shares = [share for one in judged if (share := pass_share(one.answer.record)) is not None]
    return {
        "passed": mean(shares),
        "all_pass": mean(share == 1.0 for share in shares),
        "functional": mean(one.answer.judge["level"] == "functional" for one in judged),
        "known": len(shares),
        "read": mean(one.reading is not None for one in judged),
        "tokens": mean(one.answer.tokens.count for one in judged),
    }


def by_subset(made: Sequence[App], judged: Sequence[Judged]) -> Record:
    """The figures of each of `SUBSETS` alone."""
    apps = {app.id: app for app in made}
    return {
        name: figures([one for one in judged if belongs(apps[one.answer.record["group"]])])
        for name, belongs in SUBSETS.items()
    }


def compared(steps: int, every: int) -> tuple[int, int, int]:
    """The steps after which the oracle is compared with the judge: the start, the evaluation at the middle, the end.

    >>> compared(60, 10), compared(5, 2)
    ((0, 30, 60), (0, 2, 5))
    """
    return 0, max(steps // 2 // every * every, min(every, steps)), steps


class Drift:
    """Answers of the start policy, by which it is told how far another is from it on tokens of untouched code.

    Those are the tokens of a page that lie in no place where a requirement is decided. Over them the mean of
    log p_start − log p_now estimates, in nats a token, KL(start ‖ now); the answers are the start policy's own.
    """

    def __init__(self, judged: Sequence[Judged]) -> None:
        read = [one for one in judged if one.reading is not None and one.reading.found]
        self.records = [one.answer.record for one in read]
        self.untouched = [untouched(one) for one in read]

    def measured(self, trainer: Trainer) -> float | None:
        """The drift of the trainer's policy; None without a page that was read."""
        found = []
        now = gradient.logprobs(trainer, lines(self.records, "held out"))
        for record, mask, logprobs in zip(self.records, self.untouched, now, strict=True):
            found.append((np.array(record["rollout"]["logprobs"]) - logprobs)[mask])
        values = np.concatenate(found) if found else np.zeros(0)
        return round(float(values.mean()), 6) if values.size else None


def untouched(one: Judged) -> np.ndarray:
    """Which tokens (token,) of an answer lie in no place that decides a requirement."""
    assert one.reading is not None
    mask = np.ones(one.answer.tokens.count, dtype=bool)
    spans = [(place.start, place.end) for place in one.reading.found if place.start < place.end]
    if spans:
        mask[one.answer.tokens.shares(spans)[0]] = False
    return mask
