"""Backend `openai`: any OpenAI-compatible server (vLLM, SGLang, `transformers serve`, an API).

Not streamed, one request an answer, every sampling parameter explicit: servers have defaults of their own.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from rcca_cli import chat, console
from rcca_cli.chat.client import Unanswered
from rcca_cli.models import offsets
from rcca_cli.parallel import ordered_map
from rcca_cli.rollout.backend import Ask, Missing
from rcca_cli.rollout.options import Options


class Served:
    """Asks the server for `jobs` answers at a time."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.client = chat.Client(options.base_url, options.model)
        self.noted: set[str] = set()

    def sample(self, asks: Sequence[Ask]) -> Iterator[list[dict[str, Any] | Missing]]:
        """One request for each seed of each task."""
        requests = [(ask, seed) for ask in asks for seed in ask.seeds]
        answers = ordered_map(self._one, requests, self.options.jobs)
        for ask in asks:
            yield list(islice(answers, len(ask.seeds)))

    def _one(self, request: tuple[Ask, int]) -> dict[str, Any] | Missing:
        ask, seed = request
        try:
            answer = self.client.complete(ask.messages, **self._parameters(seed))
        except Unanswered as error:
            return Missing(str(error))
        return self._value(answer, seed)

    def _parameters(self, seed: int) -> dict[str, Any]:
        wanted: dict[str, Any] = {
            "temperature": self.options.temperature,
            "top_p": self.options.top_p,
            "max_tokens": self.options.max_new_tokens,
            "seed": seed,
        }
        # Not part of OpenAI's own interface, so only sent to a server when it says something.
        return wanted | ({"top_k": self.options.top_k} if self.options.top_k else {})

    def _value(self, answer: chat.Answer, seed: int) -> dict[str, Any]:
        spans = spanned(answer)
        known = spans is not None
        if not known:
            self._note("the server tells no token ids with log probabilities and bytes: answers are text only")
        return {
            "text": answer.text,
            "prompt_ids": answer.prompt_ids if known else [],
            "tokens": answer.tokens if known else [],
            "offsets": spans or [],
            "logprobs": answer.logprobs if known else [],
            "logprobs_basis": self._basis() if known else None,
            "finish_reason": answer.finish_reason,
            "model": self.options.model,
            "tokenizer": None,
            "sampling": self.options.sampling(),
            "seed": seed,
        }

    def _basis(self) -> str:
        """Servers differ in whether they divide by the temperature; at 1, with nothing cut off, all agree."""
        if self.options.top_p < 1 or self.options.top_k:
            return "truncated"
        return "temperature" if self.options.temperature == 1 else "raw"

    def _note(self, words: str) -> None:
        if words not in self.noted:
            self.noted.add(words)
            console.note(f"rcca rollout: {words}")


def spanned(answer: chat.Answer) -> list[list[int]] | None:
    """The tokens' spans in the answer's text, from their bytes; None if they do not spell that text.

    A server cuts the end token, or a stop string, off the text and not off the tokens: those lie at its end.
    """
    if not answer.tokens or not answer.pieces:
        return None
    decoded = offsets.decode(answer.pieces)
    if not decoded.text.startswith(answer.text):
        return None
    length = len(answer.text)
    return [[min(start, length), min(end, length)] for start, end in decoded.offsets]
