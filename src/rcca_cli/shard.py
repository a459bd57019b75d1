"""`--shard i/n`: n calls share the work of a stage, each with groups of its own; `cat` puts the outputs together."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rcca_cli import seeds
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line


@dataclass(frozen=True)
class Shard:
    """The `index`-th of `count` parts, counted from 1.

    Which part a record is in depends on the name of its group alone: not on its place in the file, nor on the other
    records; so the answers to one task stay together, and a part can be done again on its own.
    """

    index: int = 1
    count: int = 1

    @classmethod
    def of(cls, text: str | None) -> "Shard":
        """Read `i/n`; everything if there is nothing to read. RccaError for what is no part.

        >>> Shard.of("2/8"), Shard.of(None)
        (Shard(index=2, count=8), Shard(index=1, count=1))
        """
        if text is None:
            return cls()
        found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise RccaError(f"--shard {text}: say i/n, with i from 1 to n (the second of eight parts: 2/8)")
        return cls(int(found[1]), int(found[2]))

    def holds(self, record: dict[str, Any]) -> bool:
        """Whether the record is in this part: by its group, else its id, else by all that it says."""
        name = record.get("group") or record.get("id") or seeds.digest(record)
        return seeds.derive("shard", str(name)) % self.count == self.index - 1

    def of_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Those of the lines whose records are in this part."""
        return (line for line in lines if self.count == 1 or self.holds(line.record))
