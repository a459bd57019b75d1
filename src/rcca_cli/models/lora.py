"""Low-rank adapters (LoRA, arXiv 2106.09685) beside a model's linear layers, by peft: added, saved, loaded, merged.

A folder of adapters is peft's own: `PeftModel.from_pretrained(base, folder)` reads it, too.
"""

import json
import os
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

CONFIG = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"
PREFIX = "base_model.model."  # in front of the names in peft's files


def add(model: Any, rank: int, base: str, seed: int) -> None:
    """Adapters of this rank at every linear layer but the head; only they are trained. At first they change nothing.

    They are scaled by 2 (alpha = 2 rank). `base` is the model they belong to, as it will be loaded; a folder by its
    absolute path.
    """
    from peft import LoraConfig, inject_adapter_in_model

    config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM")
    config.base_model_name_or_path = os.path.abspath(base) if Path(base).is_dir() else base
    with torch.random.fork_rng():
        torch.manual_seed(seed)  # half of each adapter begins at random, the other at 0
        inject_adapter_in_model(config, model)


def rank(model: Any) -> int:
    """The rank of a model's adapters; 0 without."""
    configs = getattr(model, "peft_config", None)
    return int(configs["default"].r) if configs else 0


def save(model: Any, folder: str | Path, weights: dict[str, Any] | None = None) -> None:
    """The adapters alone; `weights` by name are the model's, where it holds them only in part."""
    from peft import get_peft_model_state_dict

    adapters = get_peft_model_state_dict(model, state_dict=weights)
    named = {PREFIX + name: weight.detach().cpu().contiguous() for name, weight in adapters.items()}
    model.peft_config["default"].save_pretrained(folder)
    safetensors.torch.save_file(named, Path(folder) / WEIGHTS, metadata={"format": "pt"})


def base(folder: str | Path) -> str | None:
    """The model that the adapters in a folder belong to; None if there are none."""
    config = Path(folder) / CONFIG
    return str(json.loads(config.read_text())["base_model_name_or_path"]) if config.exists() else None


def load(model: Any, folder: str | Path) -> None:
    """Put the adapters of a folder beside the layers of their model."""
    from peft import PeftConfig, inject_adapter_in_model, set_peft_model_state_dict

    weights = safetensors.torch.load_file(Path(folder) / WEIGHTS)
    inject_adapter_in_model(PeftConfig.from_pretrained(str(folder)), model)
    set_peft_model_state_dict(model, {name.removeprefix(PREFIX): weight for name, weight in weights.items()})


def merge(model: Any) -> None:
    """Put what the adapters add into the weights themselves: what is left is a model like any other."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    for name, layer in list(model.named_modules()):
        if isinstance(layer, BaseTunerLayer):
            layer.merge()
            model.set_submodule(name, layer.get_base_layer())
    del model.peft_config
    for weight in model.parameters():
        weight.requires_grad_()
