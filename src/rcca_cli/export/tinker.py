"""For a script with Tinker, or with a server of its interface: datums of the file of `rcca export --to tinker`."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import tinker

from rcca_cli import jsonl

LISTS = ("target_tokens", "logprobs", "advantages")


def steps(path: str) -> Iterator[list[tinker.Datum]]:
    """The datums of each optimizer step, one step in memory at a time.

    Advantages are divided by the step's sampled tokens already: give all datums of a step to `forward_backward` (the
    loss `importance_sampling` or `ppo`; several calls add up), then call `optim_step` once.
    """
    for _, lines in groupby(jsonl.read([path]), key=lambda line: line.record["step"]):
        yield [datum(line.record) for line in lines]


def datum(given: dict[str, Any]) -> tinker.Datum:
    """One rollout's, of its line."""
    return tinker.Datum(
        model_input=tinker.ModelInput.from_ints(given["input_tokens"]),
        loss_fn_inputs={name: given[name] for name in LISTS},
    )
