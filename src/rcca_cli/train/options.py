"""What can be chosen about an update, and the learning rate that follows from it."""

from dataclasses import dataclass, field, fields
from typing import Any

from rcca_cli.errors import RccaError
from rcca_cli.train.loss import KL, LOSSES, Loss
from rcca_cli.train.optimizers import OPTIMIZERS

NOT_CONFIG: dict[str, Any] = {"config": False}
SMALL = 50_000_000  # parameters
CHOICES = {
    "objective": ("rl", "sft"),
    "loss": tuple(LOSSES),
    "kl_kind": tuple(KL),
    "credit": ("advantages", "weights"),
    "old_logprobs": ("recorded", "recomputed", "detach"),
    "dtype": ("fp32", "bf16"),
    "optimizer": tuple(OPTIMIZERS),
}
# Options that mean something to one objective only.
ONLY = {
    "rl": "credit credit_warmup loss clip_low clip_high dual_clip old_logprobs horizon kl kl_kind reference "
    "groups_per_step minibatches",
    "sft": "rows_per_step held_out held_out_every",
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
    device: str = field(default="auto", metadata=NOT_CONFIG)

    objective: str = "rl"
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
    rows_per_step: int = 32  # of sft
    held_out: float = 0.0  # share of the groups that sft measures and does not learn
    held_out_every: int = 50  # steps
    optimizer: str = "adamw"
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
        if self.optimizer == "muon" and self.learning_rate is None:
            raise RccaError("--optimizer muon needs --lr: the usual rates are AdamW's (0.02 from fresh weights)")
        other = "sft" if self.objective == "rl" else "rl"
        for one in fields(self):
            if one.name in ONLY[other].split() and getattr(self, one.name) != one.default:
                raise RccaError(f"--{one.name.replace('_', '-')}: means nothing to --objective {self.objective}")

    @property
    def token_loss(self) -> Loss:
        """What is minimised: for sft, where every advantage is 1, the cross-entropy."""
        return LOSSES["reinforce" if self.objective == "sft" else self.loss]

    @property
    def uses(self) -> int:
        """How often a step uses its rows: in sft once, for `epochs` are passes over the whole input there."""
        return 1 if self.objective == "sft" else self.epochs


def credit_share(options: Options, step: int) -> float:
    """How much of the way from the sequence's advantage to the token's own step `step` (from 1) goes: 0 to 1."""
    return min(1.0, (step - 1) / options.credit_warmup) if options.credit_warmup else 1.0


def base_rate(options: Options, parameters: int) -> float:
    """The learning rate before warm-up and decay: as chosen, or by the size of the model.

    1e-6 is what is usual from about a billion parameters on; the small model that comes with rcca hardly moves
    with it. Cross-entropy, whose tokens all pull one way, bears ten times as much.
    """
    if options.learning_rate is not None:
        return options.learning_rate
    if parameters < SMALL:
        return 5e-4
    return 1e-5 if options.objective == "sft" else 1e-6


def rate_factor(options: Options, step: int) -> float:
    """What the base rate is multiplied by in step `step` (from 1): a linear rise, then constant or a linear fall.

    It depends on the step alone, so a schedule needs no state of its own in a checkpoint.
    """
    rise = min(1.0, step / options.warmup) if options.warmup else 1.0
    fall = max(0.0, 1 - (step - 1) / options.total_steps) if options.total_steps else 1.0
    return rise * fall
