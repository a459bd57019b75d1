"""Sampling in batches: each prompt is read once for its whole group, and finished answers leave the batch.

Each answer has a seed of its own, so what it says does not depend on what is sampled beside it. The log
probabilities are log softmax(logits / temperature) over the whole vocabulary, before any truncation: what
`train` computes again from the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch

from rcca_cli.models import llama
from rcca_cli.models.cache import CachedModel
from rcca_cli.models.load import Policy


@dataclass(frozen=True)
class Sampling:
    """How the next token is chosen. Temperature 0 takes the likeliest; top_k 0 and top_p 1 cut nothing off."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 8192


@dataclass(frozen=True)
class Sample:
    """One answer: its tokens (the end token included), their log probabilities, and why it ended."""

    tokens: list[int]
    logprobs: list[float]
    finish_reason: str  # "stop" or "length"


class Decoder(Protocol):
    """A model in the middle of writing: one row an answer."""

    def read(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], room: int) -> torch.Tensor:
        """Read each prompt once and copy its state for its answers; logits (rows, vocabulary) of the first token."""

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits (rows, vocabulary) of the next."""

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only."""


def sample(
    policy: Policy, prompts: Sequence[Sequence[int]], seeds: Sequence[Sequence[int]], sampling: Sampling
) -> list[list[Sample]]:
    """For each prompt, one answer for each of its seeds."""
    copies = [len(group) for group in seeds]
    rooms = [answer_room(policy, len(prompt), sampling) for prompt in prompts]
    rooms_B = torch.repeat_interleave(torch.tensor(rooms), torch.tensor(copies))
    decoder: Decoder = llama.Decoder(policy.model) if llama.fits(policy.model) else CachedModel(policy.model)
    with torch.inference_mode():
        logits_BV = decoder.read(prompts, copies, max(rooms))
        draws_BT = _draws([seed for group in seeds for seed in group], max(rooms))
        answers = iter(_write_out(decoder, logits_BV, draws_BT, rooms_B, policy.end_ids, sampling))
    return [[next(answers) for _ in range(count)] for count in copies]


def answer_room(policy: Policy, prompt: int, sampling: Sampling) -> int:
    """How many tokens an answer may have after a prompt of so many: the option, or what the context leaves."""
    if policy.context is None:
        return sampling.max_new_tokens
    return max(1, min(sampling.max_new_tokens, policy.context - prompt))


def _draws(seeds: Sequence[int], room: int) -> torch.Tensor:
    """A uniform number in [0, 1) for each answer and position, from the answer's own seed. (rows, room)"""
    generator = torch.Generator()
    return torch.stack([torch.rand(room, generator=generator.manual_seed(seed), dtype=torch.float64) for seed in seeds])


def _write_out(
    decoder: Decoder,
    logits_BV: torch.Tensor,
    draws_BT: torch.Tensor,
    rooms_B: torch.Tensor,
    end_ids: frozenset[int],
    sampling: Sampling,
) -> list[Sample]:
    """Token after token, until every row has ended or is full."""
    rows, room = draws_BT.shape
    device = logits_BV.device
    ends = torch.tensor(sorted(end_ids), device=device)
    draws_BT = draws_BT.to(device)
    tokens_TB = torch.zeros((room, rows), dtype=torch.long)
    logprobs_TB = torch.zeros((room, rows))
    lengths = rooms_B.clone()
    alive = torch.arange(rows)  # which answer each row of the decoder is
    done_B = torch.zeros(rows, dtype=torch.bool)
    for step in range(room):
        chosen_B, logprob_B = choose(logits_BV, draws_BT[alive, step], sampling)
        tokens_TB[step, alive] = chosen_B.cpu()
        logprobs_TB[step, alive] = logprob_B.cpu()
        ended = (torch.isin(chosen_B, ends).cpu() | (rooms_B[alive] == step + 1)) & ~done_B
        lengths[alive[ended]] = step + 1
        done_B |= ended
        if bool(done_B.all()):
            break
        if int(done_B.sum()) * 8 >= len(done_B):  # a copy of the cache pays once an eighth of it is dead
            keep = (~done_B).nonzero().squeeze(1)
            decoder.keep(keep.to(device))
            alive, chosen_B, done_B = alive[keep], chosen_B[keep.to(device)], done_B[keep]
        logits_BV = decoder.write(chosen_B)
    return [
        _finished(tokens_TB[:length, row].tolist(), logprobs_TB[:length, row].tolist(), end_ids)
        for row, length in enumerate(lengths.tolist())
    ]


def _finished(tokens: list[int], logprobs: list[float], end_ids: frozenset[int]) -> Sample:
    return Sample(tokens, logprobs, "stop" if tokens[-1] in end_ids else "length")


def choose(logits_BV: torch.Tensor, draws_B: torch.Tensor, sampling: Sampling) -> tuple[torch.Tensor, torch.Tensor]:
    """The next token of each row and its log probability, given one uniform number a row."""
    logits_BV = logits_BV.float()
    if sampling.temperature == 0:
        logprobs_BV = logits_BV.log_softmax(-1)
        chosen_B = logits_BV.argmax(-1)
    else:
        logprobs_BV = (logits_BV / sampling.temperature).log_softmax(-1)
        chosen_B = _draw(truncated(logprobs_BV, sampling), draws_B)
    return chosen_B, logprobs_BV.gather(-1, chosen_B[:, None]).squeeze(-1)


def _draw(logprobs_BV: torch.Tensor, draws_B: torch.Tensor) -> torch.Tensor:
    """The token whose stretch of the cumulative distribution holds the draw."""
    # In float64: over a large vocabulary a float32 sum loses the unlikely tokens.
    sums_BV = logprobs_BV.double().exp().cumsum(-1)
    targets_B1 = draws_B[:, None] * sums_BV[:, -1:]
    return torch.searchsorted(sums_BV, targets_B1, right=True).squeeze(-1).clamp(max=sums_BV.shape[-1] - 1)


def truncated(logprobs_BV: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """-inf for all but the `top_k` likeliest tokens, and for the tail beyond the mass `top_p`."""
    size = logprobs_BV.shape[-1]
    if 0 < sampling.top_k < size:
        least_B1 = logprobs_BV.topk(sampling.top_k).values[:, -1:]
        logprobs_BV = logprobs_BV.masked_fill(logprobs_BV < least_B1, -torch.inf)
    if sampling.top_p < 1:
        sorted_BV, order_BV = logprobs_BV.log_softmax(-1).sort(descending=True)
        before_BV = sorted_BV.exp().cumsum(-1) - sorted_BV.exp()  # the likeliest token always stays
        dropped_BV = torch.zeros_like(before_BV, dtype=torch.bool).scatter(-1, order_BV, before_BV >= sampling.top_p)
        logprobs_BV = logprobs_BV.masked_fill(dropped_BV, -torch.inf)
    return logprobs_BV
