"""Which cases are played on which load of the page."""

from collections.abc import Mapping, Sequence

from rcca_cli import checks
from rcca_cli.judge.played import Played


class Turns:
    """The cases of a rubric's items. An item ends with its first case that fails; the later ones are not needed."""

    def __init__(self, checked: Mapping[str, Sequence[checks.Case]]) -> None:
        self._items = {
            name: [Played(case, number) for number, case in enumerate(cases)] for name, cases in checked.items()
        }
        self._done = {one: checks.actions(one.case) for cases in self._items.values() for one in cases}

    def next(self) -> Played | None:
        """A case that must be played; None if all is known."""
        return next((found for cases in self._items.values() if (found := _next(cases)) is not None), None)

    def like(self, first: Played) -> list[Played]:
        """Cases for one load: `first`, the longest that goes on as it does, and all that do less of the same."""
        needed = [one for cases in self._items.values() if _next(cases) is not None for one in cases if not one.begun]
        begin = self._done[first]
        path = max((done for one in needed if (done := self._done[one])[: len(begin)] == begin), key=len)
        return [one for one in needed if path[: len(self._done[one])] == self._done[one]]

    def played(self) -> dict[str, Played]:
        """How each item went: its first case that failed, or its last one."""
        return {
            name: next((one for one in cases if not one.outcome.passed), cases[-1])
            for name, cases in self._items.items()
        }


def _next(cases: Sequence[Played]) -> Played | None:
    """The first case that is not known, unless one before it failed."""
    for one in cases:
        if not one.begun:
            return one
        if not one.outcome.passed:
            return None
    return None
