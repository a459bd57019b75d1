"""Several processes, one training: the places that a launcher gave out, and what the processes tell each other.

Every process runs the same program on the same rows and comes to the same decisions, so that little has to be said. The
first one reads and writes, and tells the others what it has read; each computes the rows that are dealt to it; FSDP2
(`fully_shard`) keeps a part of every weight in each process and adds the gradients up. Denominators are counted over
all rows by every process, so none is ever summed up from parts. A process alone says nothing and imports nothing more.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import torch
from torch import Tensor

from rcca_cli import models
from rcca_cli.errors import RccaError, Stopped
from rcca_cli.train import pack
from rcca_cli.train.batch import Row
from rcca_cli.train.metrics import Tally

T = TypeVar("T")


class Elsewhere(RccaError):
    """Another process has failed and said why; this one ends with the same exit code, without a word."""

    def __init__(self, exit_code: int) -> None:
        super().__init__()
        self.exit_code = exit_code


@dataclass(frozen=True)
class World:
    """This process among those of a training: number `rank` of `size`."""

    rank: int = 0
    size: int = 1
    device: torch.device | None = None  # None: a process alone, which chooses for itself
    control: Any = None  # the group in which objects are told; it may wait for a slow pipe for weeks

    def first(self, work: Callable[[], T]) -> T:
        """The value of `work()` in the first process, the only one to do it. Its RccaError ends the others too."""
        if self.size == 1:
            return work()
        from torch.distributed import broadcast_object_list

        told: list[Any] = [None, 0]  # the value, and the exit code if there is none
        try:
            told[0] = work() if self.rank == 0 else None
        except (RccaError, Stopped) as error:
            broadcast_object_list([None, error.exit_code], group=self.control)
            raise
        broadcast_object_list(told, group=self.control)
        if told[1]:
            raise Elsewhere(told[1])
        return told[0]

    def shared(self, items: Iterator[T], bare: Callable[[T], T]) -> Iterator[T]:
        """The first process's items in every process; there as they are, in the others what `bare` leaves of them."""
        if self.size == 1:
            yield from items
            return
        while True:
            own: list[T] = []

            def following(own: list[T] = own) -> T | None:
                own += islice(items, 1)
                return bare(own[0]) if own else None

            told = self.first(following)
            if told is None:
                return
            yield own[0] if own else told

    def everyone(self, value: T) -> list[T]:
        """The value in each process, by rank, in all of them."""
        if self.size == 1:
            return [value]
        from torch.distributed import all_gather_object

        found: list[Any] = [None] * self.size
        all_gather_object(found, value, group=self.control)
        return found

    def added(self, total: float, tally: Tally) -> tuple[float, Tally]:
        """The sums over all processes of a part of the loss, and of what was counted."""
        if self.size == 1:
            return total, tally
        parts = self.everyone((total, tally))
        whole = Tally()
        for _, counted in parts:
            whole.add(counted)
        return sum(part for part, _ in parts), whole

    def deal(self, rows: Sequence[Row]) -> list[Row]:
        """The rows, each marked with the process that computes it: the one with least to do, longest rows first."""
        loads = [0] * self.size
        ranks = [0] * len(rows)
        for index in sorted(range(len(rows)), key=lambda index: -rows[index].length):
            if rows[index].scored:
                ranks[index] = loads.index(min(loads))
                loads[ranks[index]] += rows[index].length
        return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]

    def micro_batches(self, rows: Sequence[Row], budget: int) -> list[list[Row]]:
        """This process's micro-batches, as many as any process has, because all meet in every one of them.

        Behind its own come anchors: one token whose loss is multiplied by 0.
        """
        found = [pack.micro_batches([row for row in rows if row.rank == rank], budget) for rank in range(self.size)]
        missing = max(map(len, found)) - len(found[self.rank])
        return found[self.rank] + [[anchor(rows[0])] for _ in range(missing)]

    def spread(self, scorer: Any) -> Any:
        """The scorer, its model cut in parts over all processes; a call of it gathers them block by block."""
        if self.size == 1:
            return scorer
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method

        model = scorer.model
        mesh = init_device_mesh(str(self.device).partition(":")[0], (self.size,))
        for part in [*models.blocks(model), model]:
            fully_shard(part, mesh=mesh)
        for name in ("loss", "logprobs"):  # they run the decoder and the head, which only the whole model gathers
            setattr(model, f"scored_{name}", getattr(scorer, name))
            register_fsdp_forward_method(model, f"scored_{name}")
            setattr(scorer, name, getattr(model, f"scored_{name}"))
        return scorer

    def gathered(self, tensors: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
        """The tensors, whole and on the CPU, in the first process; nothing in the others, which must call it too."""
        found = {}
        for name, tensor in tensors:
            full = whole(tensor.detach())
            if self.rank == 0:
                found[name] = full.cpu().contiguous()
        return found


ALONE = World()


def place() -> tuple[int, int, int]:
    """Rank, number of processes and rank on this machine, from the variables that torchrun and accelerate set."""
    names = ("RANK", "WORLD_SIZE", "LOCAL_RANK")
    if not all(name in os.environ for name in names[:2]):
        return 0, 1, 0
    try:
        rank, size, local = (int(os.environ.get(name, "0")) for name in names)
    except ValueError:
        raise RccaError("RANK, WORLD_SIZE, LOCAL_RANK: set, and not to numbers (start by torchrun, or unset)") from None
    return rank, size, local


def anchor(row: Row) -> Row:
    """A row of one token that adds nothing to loss or gradient."""
    nothing: dict[str, Any] = {"tokens": row.tokens[:1], "advantages": [0.0], "scored": [0], "scale": 0.0}
    return replace(row, prompt=row.prompt[-1:], old=None, sampler=None, **nothing)


def whole(tensor: Tensor) -> Tensor:
    """The tensor, put together from its parts if it is in parts; all processes must ask for it."""
    return tensor.full_tensor() if hasattr(tensor, "full_tensor") else tensor


def like(value: Tensor, weight: Any) -> Tensor:
    """The value, the same in all processes, on the weight's device and in parts if the weight is in parts."""
    if not hasattr(weight, "device_mesh"):
        return value.to(weight.device)
    from torch.distributed.tensor import distribute_tensor

    return distribute_tensor(value.to(weight.device), weight.device_mesh, weight.placements, src_data_rank=None)
