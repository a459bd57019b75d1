"""SIGINT and SIGTERM: each becomes an error, so that files are closed and browsers ended on the way out.

The error is raised wherever the call happens to be, and some places lose what is raised there: a finaliser, a callback,
a library that mends whatever goes wrong. So it is raised again, after a second and after twice as long each time, until
it is on its way.
"""

import gc
import signal
import weakref
from types import FrameType

from rcca_cli.errors import Interrupted, Stopped, Terminated

ERRORS = {signal.SIGINT: Interrupted, signal.SIGTERM: Terminated}
AGAIN = 1.0  # seconds until it is first looked at

_asked: list[type[Stopped]] = []  # by the first signal; others do nothing, as closing is bounded
_looks: list[float] = []  # the waits before each look at it
_raised: list[weakref.ref[Stopped]] = []  # the last error; it lives for as long as it is on its way


def listen() -> None:
    """From now on a signal ends the call. (Typer would turn Ctrl-C into exit 1, which means "some items failed".)"""
    _asked.clear()
    _looks.clear()
    for number in ERRORS:
        signal.signal(number, stop)


def stop(number: int, _frame: FrameType | None) -> None:
    """Raise the signal's error. (The signals are not set to SIG_IGN: Python complains of one that is on its way.)"""
    if _asked:
        return
    _asked.append(ERRORS[signal.Signals(number)])
    signal.signal(signal.SIGALRM, insist)
    wait()
    throw()


def insist(_number: int, _frame: FrameType | None) -> None:
    """Raise the error again, if it was lost.

    The clock is set anew each time, for longer: where looking takes longer than the wait, nothing else would be done.
    """
    gc.collect()
    wait()
    if _raised[0]() is None:
        throw()


def wait() -> None:
    """Look after the error in a while, twice as long as the last."""
    _looks.append(AGAIN * 2 ** len(_looks))
    signal.setitimer(signal.ITIMER_REAL, _looks[-1])


def throw() -> None:
    """Raise what was asked for, and keep nothing of it alive."""
    error = _asked[0]()
    _raised[:] = [weakref.ref(error)]
    try:
        raise error
    finally:
        del error


def settled() -> int:
    """The exit code that a signal asked for, or 0. The error has come to where it belongs: it is not raised again."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    return _asked[0].exit_code if _asked else 0
