"""`rcca bench align`: breaks apps on purpose, judges them, and asks how often the credit lands on what was broken."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from rcca_cli import console, filter, source
from rcca_cli.align.answer import Answer
from rcca_cli.align.sources import SOURCES
from rcca_cli.bench import reports
from rcca_cli.bench.align import (
    apps,
    confusion,
    fit,
    kept,
    missing,
    mutants,
    plain,
    ranking,
    repairs,
    samples,
    scoring,
    summary,
    tables,
)
from rcca_cli.bench.align.apps import App
from rcca_cli.bench.align.kept import Harvest, Kept
from rcca_cli.bench.align.metrics import TOPS
from rcca_cli.bench.align.samples import Group
from rcca_cli.bench.align.scoring import Row
from rcca_cli.bench.align.variants import table
from rcca_cli.errors import RccaError
from rcca_cli.store import Store

Record = dict[str, Any]
APPS, APPS_FITTED, QUICK_APPS = 12, 8, 2  # of a kind
TASKS, QUICK_TASKS = 20, 4  # synthetic ones that the policy answers
SIZE = 6  # of its groups
# Mutants an app by expected kind of failure. Of looks many survive: no check looks at most of them.
QUOTA = (("dead", 5), ("silent", 5), ("exception", 5), ("absent", 5), ("visual", 14))
BUGS, QUICK_BUGS = 6, 2  # of each of the embedded apps, that people wrote
COMMENTS = 2  # mutants an app with nothing but a comment more
TASK_SEED = 2000  # of the policy's tasks, beside the one that is given
SINGLE = ["uniform", "fused", *SOURCES, *(f"no {name}" for name in SOURCES), "siblings"]  # what needs no judge model
FAMILIES = tuple(sorted(set(apps.FAMILIES) - apps.FITTED))


@dataclass(frozen=True)
class Options:
    """What is broken, and whether the weights are fitted first. `cache` is a folder: judge nothing twice."""

    apps: str | None = None
    repairs: str | None = None
    fit: bool = False
    cache: str | None = None
    quick: bool = False
    seed: int = 0
    jobs: int = 2


@dataclass(frozen=True)
class Faults:
    """All that is scored: mutants of apps, faults by hand, and repairs of the policy's answers beside their groups."""

    sizes: dict[str, int]  # units of each app
    mutants: list[Kept]
    by_hand: list[Kept]
    repairs: list[Kept]
    groups: dict[str, list[Answer]]  # by the name of a repair's app

    def rows(self) -> Iterator[list[Row]]:
        """The rows of each fault and item."""
        everything = table()
        for found in (
            scoring.rows(self.mutants, everything),
            scoring.rows(self.by_hand, everything),
            scoring.rows(self.repairs, everything, self.groups),
        ):
            yield from (list(rows) for _, rows in groupby(found, key=lambda row: (row.one.record["id"], row.item)))


def write(options: Options, output: str = "-", report: str = "") -> None:
    """One record a fault and failed item on `output`, tables on standard error, all figures in the file `report`.

    With `fit` the weights are fitted first, on the other half of the families, and the figures are had with them too.
    """
    reports.need_json(report, output)
    found: Record = {}
    filter.write_all(filter.Plan("bench", "", output=output), run(options, found))
    tables.show(found)
    reports.save_json(report, found)


def run(options: Options, found: Record) -> Iterator[Record]:
    """The records; `found` gets the figures when they are all there."""
    store = Store(options.cache)
    numbers = fitted(options, store) if options.fit else None
    good = sound(list(apps.given(options.apps)) if options.apps else None, False, options, store)
    harvest = kept.harvest(drawn(good, options), options.seed, options.jobs, store)
    quiet = [mutant for app in good for mutant in mutants.commented(app, options.seed, COMMENTS)]
    comments = kept.harvest(quiet, options.seed, options.jobs, store)
    bugs = [one for app in good for one in mutants.by_hand(app, options.seed, QUICK_BUGS if options.quick else BUGS)]
    groups = sampled(options, store)
    mended = repaired(options, groups, store)
    faults = Faults(
        {app.name: len(source.units(app.text)) for app in good},
        harvest.kept,
        kept.harvest(bugs, options.seed, options.jobs, store).kept,
        mended,
        {f"policy:{name}": answers for name, answers in repairs.siblings(groups).items()},
    )
    rows = []
    for one in faults.rows():
        rows += one
        yield record(one)
    found |= {"apps": described(good, faults.sizes), "mutants": counted(harvest), "comments": dict(comments.counts)}
    found |= figured(rows, faults)
    found["missing"] = missed(options, groups, store)
    found["confusion"] = confusion.table(groups) if groups else {}
    found["told"] = {} if options.apps else {name: plain.figures(name) for name in plain.SETS}
    if numbers:
        with fit.trial(numbers):
            again = [row for one in faults.rows() for row in one]
            found["fitted"] = {"numbers": numbers} | figured(again, faults)
            found["fitted"]["missing"] = missed(options, groups, store)


