"""Backend `openai`: any OpenAI-compatible servers (vLLM, SGLang, `transformers serve`, an API).

Not streamed, one request an answer, every sampling parameter explicit: servers have defaults of their own.
"""

import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any

from rcca_cli import chat, console, seeds
from rcca_cli.models import thought
from rcca_cli.parallel import ordered_map
from rcca_cli.rollout import document
from rcca_cli.rollout.backend import Ask, Missing
from rcca_cli.rollout.dialects import DIALECTS, Dialect
from rcca_cli.rollout.options import Options
from rcca_cli.rollout.spelled import Spelled, spelled
from rcca_cli.store import Store


class Served:
    """Asks each server for `jobs` answers at a time."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.client = chat.Client(options.base_urls, options.model, timeout=options.timeout, jobs=options.jobs)
        self.store = Store(options.cache)
        self.noted: set[str] = set()
        self.models: set[str] = set()  # what the servers call what they serve
        if options.tokenizer is not None:
            self._pieces  # noqa: B018 - a wrong name is an error before the first request

    @cached_property
    def _pieces(self) -> Any:
        """The bytes of each token, by the tokenizer that --tokenizer names; None without it."""
        from rcca_cli import models

        return None if self.options.tokenizer is None else models.load_tokenizer(self.options.tokenizer).pieces

    def sample(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, list[dict[str, Any] | Missing]]]:
        """One request for each seed of each task; a window's worth of them may be ahead of the slowest."""
        options = self.options
        jobs = options.jobs * len(self.client.servers)
        requests = ((ask, seed) for ask in asks for seed in ask.seeds)
        answers = ordered_map(self._one, requests, jobs, ahead=max(options.window * options.group_size, jobs))
        for ask, first in answers:
            yield ask, [first, *(answer for _, answer in islice(answers, len(ask.seeds) - 1))]

    def _one(self, request: tuple[Ask, int]) -> tuple[Ask, dict[str, Any] | Missing]:
        ask, seed = request
        return ask, self._answer(ask, seed)

    def _answer(self, ask: Ask, seed: int) -> dict[str, Any] | Missing:
        body, *fallbacks = (dialect.body(self.options, seed) for dialect in DIALECTS)
        name = [self.client.url, seeds.config_digest(self.options), ask.messages, body]
        value = self.store.read(name)
        if value is None:
            began = time.perf_counter()
            try:
                answer = self.client.complete(ask.messages, fallbacks, **body)
            except (chat.Unanswered, chat.Refused) as error:
                return Missing(str(error))
            value = self._value(answer, DIALECTS[answer.fallback], seed)
            value["stamp"] = {"seconds": round(time.perf_counter() - began, 3)}
            self.store.write(name, value)
        return value if self.options.stamp else value | {"stamp": None}

    def _value(self, answer: chat.Answer, dialect: Dialect, seed: int) -> dict[str, Any]:
        found = spelled(answer, self._pieces)
        if not found.offsets:
            self._note("the server tells no token ids with log probabilities and bytes: answers are text only")
        if dialect.unsaid:
            self._note(f"the server takes no {', '.join(dialect.unsaid)}: they are its own (null in rollout.sampling)")
        self.models |= {answer.model} if answer.model else set()
        if len(self.models) > 1:
            self._note(f"the servers serve different models: {', '.join(sorted(self.models))}")
        finish_reason = answer.finish_reason
        thought_end = _thought_end(found, answer)
        if self.options.stop_at_document and (end := document.end(found.text, thought_end or 0)) is not None:
            found, finish_reason = found.until(end), "stop"
        known = len(found.offsets)
        return {
            "text": found.text,
            "prompt_ids": answer.prompt_ids if known else [],
            "tokens": answer.tokens[:known],
            "offsets": found.offsets,
            "logprobs": answer.logprobs[:known],
            "logprobs_basis": self._basis(dialect) if known else None,
            "finish_reason": finish_reason,
            "thought_end": thought_end,
            "model": self.options.model,
            "tokenizer": None,
            "sampling": dialect.sampling(self.options),
            "seed": seed,
            "usage": answer.used and dict(zip(("input_tokens", "output_tokens"), answer.used, strict=True)),
        }

    def _basis(self, dialect: Dialect) -> str:
        """Servers differ in whether they divide by the temperature; at 1, with nothing cut off, all agree."""
        if self.options.top_p < 1 or self.options.top_k or "top_k" in dialect.unsaid:
            return "truncated"
        return "temperature" if self.options.temperature == 1 else "raw"

    def _note(self, words: str) -> None:
        if words not in self.noted:
            self.noted.add(words)
            console.note(f"rcca rollout: {words}")


def _thought_end(found: Spelled, answer: chat.Answer) -> int | None:
    """Where the reasoning ends, as far as the server or the text tells it."""
    if answer.reasoning:
        return found.answer_start
    close = thought.closing("", found.text)
    return None if close is None else thought.end(found.text, close)
