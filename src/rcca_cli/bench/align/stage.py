"""`rcca bench align`: breaks apps on purpose, judges them, and asks how often the credit lands on what was broken."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import orjson

from rcca_cli import console, filter, source
from rcca_cli.bench import reports
from rcca_cli.bench.align import apps, kept, mutants, scoring, summary, variants
from rcca_cli.bench.align.apps import App
from rcca_cli.bench.align.judging import Store
from rcca_cli.bench.align.kept import Harvest, Kept
from rcca_cli.bench.align.metrics import TOPS
from rcca_cli.bench.align.scoring import Row
from rcca_cli.bench.align.summary import top
from rcca_cli.errors import RccaError

Record = dict[str, Any]
APPS = 12  # of a kind
QUICK = 2
# Mutants an app by expected kind of failure. Many of looks survive: no check looks at most of them.
QUOTA = (("dead", 6), ("silent", 6), ("exception", 6), ("visual", 12), ("absent", 7), ("visual", 8))
COMMENTS = 2  # mutants an app with nothing but a comment more


def write(options: Any, output: str = "-", report: str = "") -> None:
    """One record a mutant and failed item on `output`, tables on standard error, all figures in the file `report`."""
    if report and not report.endswith(".json"):
        raise RccaError(f"--report {report}: the figures are written as .json")
    store = Store(options.cache or "")
    seeds = gathered(options, store)
    drawn = [mutant for app in seeds for mutant in mutants.draw(app, options.seed, QUOTA)]
    harvest = kept.harvest(drawn, options.seed, options.jobs, store)
    quiet = [mutant for app in seeds for mutant in mutants.commented(app, options.seed, COMMENTS)]
    comments = kept.harvest(quiet, options.seed, options.jobs, store)
    found: list[Row] = []
    filter.write_all(filter.Plan("bench", "", output=output), records(harvest.kept, found))
    sizes = {app.name: len(source.units(app.text)) for app in seeds}
    figures = {"apps": described(seeds, sizes), "mutants": counted(harvest), "comments": dict(comments.counts)}
    figures |= summary.report(found, sizes)
    show(figures)
    if report:
        reports.write(report, orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())


def gathered(options: Any, store: Store) -> list[App]:
    """The apps to break, without those that do not pass their own checks (named on standard error)."""
    count = QUICK if options.quick else APPS
    chosen = list(apps.given(options.apps)) if options.apps else apps.suite(False, options.seed, count)
    good, bad = kept.sound(chosen, options.seed, options.jobs, store)
    for name in bad:
        console.note(f"{name}: does not pass its own checks, and is left out")
    if not good:
        raise RccaError("no app passes its own checks: there is nothing to break")
    return good


def records(harvest: Sequence[Kept], found: list[Row]) -> Iterator[Record]:
    """A record for each mutant and failed item; `found` gets the rows."""
    last: list[Row] = []
    for row in scoring.rows(harvest, variants.table()):
        found.append(row)
        if last and (last[0].one is not row.one or last[0].item != row.item):
            yield record(last)
            last = []
        last.append(row)
    if last:
        yield record(last)


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
    values = {f"top{k}": summary.within([row], top(k)) for k in TOPS}
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


def show(figures: Record) -> None:
    """The tables."""
    counts = figures["mutants"]
    console.note(", ".join(f"{value} {name}" for name, value in counts.items() if name != "called"))
    survived, drawn = figures["comments"].get("survived", 0), figures["comments"]["drawn"]
    console.note(f"comment-only edits: {drawn}, of which {drawn - survived} changed a verdict")
    for name, title in (("summary", "Without a model"), ("quote70", "With a judge whose quotes are right in 70 %")):
        rows = [summary.cells(kind, found) for kind, found in figures[name].items()]
        console.table(summary.COLUMNS, rows, title)
    rows = [
        [
            name,
            *(f"{summary.shown(found[kind]['top1'])} {summary.shown(found[kind]['top5'])}" for kind in summary.TYPES),
        ]
        for name, found in figures["variants"].items()
    ]
    console.table(("evidence", *summary.TYPES), rows, "Top 1 and top 5 by evidence")
