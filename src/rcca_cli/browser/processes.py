"""What the browser's processes use, read from /proc, and how to end them. Elsewhere nothing is known."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def children(pid: int) -> list[int]:
    """The processes that `pid` started and that still run."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def descendants(pid: int) -> Iterator[int]:
    """All processes below `pid`."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def command(pid: int) -> str:
    """The command line of `pid`, its words separated by spaces; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the command's name; none if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return []


def cpu_seconds(pid: int) -> float:
    """The processor time that `pid` has used; 0.0 if it is gone."""
    return sum(map(int, _stat(pid)[11:13])) / _TICK


def cpu_below(pid: int) -> float:
    """The processor time of all processes below `pid`, and of those that ended and that one of them waited for."""
    return sum(sum(map(int, _stat(below)[11:15])) for below in descendants(pid)) / _TICK


def started(pid: int) -> int | None:
    """When `pid` started, in ticks since the machine did, to tell it from a later one of its number; None if gone."""
    fields = _stat(pid)
    return int(fields[19]) if fields and fields[0] != "Z" else None


def is_zombie(pid: int) -> bool:
    """Whether `pid` has ended and its parent did not take note of it."""
    return _stat(pid)[:1] == ["Z"]


def resident_bytes(pid: int) -> int:
    """The memory that `pid` holds; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def kill(pid: int) -> None:
    """End one process at once."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """End the process group that `pid` leads, and whatever it started."""
    below = list(descendants(pid))
    with contextlib.suppress(OSError):
        if os.getpgid(pid) != os.getpgid(0):
            os.killpg(pid, signal.SIGKILL)
    for one in [pid, *below]:
        kill(one)
