"""For TRL: a line for each group, because TRL's sampler repeats a line for each of its `num_generations` completions.

Columns named as TRL's `rollout_func` names them, with a list entry for each rollout of the group.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli.export.row import Row


def items(groups: Iterable[list[Row]], _options: Any) -> Iterator[dict[str, Any]]:
    """Each group as one row of a dataset for `rcca_cli.export.trl`.

    `token_advantages` are final; with `--credit weights` there are `token_weights` instead, and TRL makes the
    sequences' advantages of `rewards` itself. RecordError if one group was sampled at two temperatures.
    """
    for rows in groups:
        first = rows[0]
        for row in rows:
            if row.temperature != first.temperature:
                raise row.line.error(f"rollout.sampling.temperature: {row.temperature} beside {first.temperature}")
        weighted = first.weights is not None
        yield {
            "prompt": first.prompt,
            "group": first.group,
            "ids": [row.id for row in rows],
            "prompt_ids": [row.prompt_ids for row in rows],
            "completion_ids": [row.tokens for row in rows],
            "logprobs": [row.logprobs or [] for row in rows],
            "token_weights" if weighted else "token_advantages": [
                row.weights if weighted else row.advantages for row in rows
            ],
            "rewards": [row.reward for row in rows],
            "temperature": first.temperature,
            **first.origin,
        }
