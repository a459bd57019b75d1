"""Tasks as `synth` would write them, as small as they can be."""

from collections.abc import Iterable
from typing import Any

from rcca_cli.jsonl import Line

KEYS = {
    "text", "prompt_ids", "tokens", "offsets", "logprobs", "logprobs_basis", "finish_reason", "model", "tokenizer",
    "sampling", "seed", "config", "thought_end", "usage", "stamp",
}  # fmt: skip


def task(name: str = "t1", words: str = "Make a timer") -> dict[str, Any]:
    return {
        "schema": "rcca/1",
        "id": name,
        "group": name,
        "task": {"prompt": [{"role": "user", "content": words}], "rubric": [], "config": None},
        "mine": 7,
    }


def lines(*records: dict[str, Any]) -> list[Line]:
    return [Line(record, "tasks.jsonl", number) for number, record in enumerate(records, 1)]


def collect(records: Iterable[dict[str, Any]], into: list[dict[str, Any]]) -> None:
    """Not a list(): what came before an error counts too."""
    for record in records:
        into.append(record)
