"""A policy as a folder that `load` and transformers read."""

from pathlib import Path

from rcca_cli.models.load import Policy, _quiet


def save(policy: Policy, folder: str | Path) -> None:
    """Write weights, configuration and tokenizer to `folder`, without the library's progress bars."""
    with _quiet():
        policy.model.save_pretrained(folder)
        policy.tokenizer.save_pretrained(folder)
