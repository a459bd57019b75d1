"""Low-rank adapters (LoRA, arXiv 2106.09685) beside a model's linear layers, by peft: added, kept, merged.

By peft alone: the methods of transformers' own models for this want a newer peft than there is.
"""

import os
import warnings
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

ADAPTERS = "adapter_config.json"  # of a folder that holds adapters and names the model they belong to
WEIGHTS = "adapter_model.safetensors"
PREFIX = "base_model.model."  # of the weights' names in a file, as peft itself and servers read it


def add(model: Any, name: str, rank: int, seed: int) -> None:
    """Adapters of this rank at every linear layer but the head; only they are trained. At first they change nothing.

    They are scaled by 2 (alpha = 2 rank). `adapter_config.json` will say that they belong to the model called `name`:
    a folder by its absolute path, any other as the user wrote it.
    """
    from peft import LoraConfig

    base = os.path.abspath(name) if Path(name).is_dir() else name
    config = LoraConfig(
        r=rank,
        lora_alpha=2 * rank,
        target_modules="all-linear",
        bias="none",
        task_type="CAUSAL_LM",
        base_model_name_or_path=base,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _put(model, config)


def attach(model: Any, folder: str | Path) -> None:
    """The adapters in `folder`, beside the model that they belong to."""
    from peft import LoraConfig, set_peft_model_state_dict

    config = LoraConfig.from_pretrained(str(folder))
    config.inference_mode = False
    _put(model, config)
    stored = load_file(Path(folder) / WEIGHTS)
    told: Any = set_peft_model_state_dict(model, {name.removeprefix(PREFIX): weight for name, weight in stored.items()})
    if lacking := sorted(name for name in told.missing_keys if "lora_" in name):
        raise ValueError(f"{WEIGHTS} lacks {lacking[0]}")


def save(model: Any, folder: str | Path, weights: dict[str, Any] | None = None) -> None:
    """The model's adapters as a folder; `weights` by name, where the model holds them only in part."""
    from peft import get_peft_model_state_dict

    # Not the embeddings: whether to write them, peft would ask a hub.
    found = get_peft_model_state_dict(model, state_dict=weights, save_embedding_layers=False)
    config = model.peft_config["default"]
    config.save_pretrained(str(folder))
    stored = {f"{PREFIX}{name}": weight.detach().cpu().contiguous() for name, weight in found.items()}
    save_file(stored, Path(folder) / WEIGHTS, metadata={"format": "pt"})


def merge(model: Any) -> None:
    """Put what the adapters add into the weights themselves: what is left is a model like any other."""
    from peft.tuners.tuners_utils import BaseTunerLayer

    adapted = {name: layer for name, layer in model.named_modules() if isinstance(layer, BaseTunerLayer)}
    for layer in adapted.values():
        layer.merge()
    for name, layer in adapted.items():
        # Adapters of several weights of one layer (experts) lie one in another: the outermost makes way for all.
        if not any(name.startswith(f"{outer}.") for outer in adapted if outer != name):
            model.set_submodule(name, layer.get_base_layer())
    del model.peft_config


def rank(model: Any) -> int:
    """The rank of a model's adapters; 0 without."""
    configs = getattr(model, "peft_config", None)
    return int(configs["default"].r) if configs else 0


def _put(model: Any, config: Any) -> None:
    from peft import inject_adapter_in_model

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of layers whose weights lie the other way round, which peft sees to
        inject_adapter_in_model(config, model)
