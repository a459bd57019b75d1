"""What a page does outside of itself: packets that arrive, processor time, memory, processes that stay."""

import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

from rcca_cli.browser import processes

STEP = 0.05  # seconds between two looks at the processes


class Listener:
    """Notes who reaches this machine by TCP or UDP, on all its addresses; `host` is where. A context manager."""

    def __init__(self) -> None:
        self._heard: SimpleQueue[str] = SimpleQueue()
        self._tcp = socket.create_server(("0.0.0.0", 0))
        port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("0.0.0.0", port))
        self.host = f"127.0.0.1:{port}"

    def __enter__(self) -> "Listener":
        for listen in (self._accept, self._receive):
            threading.Thread(target=listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._tcp.shutdown(socket.SHUT_RDWR)
        self._tcp.close()
        self._udp.close()

    def heard(self) -> list[str]:
        """What arrived since the last call: the first line of each message."""
        return [self._heard.get() for _ in range(self._heard.qsize())]

    def wait(self) -> str:
        """The next message, when it has come."""
        return self._heard.get()

    def _accept(self) -> None:
        try:
            while True:
                connection, _ = self._tcp.accept()
                with connection:
                    self._note("TCP", _first_words(connection))
        except OSError:
            pass  # closed

    def _receive(self) -> None:
        try:
            while True:
                self._note("UDP", self._udp.recvfrom(200)[0])
        except OSError:
            pass  # closed

    def _note(self, kind: str, message: bytes) -> None:
        line = message.partition(b"\r\n")[0].decode("ascii", "replace")
        self._heard.put(f"{kind} {line}")


def _first_words(connection: socket.socket) -> bytes:
    """What a visitor says first; who says nothing has come all the same."""
    connection.settimeout(1)
    try:
        return connection.recv(200)
    except OSError:
        return b""


@dataclass(frozen=True)
class Cost:
    """What was used between two moments: seconds by the clock, seconds of all processors, the most bytes at once."""

    seconds: float
    cpu: float
    peak: int


class Meter:
    """Measures the processes below this one. A context manager; `cost` is known at its end.

    They are looked at while they run: the system's own account leaves out those whose parent was killed or did not wait
    for them, and that is most of a browser.
    """

    cost: Cost

    def __enter__(self) -> "Meter":
        self._peak = 0
        self._ended = threading.Event()
        self._before, self._start = account(), time.monotonic()
        self._spent = dict(self._before)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        seconds = time.monotonic() - self._start
        self._spent |= account()
        self.cost = Cost(seconds, sum(self._spent.values()) - sum(self._before.values()), self._peak)

    def _watch(self) -> None:
        while not self._ended.wait(STEP):
            self._spent |= account()
            self._peak = max(self._peak, sum(map(processes.resident_bytes, below())))


def below() -> list[int]:
    """All processes that this one has started, and theirs."""
    return list(processes.descendants(os.getpid()))


def account() -> dict[tuple[int, int], float]:
    """The processor seconds of each process below that runs, by its number and when it was started."""
    began = {pid: processes.started(pid) for pid in below()}
    return {(pid, at): processes.cpu_seconds(pid) for pid, at in began.items() if at is not None}


class Processes:
    """Remembers the processes that were seen, to tell in the end which of them are left."""

    def __init__(self) -> None:
        self._before = set(below())
        self._seen: dict[int, int] = {}

    def look(self) -> None:
        """Note all that run now."""
        for pid in set(below()) - self._before:
            began = processes.started(pid)
            if began is not None:
                self._seen[pid] = began

    def left(self, seconds: float = 5.0) -> list[int]:
        """Those that still run after a while in which they may end."""
        return patiently(lambda: [pid for pid, began in self._seen.items() if processes.started(pid) == began], seconds)

    def zombies(self, seconds: float = 0.0) -> list[int]:
        """Those that have ended and of which nobody took note, not even after a while."""
        return patiently(lambda: [pid for pid in self._seen if processes.is_zombie(pid)], seconds)


def patiently(found: Callable[[], list[int]], seconds: float) -> list[int]:
    """What is still found after a while in which it may go away."""
    until = time.monotonic() + seconds
    while (still := found()) and time.monotonic() < until:
        time.sleep(STEP)
    return still
