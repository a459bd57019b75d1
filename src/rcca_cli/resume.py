"""Continue an interrupted `-o FILE`: what FILE.partial holds is a prefix of the final output."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rcca_cli import jsonl
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line


@dataclass(frozen=True)
class Unit:
    """What a stage redoes as a whole: a record of `judge`, a group of `align`, a window of `rollout`.

    `key` names the unit a record belongs to ("id" or "group"); `size` is how many records a whole unit
    has, each unit made from one line of the input; None if a unit is a run of records with one name, on
    both sides. `window` is how many units are made together.
    """

    key: str = "id"
    size: int | None = 1
    window: int = 1

    def name(self, record: dict[str, Any]) -> str:
        """The unit that a record belongs to; a task without a group is a group of its own."""
        return str(record.get(self.key, record.get("id")))


def finished(partial: Path, stage: str, config: str, unit: Unit) -> list[str]:
    """The keys of the whole units in `partial`, after everything behind them has been cut off.

    Refuses records made under other options: mixed with ours, they could not be compared.
    """
    if not partial.exists():
        return []
    found = units(partial, stage, config, unit)
    whole = len(found.keys)
    if unit.size is None:
        whole = max(0, whole - 1)  # nothing says that the last one was finished
    elif found.keys and found.sizes[-1] < unit.size:
        whole -= 1
    whole -= whole % unit.window
    os.truncate(partial, found.starts[whole] if whole < len(found.starts) else found.end)
    return found.keys[:whole]


@dataclass
class Units:
    """The units in a file: their keys, where each starts and the last whole line ends, in bytes; their records."""

    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    end: int = 0


def units(output: Path, stage: str, config: str, unit: Unit) -> Units:
    """What is in an output of the stage, up to a line torn by a crash. RccaError if other options made it."""
    found = Units()
    with output.open("rb") as stream:
        for number, raw in enumerate(stream, 1):
            if not raw.endswith(b"\n"):
                break
            record = jsonl.decode(raw, f"{output}:{number}")
            value = record.get(stage, {})  # null where the item is not known
            if value is not None and (not isinstance(value, dict) or value.get("config") != config):
                raise RccaError(f"{output}:{number}: made with other options (use the same ones, or remove the file)")
            key = unit.name(record)
            # Two neighbours may have the same name: they are two units all the same.
            if not found.keys or found.keys[-1] != key or found.sizes[-1] == unit.size:
                found.keys.append(key)
                found.starts.append(found.end)
                found.sizes.append(0)
            found.sizes[-1] += 1
            found.end += len(raw)
    return found


def skip(lines: Iterator[Line], done: Sequence[str], unit: Unit) -> Iterator[Line]:
    """The lines whose unit is not among `done`, which must be the first units of the input, in order.

    A run of records whose name is among them and comes again is as much an error as it was for the call before.
    """
    turn = -1
    last: str | None = None
    known = set(done) if unit.size is None else set()
    for line in lines:
        name = unit.name(line.record)
        if turn + 1 >= len(done) and name != last and name in known:
            raise line.error(f"{unit.key}: {name} comes again (its records must be adjacent)")
        if turn < len(done) and (unit.size is not None or name != last):
            turn += 1
        last = name
        if turn >= len(done):
            yield line
        elif name != done[turn]:
            raise line.error(f"id: {name} where the partial output has {done[turn]} (the input has changed)")
    if turn + 1 < len(done):
        raise RccaError(f"the partial output has {len(done)} finished items, the input only {turn + 1}")
