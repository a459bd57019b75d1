"""One writer at a time: a lock that the system gives back when its holder ends, however it ends."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from rcca_cli.errors import RccaError


@contextlib.contextmanager
def held(path: str) -> Iterator[None]:
    """Hold `path` for ourselves, by the file PATH.lock; RccaError at once if another call does.

    A killed process leaves the file, not the lock.
    """
    place = Path(os.path.realpath(path) + ".lock")
    descriptor = _taken(place, path)
    try:
        yield
    finally:
        # Removed while still held, so that whoever opened it meanwhile sees that its file is no longer there.
        place.unlink(missing_ok=True)
        os.close(descriptor)


def _taken(place: Path, path: str) -> int:
    """The descriptor of the lock's file, locked, and still the one that has the name."""
    while True:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise RccaError(f"{path}: cannot be written: {error.strerror} ({place})") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(place)):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise RccaError(f"{path}: another call is writing there (wait for it, or choose another)") from None
        except FileNotFoundError:
            pass  # its last holder has removed it since
        os.close(descriptor)