def fitted(options: Options, store: Store) -> fit.Numbers:
    """The numbers of attribution, from mutants of the families for fitting."""
    good = sound(None, True, options, store)
    return fit.fitted(kept.harvest(drawn(good, options), options.seed, options.jobs, store).kept)


def sound(chosen: list[App] | None, for_fitting: bool, options: Options, store: Store) -> list[App]:
    """The apps to break, without those that do not pass their own checks (named on standard error)."""
    if chosen is None:
        many = QUICK_APPS if options.quick else APPS_FITTED if for_fitting else APPS
        chosen = apps.suite(for_fitting, options.seed, many)
    good, bad = kept.sound(chosen, options.seed, options.jobs, store)
    for name in bad:
        console.note(f"{name}: does not pass its own checks, and is left out")
    if not good:
        raise RccaError("no app passes its own checks: there is nothing to break")
    return good


def drawn(good: Sequence[App], options: Options) -> list[mutants.Mutant]:
    """The mutants of some apps."""
    return [mutant for app in good for mutant in mutants.draw(app, options.seed, QUOTA)]


def sampled(options: Options, store: Store) -> list[Group]:
    """Groups of the policy's answers; none for somebody's own apps."""
    if options.apps:
        return []
    tasks = QUICK_TASKS if options.quick else TASKS
    return samples.groups(FAMILIES, options.seed + TASK_SEED, tasks, SIZE, options.jobs, store)


def repaired(options: Options, groups: Sequence[Group], store: Store) -> list[Kept]:
    """The repairs of the file that was given, else of the policy's answers."""
    if options.repairs:
        offered = list(repairs.read(options.repairs, options.seed, options.jobs, store))
    else:
        offered = list(repairs.proposed(groups))
    return repairs.minimal(offered, options.seed, options.jobs, store)


def missed(options: Options, groups: Sequence[Group], store: Store) -> Record:
    """The figures of missing features."""
    return missing.summary(list(missing.omissions(groups, options.seed, options.jobs, store)))


def figured(rows: Sequence[Row], faults: Faults) -> Record:
    """The figures of mutants, and beside them those of faults by hand and of repairs."""
    ours = [row for row in rows if row.one.mutant.app.name in faults.sizes]
    broken = [row for row in ours if row.one.mutant.operator != mutants.BY_HAND]
    mended = [row for row in rows if row.one.mutant.app.name not in faults.sizes]
    found = summary.report(broken, faults.sizes)
    found["by_hand"] = summary.by_variant([row for row in ours if row.one.mutant.operator == mutants.BY_HAND])
    found["repairs"] = summary.by_variant(mended)
    found["ranking"] = ranking.compared(found["variants"], found["repairs"], SINGLE)
    return found


def record(rows: Sequence[Row]) -> Record:
    """What the variants made of one failed item."""
    first = rows[0]
    mutant = first.one.mutant
    return {
        "id": first.one.record["id"],
        "app": mutant.app.name,
        "suite": mutant.app.suite,
        "item": first.item,
        "operator": mutant.operator,
        "expected": mutant.expected,
        "failure": first.failure,
        "language": first.language,
        "single": first.one.single,
        "edits": [list(edit) for edit in mutant.edits],
        "scores": {row.variant: scored(row) for row in rows},
    }


def scored(row: Row) -> Record:
    """The scores of a variant."""
    values = {f"top{k}": summary.within([row], summary.top(k)) for k in TOPS}
    values |= {name: summary.within([row], attrgetter(name)) for name in ("mass", "share", "iou", "hit", "confidence")}
    return {name: round(value, 4) for name, value in values.items()}


def described(seeds: Sequence[App], sizes: dict[str, int]) -> list[Record]:
    """The apps and their sizes."""
    return [{"name": app.name, "suite": app.suite, "units": sizes[app.name]} for app in seeds]


def counted(harvest: Harvest) -> Record:
    """What came of the mutants, and what the judge called those of each expected kind."""
    called: dict[str, Counter[str]] = defaultdict(Counter)
    for one in harvest.kept:
        verdicts = {verdict["rubric"]: verdict for verdict in one.record["judge"]["verdicts"]}
        called[one.mutant.expected].update({verdicts[item]["failure"] for item in one.items})
    return dict(harvest.counts) | {"called": {kind: dict(counts) for kind, counts in called.items()}}
