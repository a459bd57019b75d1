"""Entering and leaving a training of several processes: whoever fails says so once, and nobody is left waiting."""

import contextlib
import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import torch

from rcca_cli import console, jsonl
from rcca_cli.errors import RccaError, Stopped
from rcca_cli.train.distributed import ALONE, Elsewhere, World, place

FAILED = "rcca/failed"  # in the launcher's store: who failed first, and with which exit code
PATIENCE = timedelta(days=30)  # for the first process, which may be waiting for a rollout at the other end of a pipe


@contextlib.contextmanager
def joined(device: str) -> Iterator[World]:
    """This process's place in the training: alone, or among those that torchrun or `accelerate launch` started.

    All but the first are quiet and leave standard output to it.
    """
    rank, size, local = place()
    if size == 1:
        yield ALONE
        return
    import torch.distributed as dist
    from torch.distributed.rendezvous import rendezvous

    if rank:
        console.set_quiet(True)
        os.close(jsonl.take_stdout())
    where = own_device(device, local)
    store, _, _ = next(rendezvous("env://", rank, size))
    kinds = "cpu:gloo,cuda:nccl" if where.type == "cuda" else "gloo"
    dist.init_process_group(kinds, store=dist.PrefixStore("rcca", store), rank=rank, world_size=size)
    control = dist.new_group(backend="gloo", timeout=PATIENCE)
    try:
        yield World(rank, size, where, control)
    except (Exception, Stopped) as error:  # whatever it was: the others must not wait for us
        raise voiced(error, store, rank) from error
    dist.destroy_process_group()


def own_device(device: str, local: int) -> torch.device:
    """The device of process number `local` of its machine."""
    if device == "cpu" or (device == "auto" and not torch.cuda.is_available()):
        return torch.device("cpu")
    if device.partition(":")[0] not in ("auto", "cuda") or local >= torch.cuda.device_count():
        raise RccaError(f"--device {device}: not there for process {local} of this machine (cpu, cuda or auto)")
    torch.cuda.set_device(local)
    return torch.device("cuda", local)


def voiced(error: BaseException, store: Any, rank: int) -> BaseException:
    """The error to end with: our own, if we are the first to fail, else none that is heard."""
    if isinstance(error, Elsewhere):
        return error
    mine = f"{rank} {error.exit_code if isinstance(error, RccaError | Stopped) else 70}"
    try:
        first = store.compare_set(FAILED, "", mine).decode()
    except RuntimeError:
        if isinstance(error, RccaError | Stopped):  # what is wrong with the input or the options is so in every process
            return Elsewhere(error.exit_code)
        return RccaError("the process that held the training together has ended (killed, or out of memory?)")
    if first != mine:
        return Elsewhere(int(first.split()[1]))
    if is_loss(error):
        return RccaError("another process of this training has ended without a word (killed, or out of memory?)")
    return error


def is_loss(error: BaseException) -> bool:
    """Whether the error is that another process is not there any more."""
    signs = ("onnection closed", "onnection reset", "roken pipe", "emote process exited", "unhandled system error")
    return isinstance(error, RuntimeError) and any(sign in str(error) for sign in signs)
