"""The repeated parts of a model."""

from typing import Any


def blocks(model: Any) -> list[Any]:
    """Its decoder layers, first to last: what is checkpointed, or sharded, one by one."""
    from transformers.modeling_layers import GradientCheckpointingLayer

    return [module for module in model.modules() if isinstance(module, GradientCheckpointingLayer)]
