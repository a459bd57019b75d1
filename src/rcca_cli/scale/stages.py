"""The stages on datasets. What is slow to start, a browser or a model, is started once by each actor and stays warm."""

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from rcca_cli.jsonl import Line
from rcca_cli.resume import Unit
from rcca_cli.scale.datasets import COLUMN, Batch, given, taken

if TYPE_CHECKING:
    from ray.data import Dataset


def rollout(
    tasks: "Dataset", *, actors: tuple[int, int] = (1, 1), cpus: float = 1, gpus: float = 0, **options: Any
) -> "Dataset":
    """Answers to tasks, by `actors` (least, most) models at once. `options`: those of rollout/stage.py.

    A window of tasks (`window`) is a batch.
    """
    from rcca_cli.rollout.stage import Options

    chosen = Options(**options)
    return _mapped(tasks, Sampler, chosen, actors, batch_size=chosen.window, num_cpus=cpus, num_gpus=gpus)


def judge(
    rollouts: "Dataset", *, actors: tuple[int, int] = (1, 4), cpus: float = 2, batch: int = 16, **options: Any
) -> "Dataset":
    """Judged answers, by `actors` (least, most) browsers at once, of `cpus` cores each; `options`: judge/stage.py."""
    from rcca_cli.judge.stage import Options

    return _mapped(rollouts, Judge, Options(**options), actors, batch_size=batch, num_cpus=cpus)


def align(judged: "Dataset", **options: Any) -> "Dataset":
    """Aligned answers; those to one task are brought together, wherever they are. `options`: align/stage.py."""
    from rcca_cli.align.stage import Options

    named = judged.map_batches(_with_group, batch_format="numpy")
    return named.groupby(GROUP).map_groups(partial(_aligned, options=Options(**options)))


GROUP = "group"


def _mapped(lines: "Dataset", worker: type, options: Any, actors: tuple[int, int], **needs: Any) -> "Dataset":
    return lines.map_batches(worker, fn_constructor_args=(options,), concurrency=actors, batch_format="numpy", **needs)


def _with_group(batch: Any) -> dict[str, list[str]]:
    groups = [Unit("group").name(line.record) for line in taken(batch)]
    return {COLUMN: list(batch[COLUMN]), GROUP: groups}


class Sampler:
    """Samples with one model."""

    def __init__(self, options: Any) -> None:
        from rcca_cli.rollout import stage

        self.options, self.stage, self.backend = options, stage, stage.open_backend(options)

    def __call__(self, batch: Batch) -> dict[str, list[str]]:
        return given(self.stage.run(taken(batch), self.options, self.backend))


class Judge:
    """Judges with one browser, which ends with the actor."""

    def __init__(self, options: Any) -> None:
        from rcca_cli.judge import stage

        self.options, self.stage, self.open = options, stage, contextlib.ExitStack()
        self.court = self.open.enter_context(stage.court(options))

    def __call__(self, batch: Batch) -> dict[str, list[str]]:
        return given(self.stage.run(taken(batch), self.options, self.court))


def _aligned(group: Batch, options: Any) -> dict[str, list[str]]:
    """One group, its answers in the order of their numbers."""
    from rcca_cli.align import stage

    return given(stage.run(in_order(group), options))


def in_order(group: Batch) -> Iterator[Line]:
    """The answers of a group by their numbers, which are the end of their ids."""
    return iter(sorted(taken(group), key=lambda line: (len(name := str(line.record.get("id", ""))), name)))
