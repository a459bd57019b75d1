"""For a script with prime-rl: its `TrainingSample`s, of the file of `rcca export --to prime-rl`."""

from collections.abc import Iterator
from typing import Any

import msgpack
from prime_rl.transports.batch.types import TrainingSample

STREAMS = ("token_ids", "mask", "logprobs", "temperatures", "advantages")


def samples(path: str) -> Iterator[TrainingSample]:
    """The rollouts of the file in order, one in memory at a time.

    Made by the names of their fields, so that it is an error if prime-rl has none of that name. `advantages`, like the
    other lists, has a number for each token of prompt and answer, 0 in the prompt.
    """
    for given in maps(path):
        streams = {name: given[name] for name in STREAMS}
        yield TrainingSample(env_name=given["env_name"], **streams)


def maps(path: str) -> Iterator[dict[str, Any]]:
    """The maps of the file as they are: also `id`, `group`, `reward`, `model` and `tokenizer`."""
    with open(path, "rb") as stream:
        yield from msgpack.Unpacker(stream, max_buffer_size=0)
