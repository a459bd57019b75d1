"""What a row of someone else's says beside its verdicts: which request, which answer, whose, under what names."""

import hashlib
from typing import Any

from rcca_cli import records
from rcca_cli.columns import Columns, last_text
from rcca_cli.jsonl import Line
from rcca_cli.judge import artifact

# What may be known of the answer's tokens, under the names that `rollout` has for it.
TOKENS = (
    "prompt_ids", "tokens", "offsets", "logprobs", "logprobs_basis", "finish_reason", "thought_end",
    "tokenizer", "sampling",
)  # fmt: skip


def task(line: Line, columns: Columns, rubric: list[dict[str, Any]]) -> dict[str, Any]:
    """The record's `task`: the row's own, or one made of its prompt; with this rubric, unless that is empty."""
    row = line.record
    if isinstance(row.get("task"), dict):
        return row["task"] | {"rubric": rubric or row["task"].get("rubric", [])}
    messages = request(columns.value(row, "prompt"))
    if messages is None:
        raise line.error(lacking(columns, "prompt", "the request"))
    return {"prompt": messages, "class": None, "level": None, "source": "foreign", "rubric": rubric, "config": None}


def rollout(line: Line, columns: Columns) -> dict[str, Any]:
    """The record's `rollout`, with whatever is known of the tokens; null, with the reason, for a null answer."""
    row = line.record
    if isinstance(row.get("rollout"), dict):
        return {"rollout": row["rollout"]}
    found = columns.find(row, "answer")
    if found is not None and found[1] is None:
        return {"rollout": None, "error": f"{found[0]}: null"}
    text = last_text(found[1]) if found else answer_in(columns.value(row, "prompt"))
    if text is None:
        raise line.error(lacking(columns, "answer", "the answer"))
    known = {key: row[key] for key in TOKENS if row.get(key) is not None}
    model = columns.value(row, "model")
    return {"rollout": records.text_only(text, "stop", model if isinstance(model, str) else "foreign") | known}


def page(text: str, finish_reason: str | None, thought_end: int | None = None) -> dict[str, Any]:
    """The page in an answer; the whole answer if it holds none, for the evaluator may have judged it all the same."""
    found = artifact.find(text, finish_reason, thought_end).artifact
    if found is not None:
        return dict(found)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"start": 0, "end": len(text), "method": "whole", "blocks": 0, "truncated": False, "sha256": digest}


def request(prompt: Any) -> list[dict[str, Any]] | None:
    """A request as messages: a text is the user's; an answer at the end is no part of it. None if it is neither."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    if not isinstance(prompt, list) or not all(isinstance(one, dict) for one in prompt):
        return None
    kept = prompt[:-1] if answer_in(prompt) is not None else prompt
    messages = [{"role": str(one.get("role") or "user"), "content": one.get("content")} for one in kept]
    return messages if messages and all(isinstance(one["content"], str) for one in messages) else None


def answer_in(prompt: Any) -> str | None:
    """The answer at the end of a conversation that holds it."""
    last = prompt[-1] if isinstance(prompt, list) and prompt else None
    return last_text(prompt) if isinstance(last, dict) and last.get("role") == "assistant" else None


def lacking(columns: Columns, ours: str, what: str) -> str:
    """What to say of a row that has no column for something."""
    names = ", ".join(columns.names(ours))
    return f"no column with {what} (looked for {names}; name yours: --column {ours}=NAME)"
