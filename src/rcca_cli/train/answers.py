"""The answers that objective `sft` learns, as token ids: whose tokens, where they end, and which are left out."""

import copy
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from rcca_cli import console, jsonl, records, seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.models import Policy
from rcca_cli.models.literal import Literal

ANSWER = "the answer"  # stands for one where a chat template is asked what comes behind it


@dataclass(frozen=True)
class Answer:
    """One answer as token ids; `tokens` are the ones that are learned."""

    id: str
    prompt: Sequence[int]
    tokens: Sequence[int]
    truncated: bool


@dataclass
class Corpus:
    """The whole input: what is learned, what only measures, what is neither and why, and the input's digest."""

    learned: list[Answer] = field(default_factory=list)
    held_out: list[Answer] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    digest: str = ""

    def say(self) -> None:
        """How much there is of it, on standard error. RccaError if there is nothing to learn from."""
        counts = "".join(f", {count} left out ({reason})" for reason, count in sorted(self.left_out.items()))
        if not self.learned:
            raise RccaError(f"no answers to learn from: {len(self.held_out)} held out{counts}")
        console.note(f"{len(self.learned)} answers to learn from, {len(self.held_out)} held out{counts}")


def read(lines: Iterable[Line], policy: Policy, share: float = 0.0) -> Corpus:
    """All answers of the input in the policy's tokens; those of about `share` of the groups are held out.

    Which groups are held out depends on their names alone, so that it is the same ones in every call.
    RecordError for a record without task or answer; `rollout: null` is an answer that could not be had.
    """
    corpus, reader, seen = Corpus(), Reader(policy), blake2b(digest_size=16)
    for line in lines:
        seen.update(jsonl.encode(line.record))
        answer = reader.answer(line)
        if isinstance(answer, str):
            corpus.left_out[answer] += 1
        elif seeds.derive("held-out", str(line.record["group"])) < share * 2**63:
            corpus.held_out.append(answer)
        else:
            corpus.learned.append(answer)
    corpus.digest = seen.hexdigest()
    return corpus


class Reader:
    """Reads records as answers in the tokens of one policy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.literal = Literal(copy.deepcopy(policy.tokenizer))
        self.end = end_of_turn(policy)

    def answer(self, line: Line) -> Answer | str:
        """The record's answer, or why there is none to learn from."""
        if "rollout" in line.record and line.record["rollout"] is None:
            return "could not be had"
        record = records.need(line, "task", "rollout")
        if record.get("truth"):
            return "faults known by `truth`"
        if not record["task"]["prompt"]:
            raise line.error("task.prompt: empty")
        rollout = record["rollout"]
        known = self.knows(rollout)
        tokens = rollout["tokens"] if known else self.spelt(line, rollout["text"])
        if not tokens:
            return "not to be spelt in this model's tokens"
        truncated = rollout["finish_reason"] == "length"
        if not truncated and tokens[-1] not in self.policy.end_ids:
            tokens = [*tokens, *self.end]
        prompt = (rollout["prompt_ids"] if known else []) or self.prompt(line)
        if self.policy.context is not None and len(prompt) + len(tokens) > self.policy.context:
            return f"longer than the model's {self.policy.context} tokens"
        return Answer(record["id"], array("i", prompt), array("i", tokens), truncated)

    def prompt(self, line: Line) -> list[int]:
        """The tokens of the request."""
        try:
            return self.policy.prompt_ids(line.record["task"]["prompt"])
        except RccaError as error:
            raise line.error(f"task.prompt: {error}") from None

    def knows(self, rollout: dict[str, Any]) -> bool:
        """Whether the record's tokens are the policy's: then they are learned, as it is they that it samples."""
        if rollout.get("tokenizer") is not None or not rollout["tokens"]:
            return bool(rollout["tokens"]) and rollout["tokenizer"] == self.policy.digest
        return min(rollout["tokens"]) >= 0 and self.policy.decode(rollout["tokens"]).text == rollout["text"]

    def spelt(self, line: Line, text: str) -> list[int]:
        """The text in the policy's tokens; empty if they cannot spell it."""
        records.need_unicode(line, "rollout.text", text)
        ids = self.literal.ids(text)
        return ids if self.policy.decode(ids).text == text else []


def end_of_turn(policy: Policy) -> list[int]:
    """The token behind an answer in the policy's chat template, if sampling stops there; else the tokenizer's end.

    They differ in models made for chat: there the template ends a turn, and the tokenizer a document.
    """
    tokenizer = policy.tokenizer
    if tokenizer.chat_template:
        turns = [{"role": "user", "content": "the request"}, {"role": "assistant", "content": ANSWER}]
        behind = tokenizer.apply_chat_template(turns, tokenize=False).rpartition(ANSWER)[2]
        for token in tokenizer.encode(behind, add_special_tokens=False):
            if token in policy.end_ids:
                return [token]
    return [] if tokenizer.eos_token_id is None else [tokenizer.eos_token_id]
