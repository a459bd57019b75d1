"""A policy as a folder that `load` and transformers read."""

from pathlib import Path
from typing import Any

from rcca_cli.models import lora
from rcca_cli.models.load import Policy, _quiet


def save(policy: Policy, folder: str | Path, weights: dict[str, Any] | None = None) -> None:
    """Write weights, configuration and tokenizer to `folder`, without the library's progress bars.

    Of a model with adapters only these are written. `weights` by name are those to write, where the model itself holds
    them only in part.
    """
    with _quiet():
        if lora.rank(policy.model):
            lora.save(policy.model, folder, weights)
        else:
            policy.model.save_pretrained(folder, state_dict=weights)
        policy.tokenizer.save_pretrained(folder)
