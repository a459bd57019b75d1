"""Backend `transformers`: a model in this process, tokens and log probabilities first hand."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rcca_cli import models, records
from rcca_cli.errors import RccaError
from rcca_cli.models import sample as sampler
from rcca_cli.models.choice import Sampling
from rcca_cli.rollout import document
from rcca_cli.rollout.backend import Ask, Missing
from rcca_cli.rollout.options import Options

END = 16  # tokens, in which an end tag lies


class Local:
    """Samples from `policy`, which may be one that is being trained: its weights are read anew at each call."""

    def __init__(self, options: Options, policy: models.Policy | None = None) -> None:
        self.options = options
        self.policy = policy or models.load(options.model, options.device)
        self.sampling = Sampling(options.temperature, options.top_k, options.top_p, options.max_new_tokens)

    def sample(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, list[dict[str, Any] | Missing]]]:
        """The answers to these tasks, a window of them at a time."""
        for window in windows(asks, self.options.window):
            yield from self._sampled(window)

    def _sampled(self, asks: Sequence[Ask]) -> Iterator[tuple[Ask, list[dict[str, Any] | Missing]]]:
        """The answers to a window, each group as soon as it is whole and those before it are."""
        prompts, wrong = self._prompts(asks)
        asks = asks[: len(prompts)]
        groups = sampler.sample(
            self.policy,
            prompts,
            [ask.seeds for ask in asks],
            self.sampling,
            rows=self.options.batch,
            is_whole=self._is_whole if self.options.stop_at_document else None,
        )
        for ask, prompt_ids, answers in zip(asks, prompts, groups, strict=True):
            values = zip(answers, ask.seeds, strict=True)
            yield ask, [self._value(prompt_ids, answer, seed) for answer, seed in values]
        if wrong is not None:
            raise wrong

    def _prompts(self, asks: Sequence[Ask]) -> tuple[list[list[int]], RccaError | None]:
        """The prompts up to the first that the model cannot read, and what is wrong with that one."""
        prompts: list[list[int]] = []
        try:
            for ask in asks:
                prompts.append(self._prompt_ids(ask))
        except RccaError as error:
            return prompts, error
        return prompts, None

    def _prompt_ids(self, ask: Ask) -> list[int]:
        for number, message in enumerate(ask.messages):
            for key in ("role", "content"):
                records.need_unicode(ask.line, f"task.prompt.{number}.{key}", message[key])
        try:
            ids = self.policy.prompt_ids(ask.messages)
        except RccaError as error:
            raise ask.line.error(f"task.prompt: {error}") from None
        vocabulary = self.policy.model.get_input_embeddings().weight.shape[0]
        if max(ids) >= vocabulary:
            raise ask.line.error(f"task.prompt: token {max(ids)}, but {self.policy.name} has {vocabulary}")
        if self.policy.context is not None and len(ids) >= self.policy.context:
            raise ask.line.error(
                f"task.prompt: {len(ids)} tokens, but {self.policy.name} has room for {self.policy.context}"
            )
        return ids

    def _is_whole(self, prompt_ids: Sequence[int], tokens: Sequence[int]) -> bool:
        """Does the last of these tokens complete the document? Looked at closely only where it may."""
        pieces = self.policy.pieces
        if b">" not in pieces.one(tokens[-1]) or b"</html" not in b"".join(pieces.of(tokens[-END:])).lower():
            return False
        decoded = self.policy.decode(tokens)
        return document.end(decoded.text, self.policy.thought_end(prompt_ids, tokens, decoded)) is not None

    def _value(self, prompt_ids: list[int], answer: sampler.Sample, seed: int) -> dict[str, Any]:
        decoded = self.policy.decode(answer.tokens)
        return {
            "text": decoded.text,
            "prompt_ids": prompt_ids,
            "tokens": answer.tokens,
            "offsets": decoded.offsets,
            "logprobs": answer.logprobs,
            "logprobs_basis": self.options.logprobs_basis(),
            "finish_reason": answer.finish_reason,
            "thought_end": self.policy.thought_end(prompt_ids, answer.tokens, decoded),
            "model": self.policy.name,
            "tokenizer": self.policy.digest,
            "sampling": self.options.sampling(),
            "seed": seed,
            "usage": {"input_tokens": len(prompt_ids), "output_tokens": len(answer.tokens)},
            "stamp": None,
        }


def windows(asks: Iterable[Ask], size: int) -> Iterator[list[Ask]]:
    """`size` tasks at a time. A line that cannot be used is an error in its turn: after the tasks before it."""
    held: list[Ask] = []
    try:
        for ask in asks:
            held.append(ask)
            if len(held) == size:
                yield held
                held = []
    except RccaError as error:
        if held:
            yield held
        raise error
    if held:
        yield held
