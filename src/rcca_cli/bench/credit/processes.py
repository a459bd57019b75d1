"""Several pieces of work at once, each in a process of its own."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol, TypeVar

from rcca_cli import console
from rcca_cli.errors import RccaError

One = TypeVar("One")
Made = TypeVar("Made")


class Mapped(Protocol):
    """`map`, of one iterable."""

    def __call__(self, work: Callable[[One], Made], wanted: Iterable[One], /) -> Iterator[Made]:
        """What `work` makes of each, in order."""


@contextmanager
def several(at_once: int) -> Iterator[Mapped]:
    """A `map` with so many processes, which say nothing; with one the work is done here, when it is asked for."""
    if at_once == 1:
        yield map
        return
    context = multiprocessing.get_context("spawn")  # torch does not survive a fork
    with ProcessPoolExecutor(at_once, context, begin) as pool:
        try:
            yield pool.map
        except BrokenProcessPool:
            raise RccaError("a process was killed (no memory left? fewer --jobs; the same call goes on)") from None
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()  # or we would wait for the end of their work
            raise


def begin() -> None:
    """What each process begins with: it says nothing, and ends with the one that started it, however that ends."""
    console.set_quiet(True)
    threading.Thread(target=outlive_nobody, daemon=True).start()


def outlive_nobody() -> None:
    """Without this the processes of a killed call would wait for work for ever, and hold their memory."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
