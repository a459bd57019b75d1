"""How the next token is chosen, and with which probability."""

from dataclasses import dataclass

import torch
from torch.nn import functional as F

BLOCK = 128  # tokens; a vocabulary is searched by blocks, then within one


@dataclass(frozen=True)
class Sampling:
    """Temperature 0 takes the likeliest; top_k 0 and top_p 1 cut nothing off."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 8192


def choose(logits_BV: torch.Tensor, draws_B: torch.Tensor, sampling: Sampling) -> tuple[torch.Tensor, torch.Tensor]:
    """The next token of each row and its log probability, given one uniform number in [0, 1) a row.

    The log probability is log softmax(logits / temperature) of all the vocabulary, at temperature 0 that of 1.
    """
    logits_BV = logits_BV.float()
    if sampling.temperature == 0:
        return _with_logprob(logits_BV, _likeliest(logits_BV))
    if sampling.temperature != 1:
        logits_BV = logits_BV / sampling.temperature
    if sampling.top_p < 1 or 0 < sampling.top_k < logits_BV.shape[-1]:
        return _with_logprob(logits_BV, _drawn(truncated(logits_BV, sampling).softmax(-1), draws_B))
    probabilities_BV = logits_BV.softmax(-1)
    chosen_B = _drawn(probabilities_BV, draws_B)
    return chosen_B, probabilities_BV.gather(-1, chosen_B[:, None])[:, 0].log()


def _with_logprob(logits_BV: torch.Tensor, chosen_B: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return chosen_B, logits_BV.log_softmax(-1).gather(-1, chosen_B[:, None])[:, 0]


def _likeliest(logits_BV: torch.Tensor) -> torch.Tensor:
    """The first of the greatest logits: of the blocks, then within one, which takes a fraction of argmax's time."""
    blocks_BXY = _blocks(logits_BV, -torch.inf)
    block_B1 = blocks_BXY.amax(-1).argmax(-1, keepdim=True)
    return block_B1[:, 0] * BLOCK + _block(blocks_BXY, block_B1).argmax(-1)


def _drawn(weights_BV: torch.Tensor, draws_B: torch.Tensor) -> torch.Tensor:
    """The token whose stretch of the cumulative distribution holds the draw.

    Summed in float64 from block to block: over a large vocabulary a float32 sum loses the unlikely tokens.
    """
    blocks_BXY = _blocks(weights_BV, 0.0)
    sums_BX = blocks_BXY.sum(-1).double().cumsum(-1)
    targets_B1 = draws_B.to(sums_BX.device)[:, None] * sums_BX[:, -1:]
    block_B1 = torch.searchsorted(sums_BX, targets_B1, right=True).clamp_(max=sums_BX.shape[-1] - 1)  # NaN is beyond
    before_B1 = F.pad(sums_BX, (1, 0)).gather(-1, block_B1)
    inner_BY = _block(blocks_BXY, block_B1).double().cumsum(-1)
    # A block's sum and its last partial sum differ by rounding; a draw between them is of the block's last token.
    inside_B1 = (targets_B1 - before_B1).minimum(inner_BY[:, -1:] * (1 - 1e-12))
    chosen_B1 = block_B1 * BLOCK + torch.searchsorted(inner_BY, inside_B1, right=True)
    return chosen_B1[:, 0].clamp_(max=weights_BV.shape[-1] - 1)


def _blocks(values_BV: torch.Tensor, padding: float) -> torch.Tensor:
    """The vocabulary as blocks X of BLOCK tokens Y."""
    missing = -values_BV.shape[-1] % BLOCK
    whole = F.pad(values_BV, (0, missing), value=padding) if missing else values_BV
    return whole.unflatten(-1, (-1, BLOCK))


def _block(blocks_BXY: torch.Tensor, block_B1: torch.Tensor) -> torch.Tensor:
    """One block of each row: (rows, BLOCK)."""
    return blocks_BXY.gather(1, block_B1[..., None].expand(-1, 1, BLOCK))[:, 0]


def truncated(logits_BV: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """-inf for all but the `top_k` likeliest tokens, and for the tail beyond the mass `top_p`."""
    size = logits_BV.shape[-1]
    if 0 < sampling.top_k < size:
        least_B1 = logits_BV.topk(sampling.top_k).values[:, -1:]
        logits_BV = logits_BV.masked_fill(logits_BV < least_B1, -torch.inf)
    if sampling.top_p < 1:
        sorted_BV, order_BV = logits_BV.softmax(-1).sort(descending=True)
        tail_BV = sorted_BV.cumsum(-1) - sorted_BV >= sampling.top_p
        tail_BV[:, 0] = False  # the likeliest token always stays, however little mass is wanted
        dropped_BV = torch.zeros_like(tail_BV).scatter(-1, order_BV, tail_BV)
        logits_BV = logits_BV.masked_fill(dropped_BV, -torch.inf)
    return logits_BV
