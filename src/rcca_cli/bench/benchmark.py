"""What a benchmark is: an entry of the table; for most, tasks whose rubric can be executed and a rule to score by."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rcca_cli.errors import RccaError


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


Write = Callable[[Any, str, str], None]


@dataclass(frozen=True)
class Entry:
    """One `rcca bench NAME`. `write(options, output, report)` does all of it (the options are those of stage.py)."""

    name: str
    write: Write
    write_tasks: Callable[[str], None] | None = None  # for `--tasks`, to this output
    takes: frozenset[str] | None = None  # the command's options that mean something here; None: all
    parts: Mapping[str, Write] = field(default_factory=dict)  # what may be named behind NAME, instead of `write`

    def check(self, given: Collection[str]) -> None:
        """RccaError if the user gave an option that means nothing here."""
        strange = [name for name in given if self.takes is not None and name not in self.takes]
        if strange:
            known = sorted((self.takes or frozenset()) - {"name", "part"})
            raise RccaError(f"{self.name} takes no {_flags(strange)} (it takes {_flags(known)})")


def _flags(names: Collection[str]) -> str:
    return ", ".join("--" + name.replace("_", "-") for name in names)


def find(name: str, part: str = "") -> Entry:
    """The entry called `name`, or its part; RccaError with the names there are."""
    from rcca_cli.bench.table import BENCHMARKS

    if name not in BENCHMARKS:
        raise RccaError(f"no benchmark {name!r} (there are: {', '.join(BENCHMARKS)})")
    parts = BENCHMARKS[name].parts
    if part and part not in parts:
        raise RccaError(f"{name} has no part {part!r} (there are: {', '.join(parts) or 'none'})")
    return replace(BENCHMARKS[name], write=parts[part]) if part else BENCHMARKS[name]
