"""For verifiers: its `traces.jsonl`, an episode for each rollout, with credit on the node of the answer."""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli.export.row import Row

NOW = 0.0  # nothing that depends on the clock


def items(groups: Iterable[list[Row]], _options: Any) -> Iterator[dict[str, Any]]:
    """Each rollout as an episode with one trace. `advantages`, like `logprobs`, go over the sampled tokens alone."""
    for rows in groups:
        for row in rows:
            task = {"type": "Task", "data": {"id": row.group, "prompt": row.prompt}, "key": row.group}
            yield {
                "id": row.id,
                "env": {"id": "rcca", "name": "rcca"},
                "task": task,
                "group": {"id": row.group},
                "ok": True,
                "errors": [],
                "traces": [_trace(row, task)],
            }


def _trace(row: Row, task: dict[str, Any]) -> dict[str, Any]:
    sampling = {"temperature": row.temperature}
    reason = row.finish_reason if row.finish_reason in ("stop", "length") else None
    call = {"node": len(row.prompt), "model": row.model, "sampling": sampling, "finish_reason": reason}
    return {
        "id": row.id,
        "task": task,
        "agent": {"config": {"model": row.model}},
        "nodes": [*_prompt(row), _answer(row)],
        "calls": [call],
        "rewards": {"rcca": None if row.reward is None else {"score": row.reward, "weight": 1.0}},
        "info": {"rcca": row.origin},
        "is_completed": True,
        "ok": True,
        "timing": {"start": NOW},
    }


def _prompt(row: Row) -> Iterator[dict[str, Any]]:
    """A node for each turn of the prompt. Which ids are whose is not known: the last has them all."""
    for index, message in enumerate(row.prompt):
        tokens = row.prompt_ids if index == len(row.prompt) - 1 else []
        yield {
            "parent": index - 1 if index else None,
            "message": message,
            "timestamp": NOW,
            "token_ids": tokens,
            "mask": [False] * len(tokens),
        }


def _answer(row: Row) -> dict[str, Any]:
    return {
        "parent": len(row.prompt) - 1,
        "message": {"role": "assistant", "content": row.text},
        "sampled": True,
        "timestamp": NOW,
        "token_ids": row.tokens,
        "mask": [True] * len(row.tokens),
        "logprobs": row.logprobs or [],
        "advantages": row.advantages,
    }
