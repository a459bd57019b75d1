"""Which units of an answer's scripts decide what others do, one step at a time."""

from bisect import bisect_right
from collections import defaultdict
from functools import cached_property

from rcca_cli import source
from rcca_cli.align.answer import Answer

WRITERS = 24  # units that set one name: more say nothing of any


class Influence:
    """Which units of an answer's scripts decide what others do: by setting what they read, or whether they run."""

    def __init__(self, answer: Answer) -> None:
        page = source.flow(answer.text[answer.start : answer.end])
        self.units = answer.units
        self.shift = answer.start
        self.scripts = [language == "script" for language in answer.units.languages]
        self.reads: dict[int, list[tuple[str, object]]] = defaultdict(list)
        self.writers: dict[tuple[str, object], list[int]] = defaultdict(list)
        callers: dict[object, list[int]] = defaultdict(list)
        parameters: list[tuple[str, object, int]] = []
        for use in page.uses:
            unit = self.at(use.start)
            if unit is None:
                continue
            if use.kind in ("set", "stepped"):
                self.writers[use.name, use.declared].append(unit)
            if use.kind in ("read", "stepped"):
                self.reads[unit].append((use.name, use.declared))
            if use.kind == "called":
                self.reads[unit] += [("()", span) for span in page.functions.get(use.name, ())]
                for span in page.functions.get(use.name, ()):
                    callers[span].append(unit)
            if use.kind == "parameter":
                parameters.append((use.name, use.declared, unit))
        for name, function, unit in parameters:  # set by whoever calls the function, if that is known
            self.writers[name, function] += callers.get(function) or [unit]
        self.guards = [(start + self.shift, end + self.shift) for start, end in page.guards]
        for spans in page.functions.values():
            for span in spans:
                self.writers["()", span] += self.returns(answer, span)

    def at(self, place: int) -> int | None:
        """The unit at a place of the page."""
        found = bisect_right(self.units.starts, place + self.shift) - 1
        return found if found >= 0 and place + self.shift < self.units.ends[found] and self.scripts[found] else None

    def returns(self, answer: Answer, function: tuple[int, int]) -> list[int]:
        """The units that say what a function gives back: its return statements, or all of an arrow's value."""
        begun = self.units.begun(function[0] + self.shift, function[1] + self.shift)
        own = [unit for unit in begun[: WRITERS * 2] if answer.codes[unit].startswith("return")]
        return own or list(begun[:1]) if len(begun) == 1 else own

    @cached_property
    def deciding(self) -> dict[int, list[int]]:
        """For each unit the conditions around it, and those that may leave its function before it; the nearest two."""
        found: dict[int, list[int]] = {}
        open_: list[tuple[int, int]] = []
        upcoming = 0
        for unit, place in enumerate(self.units.starts):
            while upcoming < len(self.guards) and self.guards[upcoming][0] < place:
                open_.append(self.guards[upcoming])
                upcoming += 1
            while open_ and open_[-1][1] <= place:
                open_.pop()
            if self.scripts[unit]:
                near = [self.at(start - self.shift) for start, end in open_[-2:] if end > place]
                found[unit] = [guard for guard in near if guard is not None]
        return found

    def behind(self, unit: int) -> set[int]:
        """The units that decide what a unit does, one step back."""
        found = set(self.deciding.get(unit, ()))
        for name in self.reads[unit]:
            writers = self.writers.get(name, [])
            if len(writers) <= WRITERS:
                found.update(writers)
        return found - {unit}
