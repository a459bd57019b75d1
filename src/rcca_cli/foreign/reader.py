"""Rows of others as records: one row an answer with its verdicts, or one row a verdict; ours pass as they are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rcca_cli import records, rewards, seeds
from rcca_cli.columns import ROW, VERDICT, Columns
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.foreign import rows, verdicts
from rcca_cli.jsonl import Line


class Reader:
    """Reads foreign rows; counts the verdicts that could not be read, which are null with the reason."""

    def __init__(self, columns: Columns, pass_at: float | None = None) -> None:
        self.columns = columns
        self.pass_at = pass_at
        self.total = self.unread = 0
        self.reason = ""  # of the first that could not be read
        self._answers: Counter[str] = Counter()  # of each group so far
        self._told: dict[str, set[str]] = {}  # of each answer that had its verdicts in rows of their own: the items

    def judged(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The lines as judged records; a record of ours is left as it is.

        Neighbouring rows that are each one verdict on the same answer are one record. An error in a line comes after
        the rows before it.
        """
        held: list[Line] = []
        try:
            for line in lines:
                if held and not self._joins(line, held):
                    yield self._judged(held)
                    held = []
                if "judge" in line.record or not self._has_verdicts(line):
                    if not line.record.keys() & {"judge", "rollout", "task"}:
                        raise line.error(rows.lacking(self.columns, "verdicts", "verdicts"))
                    yield line
                elif self._given(line) is not None:
                    yield self._judged([line])
                else:
                    held.append(line)
        except RccaError:
            if held:
                yield self._judged(held)
            raise
        if held:
            yield self._judged(held)

    def rollouts(self, lines: Iterable[Line]) -> Iterator[Line]:
        """The lines as records with a task and an answer. A rubric of mere texts becomes items without a check."""
        for line in lines:
            if "task" in line.record and "rollout" in line.record:
                yield line
                continue
            rubric = self._rubric(self._given(line) or [])
            record = self._base(line) | {"task": rows.task(line, self.columns, rubric)}
            yield Line(record | rows.rollout(line, self.columns), line.file, line.number)

    def checked(self, produced: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The records; ItemsFailed after the last if some verdicts could not be read."""
        yield from produced
        if self.unread:
            first = f"the first: {self.reason}; verdicts[].error has all"
            raise ItemsFailed(f"{self.unread} of {self.total} verdicts could not be read ({first})")

    def _rubric(self, given: Iterable[Any]) -> list[dict[str, Any]]:
        """Items, each told by a text, an object, or a verdict on it."""
        objects = [
            one if isinstance(one, Mapping) else {"requirement": text}
            for text, one in ((text, verdicts.parsed(text)) for text in given)
        ]
        return [verdicts.item(one, f"item-{number}", self.columns) for number, one in enumerate(objects, 1)]

    def _given(self, line: Line) -> Any:
        """The verdicts in a row that has several; None for another row."""
        found = self.columns.find(line.record, "verdicts", ROW, (list, dict))
        return found[1] if found else None

    def _is_verdict(self, line: Line) -> bool:
        return self.columns.find(line.record, "passed", VERDICT) is not None

    def _has_verdicts(self, line: Line) -> bool:
        return self._given(line) is not None or self._is_verdict(line)

    def _joins(self, line: Line, held: Sequence[Line]) -> bool:
        """Whether a row is one more verdict on the answer of those before it: on an item that they lack."""
        if "judge" in line.record or self._given(line) is not None or not self._is_verdict(line):
            return False
        known = {self._item(one) for one in held}
        return self._answer(line) == self._answer(held[0]) and self._item(line) not in known

    def _answer(self, line: Line) -> list[Any]:
        """What tells the answer of a row with one verdict from others."""
        told = (self.columns.value(line.record, name) for name in ("group", "prompt", "answer"))
        return [*told, self._own(line)]

    def _own(self, line: Line) -> Any:
        """The answer's id in a row with one verdict, whose plain `id` is the verdict's."""
        names = self.columns.names("id")
        known = [name for name in names if name in line.record and (name != "id" or len(names) == 1)]
        return line.record[known[0]] if known else None

    def _item(self, line: Line) -> str:
        return str(verdicts.item(line.record, "", self.columns)["id"])

    def _judged(self, held: Sequence[Line]) -> Line:
        """The record of one answer."""
        line = held[0]
        if self._given(line) is None:
            self._see(held)
        record = self._base(line) | rows.rollout(line, self.columns)
        if record["rollout"] is None:
            return Line(record | {"task": rows.task(line, self.columns, []), "judge": None}, line.file, line.number)
        text, reason = record["rollout"].get("text"), record["rollout"].get("finish_reason")
        if not isinstance(text, str):
            raise line.error("rollout.text: expected a string")
        page = rows.page(text, reason, record["rollout"].get("thought_end"))
        found = self._verdicts(held, page["start"])
        self.total += len(found)
        unread = [one for one in found if one.unread]
        self.unread += len(unread)
        if unread and not self.reason:
            self.reason = f"{line.file}:{line.number}: {unread[0].verdict['error']}"
        rubric, given = [one.item for one in found], [one.verdict for one in found]
        record["task"] = rows.task(line, self.columns, rubric)
        record["judge"] = {
            "level": "functional",
            "reward": self._reward(line, rubric, given),
            "artifact": page,
            "gates": [],
            "verdicts": given,
            "missing": [],
            "config": None,
        }
        return Line(record, line.file, line.number)

    def _see(self, held: Sequence[Line]) -> None:
        """RecordError if an answer comes again with a verdict that belongs to the rows before: they lie apart."""
        name, items = seeds.digest(self._answer(held[0])), {self._item(line) for line in held}
        before = self._told.setdefault(name, items)
        if before is not items and not before & items:
            raise held[0].error("the verdicts on one answer lie apart (sort the rows by answer)")

    def _verdicts(self, held: Sequence[Line], start: int) -> list[verdicts.Judged]:
        given = self._given(held[0])
        if isinstance(given, dict):  # by the item's name, each a verdict or an object with one
            named = [(name, one if isinstance(one, dict) else {"passed": one}) for name, one in given.items()]
        else:
            several = [line.record for line in held] if given is None else given
            named = [(f"item-{number}", one) for number, one in enumerate(several, 1)]
        if not named:
            raise held[0].error("no verdicts (name their column: --column verdicts=NAME)")
        most = verdicts.largest_weight([one for _, one in named], self.columns)
        found = [verdicts.judged(one, name, self.columns, start, self.pass_at, most) for name, one in named]
        return verdicts.apart(found)

    def _reward(self, line: Line, rubric: list[dict[str, Any]], given: list[dict[str, Any]]) -> float | None:
        """The row's own number, null if that is null; else what the verdicts come to."""
        own = self.columns.find(line.record, "reward") if self._given(line) is not None else None
        if own is not None and (own[1] is None or verdicts.is_number(own[1])):
            return None if own[1] is None else float(own[1])
        if own is not None and type(own[1]) in (int, float):
            raise line.error(f"{own[0]}: {str(own[1])[:12]}… is no number to reckon with")
        return rewards.REWARDS["hierarchical"]("functional", given, rubric, [])

    def _base(self, line: Line) -> dict[str, Any]:
        """The record's id and group, and the columns that are none of ours."""
        row, several = line.record, not self._is_verdict(line) or self._given(line) is not None
        group = self.columns.value(row, "group")
        prompt = self.columns.value(row, "prompt")
        group = str(group) if group not in (None, "") else seeds.digest(rows.request(prompt) or prompt)
        own = self.columns.value(row, "id") if several else self._own(line)
        name = str(own) if own not in (None, "") else f"{group}/{self._answers[group]}"
        self._answers[group] += 1
        tables = [ROW] if several else [ROW, VERDICT]
        ours = {found[0] for table in tables for key in table if (found := self.columns.find(row, key, table))}
        rest = {key: value for key, value in row.items() if key not in ours and key not in rows.TOKENS}
        return rest | {"schema": records.SCHEMA, "id": name, "group": group}
