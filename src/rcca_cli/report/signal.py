"""How much signal the records of a report have, counted while they pass: what `rcca train --explain` says of them."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from rcca_cli.align.stage import uncollected
from rcca_cli.errors import RecordError
from rcca_cli.explain import stage as explain
from rcca_cli.explain import tables
from rcca_cli.explain.group import Group
from rcca_cli.explain.tally import Tally
from rcca_cli.jsonl import Line

Json = dict[str, Any]


@dataclass
class Signal:
    """One tally a file, of its aligned groups; `left` are the groups that could not be counted, `why` of the first."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    left: int = 0
    why: str = ""

    def watched(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The same lines, each at once; a group is counted when its last has passed."""
        for (file, _), members in groupby(lines, key=lambda line: (line.file, line.record["group"])):
            aligned = []
            for line in members:
                yield line
                if line.record.get("align") or line.record["rollout"] is None:
                    aligned.append(line)
            if any(line.record.get("align") for line in aligned):
                self._count(file, aligned)

    def _count(self, file: str, lines: list[Line]) -> None:
        try:
            group = Group.of(lines)
        except RecordError as error:
            self.left += 1
            self.why = self.why or str(error)
            return
        with uncollected():
            self.tallies.setdefault(file, Tally()).add(group)

    def shown(self) -> list[Json]:
        """For each file its name, tables and sentences."""
        found = []
        for file, tally in self.tallies.items():
            record = explain.finished(tally)
            shown = [asdict(table) for table in tables.tables(record)]
            found.append({"file": file, "said": tables.sentences(record), "tables": shown})
        return found

    def left_out(self) -> str:
        """Which groups could not be counted, and why; "" if all could."""
        return f"Groups that could not be counted: {self.left} ({self.why})." if self.left else ""
