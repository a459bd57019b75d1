"""What a benchmark of models is: tasks whose rubric can be executed, and a rule to score by."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Benchmark:
    """`tasks` gives the records (no rollout yet), the same ones in the same order every time.

    `rule` scores one judged record the benchmark's own way: `{"passed": bool | None, …}`; `note` says what
    that is, so that nobody takes it for ours or for what it is not. `own` gives answers of which it is known what
    the judge must find, by the name behind `--answers embedded:`; each says so in `expected` (bench/expected.py).
    """

    name: str
    title: str
    tasks: Callable[[], list[dict[str, Any]]]
    rule: Callable[[dict[str, Any]], dict[str, Any]]
    note: str
    own: Callable[[str], Iterator[dict[str, Any]]] | None = None
