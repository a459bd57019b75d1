"""From judged apps to the figures of a benchmark: overall, by class and by level."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rcca_cli.bench.benchmark import Benchmark
from rcca_cli.bench.statistics import Estimate, mean, share

LEVELS = ("Easy", "Mid", "Hard")


@dataclass(frozen=True)
class Outcome:
    """What is counted of one app. Null is not known: left out of the figures and counted as an error."""

    id: str
    task: str
    group: str  # class
    level: str
    passed: bool | None
    rubric: float | None  # share of the known items that pass
    reward: float | None
    rule: dict[str, Any] | None  # the benchmark's own scores
    failed: tuple[str, ...]
    gate: str | None  # the level the judge reached
    error: str | None


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    scope: str  # "all", "class" or "level"
    name: str
    passed: Estimate
    passes: int
    rubric: Estimate
    reward: Estimate
    rule: Estimate
    errors: int

    def plain(self) -> dict[str, Any]:
        """Everything as numbers and strings, with the same keys in every row."""
        return asdict(self)


def outcome(record: dict[str, Any], benchmark: Benchmark) -> Outcome:
    """Count one record; without an answer or a judgement everything is unknown, with the reason."""
    task, judge = record["task"], record.get("judge")
    name = (record["id"], record["group"], task["class"], task["level"])
    if judge is None:
        return Outcome(*name, None, None, None, None, (), None, record.get("error") or "not judged")
    verdicts = judge["verdicts"]
    known = [verdict["passed"] for verdict in verdicts if verdict["passed"] is not None]
    return Outcome(
        *name,
        passed=strictly(judge),
        rubric=sum(known) / len(known) if known else None,
        reward=judge["reward"],
        rule=benchmark.rule(record),
        failed=tuple(verdict["rubric"] for verdict in verdicts if verdict["passed"] is False),
        gate=judge["level"],
        error=next((verdict["error"] for verdict in verdicts if verdict["passed"] is None), None),
    )


def strictly(judge: dict[str, Any]) -> bool | None:
    """True if the app got through every gate and every item passes; null only if what is unknown decides."""
    found = [part["passed"] for part in (*judge["gates"], *judge["verdicts"])]
    if False in found:
        return False
    return None if None in found or not judge["verdicts"] else True


def rows(outcomes: Sequence[Outcome], classes: Sequence[str]) -> list[Row]:
    """All apps, then each class and each level that there are apps of, in the benchmark's order."""
    there = {one.group for one in outcomes}, {one.level for one in outcomes}
    return [
        row("all", "all", outcomes),
        *(row("class", name, [o for o in outcomes if o.group == name]) for name in classes if name in there[0]),
        *(row("level", name, [o for o in outcomes if o.level == name]) for name in LEVELS if name in there[1]),
    ]


def row(scope: str, name: str, outcomes: Sequence[Outcome]) -> Row:
    """The figures of these apps."""
    passed = [one.passed for one in outcomes if one.passed is not None]
    ruled = [one.rule["passed"] for one in outcomes if one.rule and one.rule["passed"] is not None]
    return Row(
        scope,
        name,
        share(sum(passed), len(passed)),
        sum(passed),
        mean(_by_task((one.task, one.rubric) for one in outcomes)),
        mean(_by_task((one.task, one.reward) for one in outcomes)),
        share(sum(ruled), len(ruled)),
        sum(one.passed is None or one.reward is None for one in outcomes),
    )


def _by_task(pairs: Iterable[tuple[str, float | None]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for task, value in pairs:
        if value is not None:
            found[task].append(value)
    return found


def cells(row: Row) -> list[str]:
    """One row as the table shows it: shares in percent, 95 % intervals in brackets."""
    return [
        "all" if row.scope == "all" else row.name,
        f"{row.passes} of {row.passed.n}",
        shown(row.passed, 100, 0),
        shown(row.rubric, 100, 0),
        shown(row.reward, 1, 2),
        shown(row.rule, 100, 0).partition(" ")[0],
        str(row.errors),
    ]


def narrow(row: Row) -> list[str]:
    """The cells for a terminal of 80 columns: the interval of the reward is left to the report."""
    return [
        cell.partition(" ")[0] if name == "reward" else cell for name, cell in zip(COLUMNS, cells(row), strict=True)
    ]


COLUMNS = ("apps", "passed", "pass %", "rubric %", "reward", "rule %", "errors")  # over `cells`


def shown(found: Estimate, factor: int, digits: int) -> str:
    """An estimate in one cell.

    >>> shown(Estimate(0.5, 0.25, 0.75, 4), 100, 0), shown(Estimate(None, None, None, 0), 1, 2)
    ('50 [25, 75]', '–')
    """
    if found.value is None:
        return "–"
    text = f"{found.value * factor:.{digits}f}"
    if found.low is None or found.high is None:
        return text
    return f"{text} [{found.low * factor:.{digits}f}, {found.high * factor:.{digits}f}]"


def listed(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """One line an app: id, class, level, reward, what failed."""
    for one in outcomes:
        reward = "–" if one.reward is None else f"{one.reward:.3f}"
        result = {True: "pass", False: "fail", None: "unknown"}[one.passed]
        stopped = f"stopped at {one.gate}" if one.gate not in (None, "functional") else ""
        why = one.error or stopped or ", ".join(one.failed)
        yield [one.id, one.group, one.level, result, reward, why]
