"""Answers of a model to the tasks, a few tasks at a time, so that they are judged while more are to come."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

from rcca_cli import console
from rcca_cli.bench.miniapp.options import Options
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.rollout import stage as rollout

WINDOW = 4  # tasks sampled together in this process
SERVED = 16  # tasks that a server is asked about at once
Record = dict[str, Any]


def windows(tasks: list[Record], options: Options) -> Iterator[list[Record]]:
    """The model's answers, `samples` a task, as many at once as are sampled together; `rollout` is null of one
    that could not be had."""
    wanted = rollout_options(options)
    if options.model == "embedded" and options.base_url is None:
        console.note("rcca bench: no --model, --base-url or --answers: sampling the embedded policy")
    lines = (Line(task, "<bench>", number) for number, task in enumerate(tasks, 1))
    began = time.perf_counter()
    for window in together(rollout.run(lines, wanted), wanted.window * options.samples):
        seconds = round((time.perf_counter() - began) / len(window), 3)
        yield [timed(record, seconds) if options.stamp else record for record in window]
        began = time.perf_counter()


def rollout_options(options: Options) -> rollout.Options:
    """How the model is sampled."""
    return rollout.Options(
        group_size=options.samples,
        model=options.model,
        backend="openai" if options.base_url else "transformers",
        base_urls=(options.base_url,) if options.base_url else (),
        temperature=options.temperature,
        max_new_tokens=options.max_new_tokens,
        seed=options.seed,
        window=SERVED if options.base_url else WINDOW,
        device=options.device,
        cache=options.cache,
        stamp=options.stamp,
    )


def together(records: Iterator[Record], size: int) -> Iterator[list[Record]]:
    """The records, `size` at once; answers not had are counted from them."""
    window: list[Record] = []
    with contextlib.suppress(ItemsFailed):
        for record in records:
            window.append(record)
            if len(window) == size:
                yield window
                window = []
    if window:
        yield window


def timed(record: Record, seconds: float) -> Record:
    """The record with its share of the time that a window took, where the answer has no time of its own."""
    if record["rollout"] is None or record["rollout"].get("stamp") is not None:
        return record
    return record | {"rollout": record["rollout"] | {"stamp": {"seconds": seconds}}}
