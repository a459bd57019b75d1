"""Continue an interrupted `-o FILE`: what FILE.partial holds is a prefix of the final output."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from rcca_cli import jsonl
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line

CHANGED = "the input has changed: remove the output, or write another"


@dataclass(frozen=True)
class Unit:
    """What a stage redoes as a whole: a record of `judge`, a group of `align`, a window of `rollout`.

    `key` names the unit a record belongs to ("id" or "group"); `size` is how many records a whole unit
    has, each unit made from one line of the input; None if a unit is a run of records with one name, on
    both sides. `window` is how many units are made together. `kept` are the places in a record ("rollout.text") that
    the stage looks at and leaves as they are: where one differs, the input is another.
    """

    key: str = "id"
    size: int | None = 1
    window: int = 1
    kept: tuple[str, ...] = ()

    def name(self, record: dict[str, Any]) -> str:
        """The unit that a record belongs to; a task without a group is a group of its own."""
        return str(record.get(self.key, record.get("id")))

    def print(self, record: dict[str, Any]) -> bytes:
        """A digest of what input and output have in common."""
        return blake2b(jsonl.encode({place: _at(record, place) for place in self.kept}), digest_size=16).digest()


class Done(NamedTuple):
    """A finished unit: its name, and the digest of each line that it was made from."""

    name: str
    prints: list[bytes]


def _at(record: Any, place: str) -> Any:
    """The value at a dotted place; None where there is none."""
    for name in place.split("."):
        record = record.get(name) if isinstance(record, dict) else None
    return record


def finished(partial: Path, stage: str, config: str, unit: Unit) -> list[Done]:
    """The whole units in `partial`, after everything behind them has been cut off.

    Refuses records made under other options: mixed with ours, they could not be compared.
    """
    if not partial.exists():
        return []
    found = units(partial, stage, config, unit)
    whole = len(found.done)
    if unit.size is None:
        whole = max(0, whole - 1)  # nothing says that the last one was finished
    elif found.done and found.sizes[-1] < unit.size:
        whole -= 1
    whole -= whole % unit.window
    os.truncate(partial, found.starts[whole] if whole < len(found.starts) else found.end)
    return found.done[:whole]


@dataclass
class Units:
    """The units in a file: where each starts and the last whole line ends, in bytes; how many records each has."""

    done: list[Done] = field(default_factory=list)
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
            if not found.done or found.done[-1].name != key or found.sizes[-1] == unit.size:
                found.done.append(Done(key, []))
                found.starts.append(found.end)
                found.sizes.append(0)
            if unit.size is None or not found.sizes[-1]:  # else all of the unit comes of one line
                found.done[-1].prints.append(unit.print(record))
            found.sizes[-1] += 1
            found.end += len(raw)
    return found


def skip(lines: Iterator[Line], done: Sequence[Done], unit: Unit) -> Iterator[Line]:
    """The lines whose unit is not among `done`, which must be the first units of the input, in order, and made of it.

    A run of records whose name is among them and comes again is as much an error as it was for the call before.
    """
    turn, place = -1, 0  # of the line: its unit, and its place in that
    last: str | None = None
    known = {one.name for one in done} if unit.size is None else set()
    for line in lines:
        name = unit.name(line.record)
        if turn + 1 >= len(done) and name != last and name in known:
            raise line.error(f"{unit.key}: {name} comes again (its records must be adjacent)")
        place += 1
        if turn < len(done) and (unit.size is not None or name != last):
            if turn >= 0 and place < len(done[turn].prints):
                raise line.error(f"{unit.key}: {last} has more records in the output ({CHANGED})")
            turn, place = turn + 1, 0
        last = name
        if turn >= len(done):
            yield line
        elif name != done[turn].name:
            raise line.error(f"id: {name} where the output has {done[turn].name} ({CHANGED})")
        elif done[turn].prints[place : place + 1] != [unit.print(line.record)]:
            raise line.error(f"{line.record.get('id', name)} is not what the output was made from ({CHANGED})")
    if done and turn + 1 == len(done) and place + 1 < len(done[turn].prints):
        raise RccaError(f"{unit.key}: {last} has more records in the output ({CHANGED})")
    if turn + 1 < len(done):
        raise RccaError(f"the output has {len(done)} finished items, the input only {turn + 1} ({CHANGED})")
