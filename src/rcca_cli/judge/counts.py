"""What a call of `judge` has seen, for its last line on standard error and its exit code."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rcca_cli.errors import ItemsFailed
from rcca_cli.judge import repeats, verdicts


@dataclass
class Counts:
    """Records and verdicts; `unanswered` records are those of an answer that could not be had, and count apart."""

    records: int = 0
    unanswered: int = 0
    verdicts: int = 0
    unknown: int = 0
    flaky: int = 0

    def add(self, record: Mapping[str, Any]) -> None:
        """Count a judged record; what is flaky is named on standard error."""
        judge = record["judge"]
        self.records += 1
        if judge is None:
            self.unanswered += 1
            return
        self.verdicts += max(len(judge["verdicts"]), 1)
        self.unknown += verdicts.count_unknown(judge)
        self.flaky += repeats.report(record["id"], judge)

    def refuse_unknown(self) -> None:
        """ItemsFailed, with the counts, if some verdicts or gates are not known, or some records have no answer."""
        told = []
        if self.unknown:
            shaky = f", {self.flaky} of them because they are flaky" if self.flaky else ""
            reasons = "(the reasons are in verdicts[].error)"
            told.append(f"{self.unknown} of {self.verdicts} verdicts are not known{shaky} {reasons}")
        if self.unanswered:
            told.append(f"{self.unanswered} of {self.records} records have no answer (the reasons are in error)")
        if told:
            raise ItemsFailed("; ".join(told))
