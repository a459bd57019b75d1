"""What can be chosen about an update, and the learning rate that follows from it."""

from dataclasses import dataclass, field
from typing import Any

from rcca_cli.errors import RccaError
from rcca_cli.train.loss import KL, LOSSES

NOT_CONFIG: dict[str, Any] = {"config": False}
SMALL = 50_000_000  # parameters
CHOICES = {
    "loss": tuple(LOSSES),
    "kl_kind": tuple(KL),
    "credit": ("advantages", "weights"),
    "old_logprobs": ("recorded", "recomputed", "detach"),
    "dtype": ("fp32", "bf16"),
}


@dataclass(frozen=True)
class Options:
    """Options of `train`. Those marked NOT_CONFIG say where from and where to, not how."""

    out: str = field(default="", metadata=NOT_CONFIG)  # "": no checkpoint is written
    model: str | None = field(default=None, metadata=NOT_CONFIG)
    start: str | None = field(default=None, metadata=NOT_CONFIG)  # --from
    resume: bool = field(default=False, metadata=NOT_CONFIG)
    keep: bool = field(default=False, metadata=NOT_CONFIG)
    save_every: int = field(default=1, metadata=NOT_CONFIG)
    explain: bool = field(default=False, metadata=NOT_CONFIG)
    device: str = field(default="auto", metadata=NOT_CONFIG)

    credit: str = "advantages"
    credit_warmup: int = 0  # steps
    loss: str = "dapo"
    clip_low: float | None = None  # None: the loss's own
    clip_high: float | None = None
    dual_clip: float = 0.0  # 0: none
    old_logprobs: str = "recorded"
    horizon: int = 0  # tokens; the denominator of dr_grpo
    kl: float = 0.0  # coefficient of the KL term
    kl_kind: str = "k3"
    reference: str | None = None  # model of the KL term; None: the one that training began from
    mask_overlong: bool = False
    groups_per_step: int = 4
    epochs: int = 1
    minibatches: int = 1
    learning_rate: float | None = None  # None: by size
    warmup: int = 0  # steps
    total_steps: int = 0  # 0: constant; otherwise the rate falls linearly to 0 after so many steps
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    micro_tokens: int | None = None  # None: one row at a time on a CPU, 8192 positions elsewhere
    checkpointing: bool = False
    dtype: str = "fp32"
    lora: int = 0  # rank of the adapters; 0: all weights are trained
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if (value := getattr(self, name)) not in known:
                raise RccaError(f"--{name.replace('_', '-')}: {value!r} is not one of {', '.join(known)}")
        if self.loss == "dr_grpo" and self.horizon < 1:
            raise RccaError("--loss dr_grpo divides by a constant number of tokens a row (give it with --horizon)")
        if self.dual_clip and self.dual_clip <= 1 + (self.clip_high or 0):
            raise RccaError("--dual-clip: a bound of the ratio above the clip, such as 3 (0: none)")
        if self.old_logprobs == "detach" and self.epochs * self.minibatches > 1:
            raise RccaError("--old-logprobs detach is for a single update (recomputed keeps them over several)")
        if self.model and self.start:
            raise RccaError("--model starts afresh and --from continues (give one of them)")


def credit_share(options: Options, step: int) -> float:
    """How much of the way from the sequence's advantage to the token's own step `step` (from 1) goes: 0 to 1."""
    return min(1.0, (step - 1) / options.credit_warmup) if options.credit_warmup else 1.0


def base_rate(options: Options, parameters: int) -> float:
    """The learning rate before warm-up and decay: as chosen, or by the size of the model.

    1e-6 is what is usual from about a billion parameters on; the small model that comes with rcca hardly moves
    with it.
    """
    if options.learning_rate is not None:
        return options.learning_rate
    return 5e-4 if parameters < SMALL else 1e-6


def rate_factor(options: Options, step: int) -> float:
    """What the base rate is multiplied by in step `step` (from 1): a linear rise, then constant or a linear fall.

    It depends on the step alone, so a schedule needs no state of its own in a checkpoint.
    """
    rise = min(1.0, step / options.warmup) if options.warmup else 1.0
    fall = max(0.0, 1 - (step - 1) / options.total_steps) if options.total_steps else 1.0
    return rise * fall
