"""What a run has spent on its judge, and whether it may spend more."""

import threading
from dataclasses import dataclass

from rcca_cli.errors import RccaError

MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Of a million tokens, read and written, in whatever currency `most` is in; `most` is what all may cost."""

    read: float | None = None
    written: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if self.most is not None and (self.read is None or self.written is None):
            raise RccaError("--max-cost: by which prices? (--price-in and --price-out, of a million tokens)")

    def cost(self, read: int, written: int) -> float | None:
        """Of so many tokens; None without prices.

        >>> Prices(2.0, 10.0).cost(500_000, 100_000)
        2.0
        """
        if self.read is None or self.written is None:
            return None
        return (read * self.read + written * self.written) / MILLION


class Spent(Exception):
    """The next call could cost more than is left."""


class Ledger:
    """Counts calls, tokens and cost. Threads may share it.

    `estimated` is how many calls the server told no tokens of; `remembered` calls cost nothing.
    """

    def __init__(self, prices: Prices, before: float = 0.0) -> None:
        self.prices = prices
        self.calls = self.remembered = self.read = self.written = self.estimated = 0
        self.seconds = 0.0
        self.before = before  # what earlier runs on the same journal have spent
        self._reserved = 0.0
        self._lock = threading.Lock()

    @property
    def cost(self) -> float | None:
        """Of this run; None without prices."""
        return self.prices.cost(self.read, self.written)

    def reserve(self, read: int, written: int) -> float:
        """Set money aside for a call that reads and writes at most so much; Spent if there is not as much left."""
        price = self.prices.cost(read, written) or 0.0
        with self._lock:
            if self.prices.most is not None:
                spent = self.before + (self.cost or 0.0) + self._reserved
                if spent + price > self.prices.most:
                    raise Spent(
                        f"--max-cost {self.prices.most:g}: {spent:.4g} is spent, the next call may cost {price:.4g}"
                    )
            self._reserved += price
        return price

    def settle(self, reserved: float, used: tuple[int, int] | None, guess: tuple[int, int], seconds: float) -> None:
        """Book a call that was answered, by the server's own count or else by ours."""
        read, written = used or guess
        with self._lock:
            self._reserved -= reserved
            self.calls += 1
            self.estimated += used is None
            self.read += read
            self.written += written
            self.seconds += seconds

    def release(self, reserved: float) -> None:
        """A call that was not answered: nothing is known to have been charged."""
        with self._lock:
            self._reserved -= reserved

    def remember(self) -> None:
        """A reply that was known already."""
        with self._lock:
            self.remembered += 1

    def plain(self) -> dict[str, float | int | None]:
        """As JSON."""
        names = ("calls", "remembered", "read", "written", "estimated")
        counts: dict[str, float | int | None] = {name: getattr(self, name) for name in names}
        return counts | {"cost": self.cost, "before": self.before, "seconds": round(self.seconds, 3)}
