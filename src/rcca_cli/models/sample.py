"""Sampling in a stream: each prompt is read once for its whole group, and who has finished makes room for the next.

Each answer has a seed of its own, so what it says does not depend on what is sampled beside it. The log
probabilities are log softmax(logits / temperature) over the whole vocabulary, before any truncation: what
`train` computes again from the weights.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from rcca_cli.errors import RccaError
from rcca_cli.models import llama
from rcca_cli.models.cache import CachedModel
from rcca_cli.models.choice import Sampling, choose
from rcca_cli.models.load import Policy

ROWS = 32  # answers that are written at once
IsWhole = Callable[[Sequence[int], Sequence[int]], bool]
IDLE = 8  # rows change hands once one in so many has finished: each change costs a copy of the cache


@dataclass(frozen=True)
class Sample:
    """One answer: its tokens (the end token included), their log probabilities, and why it ended."""

    tokens: list[int]
    logprobs: list[float]
    finish_reason: str  # "stop" or "length"


class Decoder(Protocol):
    """A model in the middle of writing: one row an answer."""

    def read(self, prompts: Sequence[Sequence[int]]) -> Sequence[Any]:
        """Read prompts, each once for all the answers to it: their states, with `logits_V` of what comes first."""

    def join(self, prefix: Any) -> None:
        """One more row, which goes on behind a prompt."""

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits (rows, vocabulary) of the next."""

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only."""


@dataclass
class _Answer:
    """One answer in the making. `draws` are uniform numbers, one a token, from the answer's own seed."""

    group: int
    draws: list[float]
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    finish_reason: str | None = None

    def sample(self) -> Sample:
        """The answer, now that it is whole."""
        assert self.finish_reason is not None
        return Sample(self.tokens, self.logprobs, self.finish_reason)


def sample(
    policy: Policy,
    prompts: Sequence[Sequence[int]],
    seeds: Sequence[Sequence[int]],
    sampling: Sampling,
    rows: int = ROWS,
    is_whole: IsWhole | None = None,
) -> Iterator[list[Sample]]:
    """For each prompt, in order, one answer for each of its seeds; a group leaves when it and those before it are done.

    `rows` answers are written at once. `is_whole(prompt, tokens)` says of an answer that nothing more is wanted.
    """
    groups: list[list[_Answer]] = []
    for number, (prompt, group) in enumerate(zip(prompts, seeds, strict=True)):
        room = answer_room(policy, len(prompt), sampling)
        groups.append([_Answer(number, _draws(seed, room)) for seed in group])
    writing = _Writing(policy, prompts, sampling, rows, is_whole)
    waiting = deque(answer for group in groups for answer in group)
    done = 0
    while done < len(groups):
        if all(answer.finish_reason for answer in groups[done]):
            yield [answer.sample() for answer in groups[done]]
            groups[done] = []
            done += 1
        else:
            with torch.inference_mode():
                writing.step(waiting)


def answer_room(policy: Policy, prompt: int, sampling: Sampling) -> int:
    """How many tokens an answer may have after a prompt of so many: the option, or what the context leaves."""
    if policy.context is None:
        return sampling.max_new_tokens
    return max(1, min(sampling.max_new_tokens, policy.context - prompt))


def _draws(seed: int, room: int) -> list[float]:
    """A uniform number in [0, 1) for each place of an answer."""
    return torch.rand(room, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).tolist()


class _Writing:
    """The answers that are being written, one a row of the decoder."""

    def __init__(
        self,
        policy: Policy,
        prompts: Sequence[Sequence[int]],
        sampling: Sampling,
        rows: int,
        is_whole: IsWhole | None,
    ) -> None:
        self.policy, self.prompts, self.sampling, self.rows, self.is_whole = policy, prompts, sampling, rows, is_whole
        with torch.inference_mode():
            kind = llama.Decoder if llama.fits(policy.model) else CachedModel
            self.decoder: Decoder = kind(policy.model, rows)
        self.answers: list[_Answer] = []
        self.logits_BV: torch.Tensor | None = None
        self.prefixes: dict[int, Any] = {}  # the prompts that were read last, by group

    def step(self, waiting: deque[_Answer]) -> None:
        """One more token for each answer, after those that wait have taken the places of the finished."""
        self._seat(waiting)
        assert self.logits_BV is not None
        draws = [0.0 if answer.finish_reason else answer.draws[len(answer.tokens)] for answer in self.answers]
        chosen_B, logprobs_B = choose(self.logits_BV, torch.tensor(draws, dtype=torch.float64), self.sampling)
        for answer, token, logprob in zip(self.answers, chosen_B.tolist(), logprobs_B.tolist(), strict=True):
            if answer.finish_reason is None:
                if not math.isfinite(logprob):
                    raise RccaError(f"{self.policy.name}: its logits are not numbers (are its weights?)")
                answer.tokens.append(token)
                answer.logprobs.append(logprob)
                answer.finish_reason = self._end(answer)
        if not all(answer.finish_reason for answer in self.answers):
            self.logits_BV = self.decoder.write(chosen_B)

    def _end(self, answer: _Answer) -> str | None:
        if answer.tokens[-1] in self.policy.end_ids:
            return "stop"
        if self.is_whole is not None and self.is_whole(self.prompts[answer.group], answer.tokens):
            return "stop"
        return "length" if len(answer.tokens) == len(answer.draws) else None

    def _seat(self, waiting: deque[_Answer]) -> None:
        """Let finished answers go once there are enough of them, and those that wait come in."""
        alive = [row for row, answer in enumerate(self.answers) if answer.finish_reason is None]
        idle = len(self.answers) - len(alive)
        if idle * IDLE >= len(self.answers) > 0 and idle:
            self._keep(alive)
        if waiting and len(self.answers) < self.rows:
            self._admit(waiting)

    def _keep(self, alive: list[int]) -> None:
        assert self.logits_BV is not None
        rows = torch.tensor(alive, dtype=torch.long, device=self.logits_BV.device)
        self.decoder.keep(rows)
        self.answers = [self.answers[row] for row in alive]
        self.logits_BV = self.logits_BV[rows]

    def _admit(self, waiting: deque[_Answer]) -> None:
        """Fill the free rows."""
        new = [waiting.popleft() for _ in range(min(len(waiting), self.rows - len(self.answers)))]
        groups = list(dict.fromkeys(answer.group for answer in new))
        unread = [group for group in groups if group not in self.prefixes]
        read = zip(unread, self.decoder.read([self.prompts[group] for group in unread]), strict=True)
        self.prefixes = {group: self.prefixes[group] for group in groups if group in self.prefixes} | dict(read)
        for answer in new:
            self.decoder.join(self.prefixes[answer.group])
        self.answers += new
        logits = [] if self.logits_BV is None else [self.logits_BV]
        self.logits_BV = torch.cat([*logits, torch.stack([self.prefixes[answer.group].logits_V for answer in new])])
