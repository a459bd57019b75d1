"""What moves the weights. A new one is a function here (or a file) and a line in OPTIMIZERS."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from rcca_cli.errors import RccaError
from rcca_cli.train.muon import Muon, parted

BETAS = (0.9, 0.95)  # of AdamW; a run has few updates, and 0.999 would remember all of them

Made = Callable[[Any, Sequence[Tensor], float, float], torch.optim.Optimizer]


def adamw(model: Any, weights: Sequence[Tensor], rate: float, decay: float) -> torch.optim.Optimizer:
    """AdamW with one rate for all of the model's `weights` that are trained."""
    return torch.optim.AdamW(weights, lr=rate, betas=BETAS, weight_decay=decay)


def muon(model: Any, weights: Sequence[Tensor], rate: float, decay: float) -> torch.optim.Optimizer:
    """Muon for the matrices between the layers, AdamW for the rest. RccaError if they are in parts, and not whole."""
    if any(hasattr(weight, "device_mesh") for weight in weights):
        raise RccaError("--optimizer muon: for one process only (several hold each matrix in parts)")
    return Muon(*parted(model, weights), lr=rate, betas=BETAS, weight_decay=decay)


OPTIMIZERS: dict[str, Made] = {"adamw": adamw, "muon": muon}


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Give each group of weights its share of the rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group.get("share", 1.0)
