"""From outcomes to figures: the official mean, the honest ones beside it, and by class, difficulty and criterion."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rcca_cli.bench import statistics
from rcca_cli.bench.artifacts.evidence import Album
from rcca_cli.bench.artifacts.ledger import Ledger
from rcca_cli.bench.artifacts.outcome import Outcome
from rcca_cli.bench.artifacts.pages import STATUSES
from rcca_cli.bench.artifacts.rows import SLOTS
from rcca_cli.bench.statistics import Estimate

if TYPE_CHECKING:
    from rcca_cli.bench.artifacts.stage import Options

DIFFICULTIES = ("easy", "medium", "hard")
# What the ten criteria are about, the same in every task (those of 0 to 3 are the task's own).
SLOT_NAMES = (
    *("function 1", "function 2", "function 3", "function 4"),
    *("robustness", "innovation", "redundancy", "engineering", "looks", "interaction"),
)
GROUPS = {"function": range(4), "code": range(4, 8), "visual": range(8, 10)}
UNSEEN = ("no_answer", "no_code", "unsupported_stack", "hang", "crash", "browser_lost")


@dataclass(frozen=True)
class Row:
    """One line of the table. `mean` is over the items with a score, as officially; `filled` counts the others as 0."""

    scope: str  # all, class, difficulty, slot or group
    name: str
    mean: Estimate
    filled: Estimate
    unscored: int


@dataclass(frozen=True)
class Figures:
    """All there is to report. `macro` is the mean of the classes' means; `gap` that of |total − the judge's own|."""

    compat: str
    judge: str
    subject: str
    rows: tuple[Row, ...]
    outcomes: tuple[Outcome, ...]
    missing: tuple[str, ...]  # indices of the data set that nobody answered
    macro: float | None
    gap: float | None
    spread: float | None  # the mean difference between the highest and the lowest total, where each is asked repeatedly
    statuses: dict[str, int]
    failures: dict[str, int]
    troubles: dict[str, int]
    seen: Estimate  # share of the items of which there is a picture
    length: float | None  # characters of an answer with its reasoning
    left_out: int  # answers that the judge was not shown all of
    cost: dict[str, float | int | None]
    config: dict[str, Any]
    album: Album | None  # where the pictures are

    @property
    def whole(self) -> Row:
        """The row of all items."""
        return self.rows[0]

    def plain(self) -> dict[str, Any]:
        """As JSON; `avg`, `n` and `errors` are the official figures."""
        told = {name: value for name, value in vars(self).items() if name not in ("rows", "outcomes", "seen", "album")}
        return {
            "benchmark": "artifacts",
            "avg": self.whole.mean.value,
            "avg_zero_filled": self.whole.filled.value,
            "n": self.whole.mean.n,
            "errors": self.whole.unscored,
            **told,
            "seen": asdict(self.seen),
            "rows": [asdict(row) for row in self.rows],
            "items": [item(outcome) for outcome in self.outcomes],
        }


def item(outcome: Outcome) -> dict[str, Any]:
    """What a report says of one item."""
    return {
        "index": outcome.index,
        "class": str(outcome.item.row.get("class") or ""),
        "difficulty": outcome.item.difficulty,
        "score": outcome.verdict.score,
        "overall": outcome.verdict.overall,
        "scores": list(outcome.verdict.scores),
        "extract_status": outcome.evidence.status,
        "failure": outcome.evidence.failure,
        "trouble": outcome.verdict.trouble,
        "frames": [one.sha256 for one in outcome.evidence.pictures],
    }


def figures(
    outcomes: Sequence[Outcome], options: "Options", missing: Sequence[str], ledger: Ledger, album: Album | None = None
) -> Figures:
    """Count the outcomes; `missing` are tasks without an answer, which are 0 in what is zero-filled."""
    verdicts = [outcome.verdict for outcome in outcomes]
    classes = list(dict.fromkeys(outcome.item.primary for outcome in outcomes))
    by_class = [row("class", name, [one for one in outcomes if one.item.primary == name]) for name in classes if name]
    means = [one.mean.value for one in by_class if one.mean.value is not None]
    gaps = [abs(one.score - one.overall) for one in verdicts if one.score is not None and one.overall is not None]
    spreads = [max(one.repeats) - min(one.repeats) for one in verdicts if len(one.repeats) > 1]
    statuses = Counter(outcome.evidence.status for outcome in outcomes)
    shown = sum(bool(outcome.evidence.frames) for outcome in outcomes)
    return Figures(
        compat=options.compat,
        judge=outcomes[0].judge if outcomes else "",
        subject=", ".join(options.files) or "standard input",
        rows=(
            row("all", "all", outcomes, len(missing)),
            *by_class,
            *(
                row("difficulty", name, [one for one in outcomes if one.item.difficulty == name])
                for name in tiers(outcomes)
            ),
            *slots(outcomes),
        ),
        outcomes=tuple(outcomes),
        missing=tuple(missing),
        macro=_mean(means),
        gap=_mean(gaps),
        spread=_mean(spreads),
        statuses={name: statuses[name] for name in STATUSES},
        failures=dict(Counter(one.evidence.failure for one in outcomes if one.evidence.failure)),
        troubles=dict(Counter(one.trouble for one in verdicts if one.trouble)),
        seen=statistics.share(shown, len(outcomes)),
        length=_mean([float(outcome.length) for outcome in outcomes]),
        left_out=sum(verdict.left_out > 0 for verdict in verdicts),
        cost=ledger.plain(),
        config={"seed": options.seed, "sample": options.sample, "probes": options.probing, "network": options.network},
        album=album,
    )


def tiers(outcomes: Iterable[Outcome]) -> list[str]:
    """The difficulties there are items of."""
    there = {outcome.item.difficulty for outcome in outcomes}
    return [name for name in DIFFICULTIES if name in there]


def row(scope: str, name: str, outcomes: Sequence[Outcome], missing: int = 0) -> Row:
    """The figures of these items' scores, 0 to 100."""
    scores = [outcome.verdict.score for outcome in outcomes]
    return _row(scope, name, scores, missing)


def _row(scope: str, name: str, scores: Sequence[float | None], missing: int = 0) -> Row:
    known = {str(place): [score] for place, score in enumerate(scores) if score is not None}
    filled = {str(place): [score or 0.0] for place, score in enumerate([*scores, *[None] * missing])}
    unscored = len(scores) - len(known)
    return Row(scope, name, statistics.mean(known), statistics.mean(filled), unscored)


def slots(outcomes: Sequence[Outcome]) -> Iterator[Row]:
    """A row for each criterion and group of criteria, 0 to 10, where there are ten marks at all.

    A mark that nobody gave is no zero here: a judge without a model cannot give all of them.
    """
    marked = [one.verdict.scores for one in outcomes if any(score is not None for score in one.verdict.scores)]
    if not marked:
        return
    for slot in range(SLOTS):
        known = [float(scores[slot]) for scores in marked if scores[slot] is not None]  # type: ignore[arg-type]
        yield _row("slot", f"{slot} {SLOT_NAMES[slot]}", known)
    for name, places in GROUPS.items():
        means = [_mean([float(mark) for slot in places if (mark := scores[slot]) is not None]) for scores in marked]
        yield _row("group", name, [mean for mean in means if mean is not None])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
