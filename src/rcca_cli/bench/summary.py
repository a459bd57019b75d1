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
        passed=strictly(verdicts, judge["level"]),
        rubric=sum(known) / len(known) if known else None,
        reward=judge["reward"],
        rule=benchmark.rule(record),
        failed=tuple(verdict["rubric"] for verdict in verdicts if verdict["passed"] is False),
        gate=judge["level"],
        error=next((verdict["error"] for verdict in verdicts if verdict["passed"] is None), None),
    )


def strictly(verdicts: list[dict[str, Any]], level: str) -> bool | None:
    """True if the app got through every gate and every item passes; null only if an unknown item decides."""
    if level != "functional" or any(verdict["passed"] is False for verdict in verdicts):
        return False
    return None if not verdicts or any(verdict["passed"] is None for verdict in verdicts) else True


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """All apps, then each class in the order of the tasks, then each level."""
    classes = list(dict.fromkeys(one.group for one in outcomes))
    levels = sorted({one.level for one in outcomes}, key=lambda level: LEVELS.index(level) if level in LEVELS else 9)
    return [
        row("all", "all", outcomes),
        *(row("class", name, [one for one in outcomes if one.group == name]) for name in classes),
        *(row("level", name, [one for one in outcomes if one.level == name]) for name in levels),
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
    """One row as the table shows it."""
    return [
        "all apps" if row.scope == "all" else f"{row.scope} {row.name}",
        str(row.passed.n),
        str(row.passes),
        _percent(row.passed),
        _percent(row.rubric),
        _number(row.reward),
        _percent(row.rule),
        str(row.errors),
    ]


def columns(benchmark: Benchmark) -> list[str]:
    """The heading over `cells`; every interval is 95 %."""
    return [
        "apps",
        "n",
        "passed",
        "pass % [95 %]",
        "rubric % [95 %]",
        "reward [95 %]",
        f"{benchmark.rule_name} %",
        "errors",
    ]


def _percent(found: Estimate) -> str:
    return _shown(found, 100.0, 1)


def _number(found: Estimate) -> str:
    return _shown(found, 1.0, 3)


def _shown(found: Estimate, factor: float, digits: int) -> str:
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
        why = one.error or ", ".join(one.failed) or ("" if one.passed else f"stopped at {one.gate}")
        yield [one.id, one.group, one.level, result, reward, why]
