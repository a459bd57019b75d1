"""Whether a page came to what it deserves, and the figures by class."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcca_cli import console
from rcca_cli.bench.redteam.pack import CLASSES, HONEST, Page
from rcca_cli.bench.redteam.watch import Cost

CPU = 60.0  # processor seconds that a page may cost, with the honest one beside it
PEAK = 5e9  # bytes that the browser and its driver may hold; a page is ended at 1.5e9, but not at once
WORDS = {True: "passed", False: "failed", None: "unknown"}


@dataclass(frozen=True)
class Outcome:
    """What came of a page: nothing to complain about, or why it did not hold; and what it cost."""

    page: Page
    problems: tuple[str, ...]
    cost: Cost


def problems(page: Page, judged: Mapping[str, Any] | str) -> Iterator[str]:
    """Where the judged record is not what the page deserves; a string says why there is none."""
    if isinstance(judged, str):
        yield judged
        return
    judge = judged["judge"]
    if page.level is not None and judge["level"] != page.level:
        yield f"level {judge['level']}, not {page.level}"
    for gate in judge["gates"]:
        if gate["level"] == judge["level"] and gate["passed"] is None:
            yield f"the {gate['level']} gate is unknown: {gate['diagnosis']}"
    verdicts = {verdict["rubric"]: verdict for verdict in judge["verdicts"]}
    for name, wanted in page.items.items():
        verdict = verdicts[name]
        is_right = verdict["passed"] is wanted.passed and wanted.failure in (None, verdict["failure"])
        if not is_right:
            expected = f"{WORDS[wanted.passed]}{f' ({wanted.failure})' if wanted.failure else ''}"
            found = f"{WORDS[verdict['passed']]}{f' ({failure})' if (failure := verdict['failure']) else ''}"
            why = verdict["error"] or verdict["diagnosis"]
            yield f"{name} {found}, not {expected}{f': {why}' if why else ''}"


def excess(cost: Cost) -> Iterator[str]:
    """What of the cost is beyond the bounds."""
    if cost.cpu > CPU:
        yield f"it took {cost.cpu:.0f} s of processor time (at most {CPU:.0f})"
    if cost.peak > PEAK:
        yield f"it took {cost.peak / 1e6:.0f} MB (at most {PEAK / 1e6:.0f})"


COLUMNS = ("pages", "held", "did not", "seconds", "slowest", "cpu s", "most cpu s", "peak MB")


def rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    """All pages, then those of each class, as the table shows them."""
    groups = {"all": outcomes} | {name: [o for o in outcomes if o.page.group == name] for name in (HONEST, *CLASSES)}
    return [row(name, group) for name, group in groups.items() if group]


def row(name: str, outcomes: Sequence[Outcome]) -> list[str]:
    """The figures of these pages."""
    broken = sum(bool(one.problems) for one in outcomes)
    costs = [one.cost for one in outcomes]
    return [
        name,
        str(len(outcomes) - broken),
        str(broken),
        f"{sum(cost.seconds for cost in costs):.0f}",
        f"{max(cost.seconds for cost in costs):.1f}",
        f"{sum(cost.cpu for cost in costs):.0f}",
        f"{max(cost.cpu for cost in costs):.1f}",
        f"{max(cost.peak for cost in costs) / 1e6:.0f}",
    ]


def show(outcomes: Sequence[Outcome], strays: Sequence[str]) -> None:
    """The table, and what did not hold."""
    console.table(COLUMNS, rows(outcomes), "Red team: pages that came to what they deserve")
    for one in outcomes:
        for problem in one.problems:
            console.note(f"{one.page.group} {one.page.name}: {problem}")
    for stray in strays:
        console.note(f"in the end: {stray}")
