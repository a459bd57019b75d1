"""Answers of which it is known what the judge must find: what did not come out so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """How many such answers there were, and in words where one did not come to what was expected."""

    n: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one judged record, if it says what is expected of it."""
        if "expected" not in record:
            return
        self.n += 1
        if found := list(problems(record)):
            self.problems[record["id"]] = found

    def notes(self) -> Iterator[str]:
        """For the reader of the table."""
        if self.n:
            yield f"expected of these answers: {self.n - len(self.problems)} of {self.n} came to just that."
        for name, found in self.problems.items():
            yield f"{name}: {'; '.join(found)}"


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What in the verdicts is not as `expected` (and, of a bug, `truth`) says."""
    expected, kinds = record["expected"], {one["rubric"]: one["failure"] for one in record.get("truth", ())}
    fails, may = set(expected["fails"]), set(expected["may_fail"])
    every = {verdict["rubric"] for verdict in record["judge"]["verdicts"]}
    for gate in record["judge"]["gates"]:
        if gate["passed"] is False and fails != every:
            yield f"stopped at {gate['level']}: {gate['diagnosis']}"
    for verdict in record["judge"]["verdicts"]:
        item, found = verdict["rubric"], verdict["passed"]
        if found is None:
            yield f"{item} is not known: {verdict['error']}"
        elif found and item in fails:
            yield f"{item} passed"
        elif not found and item not in fails | may:
            yield f"{item} failed: {verdict['diagnosis']}"
        elif item in kinds and verdict["failure"] != kinds[item]:
            yield f"{item} failed as {verdict['failure']}, not as {kinds[item]}: {verdict['diagnosis']}"
