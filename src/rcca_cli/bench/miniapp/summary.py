"""From the outcomes of apps to the figures of a benchmark: overall, by class, subclass and level."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rcca_cli.bench.miniapp.outcome import Outcome
from rcca_cli.bench.statistics import Estimate, mean, rate
from rcca_cli.bench.summary import shown

LEVELS = ("Easy", "Mid", "Hard")
Task = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """One line of the table.

    `passed` is of all apps that were wanted: what has no answer, and what could not be judged, is no pass. `judged` is
    of those alone whose outcome is known. `missing` are tasks without any answer, `unanswered` answers that could
    not be had, `unjudged` apps whose outcome is not known. `tokens` and `seconds` are means of an answer.
    """

    scope: str  # "all", "class", "subclass" or "level"
    name: str
    passes: int
    n: int
    passed: Estimate
    judged: Estimate
    intention: Estimate
    static: Estimate
    dynamic: Estimate
    every: Estimate
    rubric: Estimate
    reward: Estimate
    missing: int
    unanswered: int
    unjudged: int
    tokens: float | None
    seconds: float | None
    judging: float | None

    @property
    def errors(self) -> int:
        """Apps of which it is not known whether they pass."""
        return self.unanswered + self.unjudged

    def plain(self) -> dict[str, Any]:
        """Everything as numbers and strings, with the same keys in every row."""
        return asdict(self)


SCOPES: dict[str, Callable[[Outcome], str]] = {
    "class": lambda one: one.group,
    "subclass": lambda one: one.subclass,
    "level": lambda one: one.level,
}


def rows(outcomes: Sequence[Outcome], tasks: Sequence[Task]) -> list[Row]:
    """All apps, then each class, subclass and level that there are tasks of, in their order."""
    outcomes = [one for one in outcomes if not one.missing]
    answered = {one.task for one in outcomes}
    missing = [record["task"] for record in tasks if record["group"] not in answered]
    found = [row("all", "all", outcomes, len(missing))]
    for scope, of in SCOPES.items():
        for name in ordered(scope, tasks):
            lost = sum(task[scope] == name for task in missing)
            found.append(row(scope, name, [one for one in outcomes if of(one) == name], lost))
    return found


def ordered(scope: str, tasks: Sequence[Task]) -> list[str]:
    """The classes, subclasses or levels of the tasks: levels by difficulty, others as they come."""
    names = list(dict.fromkeys(record["task"][scope] for record in tasks))
    return sorted(names, key=lambda name: (*LEVELS, name).index(name)) if scope == "level" else names


def row(scope: str, name: str, outcomes: Sequence[Outcome], missing: int = 0) -> Row:
    """The figures of these apps, and of so many tasks that nobody answered."""
    known = [one for one in outcomes if one.passed is not None]
    passes = sum(one.passed is True for one in known)
    lost = {f"no answer {number}": [0.0] for number in range(missing)}
    return Row(
        scope=scope,
        name=name,
        passes=passes,
        n=len(outcomes) + missing,
        passed=rate(by_task(outcomes, lambda one: float(one.passed is True)) | lost),
        judged=rate(by_task(known, lambda one: float(one.passed is True))),
        intention=mean(by_task(outcomes, lambda one: one.intention)),
        static=mean(by_task(outcomes, lambda one: one.static)),
        dynamic=mean(by_task(outcomes, lambda one: one.dynamic)),
        every=rate(by_task(outcomes, lambda one: None if one.every is None else float(one.every))),
        rubric=mean(by_task(outcomes, lambda one: one.rubric)),
        reward=mean(by_task(outcomes, lambda one: one.reward)),
        missing=missing,
        unanswered=sum(not one.answered for one in outcomes),
        unjudged=sum(one.answered and one.passed is None for one in outcomes),
        tokens=average([one.tokens for one in outcomes]),
        seconds=average([one.seconds for one in outcomes]),
        judging=average([one.judging for one in outcomes]),
    )


def by_task(outcomes: Sequence[Outcome], value: Callable[[Outcome], float | None]) -> dict[str, list[float]]:
    """What is known of each task's answers."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in outcomes:
        if (known := value(one)) is not None:
            found[one.task].append(known)
    return dict(found)


def average(values: Sequence[float | None]) -> float | None:
    """The mean of what is known, null if nothing is."""
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 3) if known else None


COLUMNS = ("apps", "passed", "pass %", "judged", "int", "sta", "dyn", "every", "errors")  # over `cells`


def cells(row: Row) -> list[str]:
    """One row as the table shows it: shares in percent, 95 % intervals in brackets, scores as they are."""
    return [
        "all" if row.scope == "all" else row.name,
        f"{row.passes} of {row.n}",
        shown(row.passed, 100, 0),
        shown(row.judged, 100, 0).partition(" ")[0],
        *("–" if one.value is None else f"{one.value:.2f}" for one in (row.intention, row.static, row.dynamic)),
        shown(row.every, 100, 0).partition(" ")[0],
        str(row.errors + row.missing),
    ]


FAULTS = ("app", "item", "requirement", "what was seen")  # over `faults`


def faults(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """One line a failed item."""
    return [
        [one.id, fault["item"], fault["requirement"], fault["diagnosis"]] for one in outcomes for fault in one.faults
    ]


APPS = ("app", "class", "level", "result", "int", "sta", "dyn", "tokens", "seconds", "failed")  # over `listed`


def listed(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """One line an app."""
    for one in outcomes:
        result = "no answer" if one.missing else {True: "pass", False: "fail", None: "unknown"}[one.passed]
        stopped = f"stopped at {one.gate}" if one.gate not in (None, "functional") else ""
        scores = ["–" if value is None else f"{value:.2f}" for value in (one.intention, one.static, one.dynamic)]
        cost = ["–" if value is None else f"{value:.0f}" for value in (one.tokens, one.seconds)]
        yield [one.id, one.group, one.level, result, *scores, *cost, one.error or stopped or ", ".join(one.failed)]
