"""A policy made ready to be trained: its precision, its adapters, and what it keeps for the backward pass."""

from functools import partial
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from rcca_cli import models, seeds
from rcca_cli.errors import RccaError
from rcca_cli.models import lora
from rcca_cli.models.load import refused
from rcca_cli.train.options import Options


def prepare(policy: models.Policy, options: Options) -> Any:
    """The policy's model, changed in place as the options say.

    What is trained is always held in float32, as are AdamW's moments: an update is far smaller than the steps of
    bfloat16. `--dtype bf16` means the products of the decoder; only weights that are not trained are stored in it.
    The model stays in evaluation mode: with dropout, r would not be 1 on policy.
    """
    model = policy.model
    given = lora.rank(model)
    if given and given != options.lora:
        raise RccaError(f"{policy.name}: has adapters of rank {given} (go on with --lora {given})")
    if options.lora and not given:
        with refused(f"--lora: {policy.name}"):
            lora.add(model, policy.name, options.lora, seeds.derive(options.seed, "lora"))
    model.to(torch.bfloat16 if options.lora and options.dtype == "bf16" else torch.float32)
    for weight in model.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()
    if options.checkpointing:
        for block in models.blocks(model):
            block.forward = partial(checkpoint, block.forward, use_reentrant=False, preserve_rng_state=False)
    return model.eval()
