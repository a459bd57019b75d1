"""For Tinker, and servers with its interface: a datum for each rollout, as plain lists.

Position t of a datum is asked for token t + 1: everything but the input is shifted by one. Tinker's losses add up over
the tokens of a call, so advantages are divided by N, the sampled tokens of the whole step: then one `forward_backward`
with all rows of a step is the mean over its tokens, as in `rcca train`.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from rcca_cli.export.row import Row


def items(groups: Iterable[list[Row]], options: Any) -> Iterator[dict[str, Any]]:
    """Each rollout's datum, with the step it belongs to (from 0) and that step's N.

    RecordError for a rollout without the sampler's log-probabilities, or with some that are not at temperature 1: a
    server compares them with its own, and has no other temperature.
    """
    left = iter(groups)
    step = 0
    while rows := [row for group in islice(left, options.groups_per_step) for row in group]:
        total = sum(len(row.tokens) for row in rows)
        for row in rows:
            place = {"step": step, "tokens_in_step": total, "id": row.id, "group": row.group}
            yield datum(row, total) | place | row.origin
        step += 1


def datum(row: Row, total: int) -> dict[str, list[int] | list[float]]:
    """The lists of one datum, each as long as the sequence less one."""
    logprobs = row.needed_logprobs("tinker")
    if row.temperature != 1:
        raise row.line.error(f"rollout.logprobs: at temperature {row.temperature}, and Tinker's are at 1 (sample at 1)")
    every, before = row.prompt_ids + row.tokens, len(row.prompt_ids) - 1
    return {
        "input_tokens": every[:-1],
        "target_tokens": every[1:],
        "logprobs": [0.0] * before + logprobs,
        "advantages": [0.0] * before + [number / total for number in row.advantages],
    }
