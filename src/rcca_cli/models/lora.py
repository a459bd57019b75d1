"""Low-rank adapters (LoRA, arXiv 2106.09685) beside a model's linear layers, by peft: added, found, merged."""

import os
from pathlib import Path
from typing import Any

from rcca_cli.models.load import ADAPTERS, Policy


def add(policy: Policy, rank: int) -> None:
    """Adapters of this rank at every linear layer but the head; only they are trained. At first they change nothing.

    They are scaled by 2 (alpha = 2 rank). `adapter_config.json` names the model they belong to: a folder by its
    absolute path, any other as the user wrote it.
    """
    from peft import LoraConfig

    policy.model.add_adapter(LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", bias="none"))
    base = os.path.abspath(policy.name) if Path(policy.name).is_dir() else policy.name
    policy.model.peft_config["default"].base_model_name_or_path = base


def rank(model: Any) -> int:
    """The rank of a model's adapters; 0 without."""
    configs = getattr(model, "peft_config", None)
    return int(configs["default"].r) if configs else 0


def is_adapter(folder: str | Path) -> bool:
    """Whether the folder holds adapters, and not a whole model."""
    return (Path(folder) / ADAPTERS).exists()
