"""Freed memory goes back to the system, so that the peak of an update is that of its longest row."""

import ctypes
from collections.abc import Callable
from functools import cache

LONG = 0.8  # of the longest row of an update: after shorter ones there is room enough


def give_back() -> None:
    """Return what the allocator keeps of freed memory (glibc; elsewhere nothing happens).

    A long row leaves holes that the next one does not fit: without this the heap was seen to grow by a sixth over an
    update. After every row it would cost a tenth of the processor time; after the longest it is hardly seen.
    """
    if (trim := _trim()) is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
