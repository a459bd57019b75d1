"""Log-probabilities of sampled tokens: the language-model head runs on scored positions only, in chunks."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from rcca_cli.train.batch import Micro

# Numbers in one chunk of logits (64 MB in float32); more than one chunk is made again in the backward pass.
CHUNK = 1 << 24


def scorer(model: Any) -> Callable[[Micro], Tensor]:
    """A function from a micro-batch to log softmax(logits / temperature) of its sampled tokens, float32, (N,)."""
    return partial(by_head if has_plain_head(model) else by_forward, model)


def has_plain_head(model: Any) -> bool:
    """Whether the model's logits are its head applied to the decoder's last hidden state; tried on two tokens."""
    ids_BT = torch.tensor([[0, 1]], device=model.device)
    with torch.no_grad():
        hidden_BTH = model.get_decoder()(input_ids=ids_BT, use_cache=False).last_hidden_state
        ours_BTV = model.get_output_embeddings()(hidden_BTH)
        return torch.allclose(ours_BTV, model(input_ids=ids_BT, use_cache=False).logits, rtol=1e-3, atol=1e-4)


def by_forward(model: Any, micro: Micro) -> Tensor:
    """For a model that scales or caps its logits after the head (Gemma 2, Cohere): only its own forward knows how."""
    logits_NV = model(input_ids=micro.ids_BT, use_cache=False).logits[micro.scored_BT]
    return select(logits_NV, micro.labels_N, micro.temperatures_N)


def by_head(model: Any, micro: Micro, chunk: int = CHUNK) -> Tensor:
    """The decoder on everything, the head on scored positions, at most `chunk` logits at a time."""
    hidden_BTH = model.get_decoder()(input_ids=micro.ids_BT, use_cache=False).last_hidden_state
    hidden_NH = hidden_BTH[micro.scored_BT]
    head = model.get_output_embeddings()
    size = max(1, chunk // head.weight.shape[0])
    if len(hidden_NH) <= size:
        return select(head(hidden_NH), micro.labels_N, micro.temperatures_N)

    def part(hidden_NH: Tensor, labels_N: Tensor, temperatures_N: Tensor) -> Tensor:
        return select(head(hidden_NH), labels_N, temperatures_N)

    parts = zip(hidden_NH.split(size), micro.labels_N.split(size), micro.temperatures_N.split(size), strict=True)
    return torch.cat([checkpoint(part, *tensors, use_reentrant=False) for tensors in parts])


def select(logits_NV: Tensor, labels_N: Tensor, temperatures_N: Tensor) -> Tensor:
    """log softmax(logits / temperature) at the labels: the label's logit minus logsumexp, in float32."""
    scaled_NV = logits_NV.float() / temperatures_N[:, None]
    return scaled_NV.gather(1, labels_N[:, None]).squeeze(1) - scaled_NV.logsumexp(1)
