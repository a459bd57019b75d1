"""A reply that is there as a whole in time, or not at all: the client's own time limit is for each piece of it.

A server that sends a byte now and then, or that never ends, would otherwise hold whoever asked, for ever.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

LARGEST = 1 << 26  # bytes of a reply, as they come


class Endless(Exception):
    """The reply did not end where it should have."""


def hooks(client: type, seconds: float) -> dict[str, list[Callable[[Any], None]]]:
    """What an HTTP `client` is to do with requests and responses, so that one of each takes so many seconds at most."""
    stream = sys.modules[client.__mro__[1].__module__.partition(".")[0]].SyncByteStream  # of httpx or httpx2

    class Body(stream):  # type: ignore[misc, valid-type]
        """The body of a reply, up to a moment on the clock of time.monotonic."""

        def __init__(self, whole: Any, until: float) -> None:
            self.whole, self.until = whole, until

        def __iter__(self) -> Iterator[bytes]:
            size = 0
            for part in self.whole:
                size += len(part)
                if time.monotonic() > self.until:
                    raise Endless(f"the reply did not end within {seconds:g} s")
                if size > LARGEST:
                    raise Endless(f"the reply is longer than {LARGEST >> 20} MiB")
                yield part

        def close(self) -> None:
            self.whole.close()

    def began(request: Any) -> None:
        request.extensions.setdefault("until", time.monotonic() + seconds)  # a redirect has no more

    def bound(response: Any) -> None:
        response.stream = Body(response.stream, response.request.extensions["until"])

    return {"request": [began], "response": [bound]}
