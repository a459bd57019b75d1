"""A map that is bounded, ordered and prompt."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Full, Queue
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def ordered_map(function: Callable[[A], B], items: Iterable[A], jobs: int, ahead: int | None = None) -> Iterator[B]:
    """Like `map`, `jobs` at a time, with at most `ahead` items begun and not yet taken: else `2 * jobs`.

    A thread of its own reads `items`, so a finished result leaves at once even while the next item
    is still on its way; `Executor.map` would read its whole input first. An error in `items` or in
    `function` is raised in its turn, after the results before it.
    """
    # The consumer holds one turn while it waits, and the feeder one while it waits to put it.
    turns: Queue[Future[B] | None] = Queue(maxsize=max(1, (ahead or 2 * jobs) - 2))
    stopped = threading.Event()

    def offer(turn: Future[B] | None) -> bool:
        while not stopped.is_set():
            try:
                turns.put(turn, timeout=0.1)
            except Full:
                continue
            return True
        return False

    def feed(pool: ThreadPoolExecutor) -> None:
        try:
            for item in items:
                if stopped.is_set() or not offer(pool.submit(function, item)):
                    return
        except BaseException as error:  # noqa: BLE001 - the consumer raises it in its turn
            failed: Future[B] = Future()
            failed.set_exception(error)
            offer(failed)
        offer(None)

    pool = ThreadPoolExecutor(jobs)
    threading.Thread(target=feed, args=(pool,), daemon=True).start()
    try:
        while (turn := turns.get()) is not None:
            yield turn.result()
    finally:
        stopped.set()
        pool.shutdown(wait=False, cancel_futures=True)
