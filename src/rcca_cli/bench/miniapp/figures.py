"""The figures of a run, and what a reader has to know of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import seeds
from rcca_cli.bench.miniapp import summary
from rcca_cli.bench.miniapp.outcome import Outcome

Task = dict[str, Any]
EMBEDDED = "the embedded suite"
PUBLIC = 100  # of MiniAppBench's tasks


@dataclass(frozen=True)
class Figures:
    """All there is to report. `subject` is whose answers they are, `source` where the tasks are from.

    `spent` is what judging by a model cost: requests and tokens of this call.
    """

    subject: str
    source: str
    kind: str
    threshold: float
    tasks: tuple[Task, ...]
    outcomes: tuple[Outcome, ...]
    rows: tuple[summary.Row, ...]
    spent: dict[str, int] = field(default_factory=dict)

    @property
    def all(self) -> summary.Row:
        """The row of all apps."""
        return self.rows[0]

    @property
    def pass_rate(self) -> float | None:
        """In percent; what is missing is no pass."""
        return percent(self.all.passed.value)

    @property
    def missing(self) -> list[str]:
        """The tasks that nobody answered."""
        answered = {one.task for one in self.outcomes if not one.missing}
        return [task["group"] for task in self.tasks if task["group"] not in answered]

    @property
    def judges(self) -> list[dict[str, Any]]:
        """Who judged; more than one only if a run was gone on with elsewhere."""
        found = {seeds.digest(one.judge): one.judge for one in self.outcomes if one.judge}
        return list(found.values())

    def notes(self) -> list[str]:
        """What a reader of the table has to know."""
        found = [
            f"pass: the least of the scores intention, static and dynamic is at least {self.threshold:g}. In brackets "
            "95 % intervals: Wilson, or a bootstrap over tasks with several answers. judged: pass % of what could be "
            "judged; int, sta, dyn: mean scores; every: % with all gates and all items.",
            f"tasks: {self.source}, {len(self.tasks)} (version {version(self.tasks)}). {judged(self.tasks, self.kind)}",
            comparable(self.tasks, self.kind),
        ]
        if self.all.n != self.all.judged.n:
            found.append(self._lost())
        if plain := sum(item.get("note") == "" for task in self.tasks for item in task["task"]["rubric"]):
            found.append(
                f"{plain} scores have no reference and were judged by the request alone; without a reference, judge "
                "models are known to pass too much."
            )
        if len(self.judges) > 1:
            found.append(
                f"{len(self.judges)} judges, not one: see `judge` of each app; their figures are no one figure."
            )
        return found

    @property
    def why_unjudged(self) -> str:
        """The judge model, if one was asked, and the commonest reason why the outcome of an app is not known."""
        reasons = Counter(one.error for one in self.outcomes if one.answered and one.passed is None and one.error)
        models = sorted({str(one["model"]) for one in self.judges if one.get("model")})
        by = f" by the judge model {' or '.join(models)}" if models else ", by our own fault"
        return by + "".join(f" (most often: {reason})" for reason, _ in reasons.most_common(1))

    @property
    def is_ranked(self) -> bool:
        """Whether the tasks may be those of the leaderboard: in its form, and as many as are public at least."""
        return theirs(self.tasks) == len(self.tasks) >= PUBLIC

    def _lost(self) -> str:
        row = self.all
        parts = {
            f"{row.missing} of {len(self.tasks)} tasks have no answer ({listed(self.missing)})": row.missing,
            f"{row.unanswered} answers could not be had": row.unanswered,
            f"{row.unjudged} apps could not be judged{self.why_unjudged}": row.unjudged,
        }
        told = "; ".join(words for words, count in parts.items() if count)
        return (
            f"{told}. They count as failures in pass % ({row.passes} of {row.n}) and are left out of judged "
            f"({row.passes} of {row.judged.n})."
        )


def judged(tasks: Sequence[Task], kind: str) -> str:
    """Who judged the items, in words."""
    items = [item for task in tasks for item in task["task"]["rubric"]]
    open_ = sum(item["check"] is None for item in items)
    if kind == "model":
        return "Judged by a model that used each app, item by item."
    if kind == "both" and open_ == len(items):
        return "Judged by a model that used each app, item by item: no item has a check."
    if not open_:
        return "Judged by executed checks" + (": every item has one, no model was asked." if kind == "both" else ".")
    rest = "by a model that used the app" if kind == "both" else "which are not known"
    return f"Judged by executed checks, but for {open_} of {len(items)} items that have none, {rest}."


def theirs(tasks: Sequence[Task]) -> int:
    """How many of the tasks came in MiniAppBench's form."""
    return sum(task["task"].get("source", "").startswith("miniappbench:") for task in tasks)


def comparable(tasks: Sequence[Task], kind: str) -> str:
    """What may be compared with the published figures, and what not."""
    count = theirs(tasks)
    if not count:
        return "Not comparable with the MiniAppBench leaderboard, which has other tasks and a judge model of its own."
    judge = "checks" if kind == "checks" else "another judge, item by item"
    return (
        f"{count} of {len(tasks)} tasks are in MiniAppBench's form. If they are its own, the leaderboard has these, "
        f"or they are the 100 public ones of its 500; judged by {judge}, not by its judge model. Compare at most with "
        "the rows that count missing runs as failures, and make nothing of differences within the intervals."
    )


def listed(names: Sequence[str], most: int = 12) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def version(tasks: Sequence[Task]) -> str:
    """The digest of what was asked and how it is judged: figures of two versions are not comparable."""
    return seeds.digest([[task["group"], task["task"]["prompt"], task["task"]["rubric"]] for task in tasks], 4)


def percent(share: float | None) -> float | None:
    """A share in percent, to two digits."""
    return None if share is None else round(100 * share, 2)
