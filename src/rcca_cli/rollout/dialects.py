"""How a server is asked for an answer: everything by name, in the words that its kind understands.

Servers have defaults of their own (a model's generation_config), so each parameter is said where it can be, and
`sampling` says what could not: null is the server's own. A new dialect is one entry of DIALECTS.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rcca_cli.rollout.options import Options

Body = dict[str, Any]


@dataclass(frozen=True)
class Dialect:
    """`body` is what a request says; `unsaid` are the parameters that it cannot."""

    name: str
    body: Callable[[Options, int], Body]
    unsaid: tuple[str, ...] = ()

    def sampling(self, options: Options) -> Body:
        """The value of `rollout.sampling`: what was asked for, null where the server decides."""
        return options.sampling() | dict.fromkeys(self.unsaid)


def _plain(options: Options, seed: int) -> Body:
    """What OpenAI's own interface has."""
    return {
        "temperature": options.temperature,
        "top_p": options.top_p,
        "max_tokens": options.max_new_tokens,
        "seed": seed,
    }


def _engine(options: Options, seed: int) -> Body:
    """vLLM and SGLang, for whom a top_k of -1 is all tokens; they tell ids and log probabilities."""
    truncation = {"top_k": options.top_k or -1, "min_p": 0.0, "repetition_penalty": 1.0}
    return _plain(options, seed) | truncation | {"logprobs": True, "return_token_ids": True}


def _transformers(options: Options, seed: int) -> Body:
    """`transformers serve`, which takes the rest as a configuration and tells no tokens."""
    config = {
        "do_sample": options.temperature > 0,
        "temperature": options.temperature or 1.0,
        "top_p": options.top_p,
        "top_k": options.top_k,
        "repetition_penalty": 1.0,
        "max_new_tokens": options.max_new_tokens,
    }
    return _plain(options, seed) | {"generation_config": json.dumps(config)}


DIALECTS = (
    Dialect("vllm, sglang", _engine),
    Dialect("transformers serve", _transformers, ("min_p",)),
    Dialect("openai", _plain, ("top_k", "min_p", "repetition_penalty")),
)
