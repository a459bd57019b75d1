"""What a benchmark is: tasks whose rubric can be executed, and perhaps a scoring rule of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rcca_cli.errors import RccaError


@dataclass(frozen=True)
class Benchmark:
    """`tasks` gives the records (no rollout yet), the same ones in the same order every time.

    `rule` scores one judged record the benchmark's own way: `{"passed": bool | None, …}`; `note` says what
    that is, so that nobody takes it for ours or for what it is not.
    """

    name: str
    title: str
    tasks: Callable[[], list[dict[str, Any]]]
    rule: Callable[[dict[str, Any]], dict[str, Any]]
    note: str


def find(name: str) -> Benchmark:
    """The benchmark called `name`, or RccaError with the names there are."""
    from rcca_cli.bench.table import BENCHMARKS

    if name not in BENCHMARKS:
        raise RccaError(f"no benchmark {name!r} (there are: {', '.join(BENCHMARKS)})")
    return BENCHMARKS[name]
