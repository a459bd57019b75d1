"""`rcca bench compare`: from files to the board."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from rcca_cli import console, filter, jsonl
from rcca_cli.bench import reports
from rcca_cli.bench.compare import board, paired, runs
from rcca_cli.bench.compare.board import Board
from rcca_cli.bench.compare.runs import Run
from rcca_cli.errors import RccaError

Json = dict[str, Any]


def write(
    paths: Sequence[str], force: bool = False, output: str = "-", report: str = "", pictures: bool = False
) -> None:
    """One record a pair and metric on `output`, the tables on standard error, all of it in the file `report`.

    RccaError for fewer than two runs, runs that share no task or metric, and, unless `force`, runs that were judged by
    different judges or browsers or on different tasks.
    """
    if len(paths) < 2:
        raise RccaError("two runs or more are compared: name their files")
    if pictures and not report.endswith(".html"):
        raise RccaError("--pictures are of --report FILE.html")
    form = reports.form(report, board.FORMS, output) if report else None
    given = runs.read(paths)
    if pictures and not all(one.has_apps for one in given):
        raise RccaError("--pictures are of `bench miniapp`; those of `bench artifacts` are in its own report")
    found = compared(given, force)
    filter.write_all(filter.Plan("bench", "", output=output), map(asdict, found.pairs))
    show(found)
    if form:
        reports.write(report, form(replace(found, pictures=photographed(paths)) if pictures else found))


def compared(given: Sequence[Run], force: bool) -> Board:
    """The runs, best first, and each two of them."""
    warnings = runs.check(given, force)
    metrics = runs.metrics(given)
    if not metrics:
        raise RccaError("the runs have no metric in common")
    counted = {metric: runs.common(given, metric) for metric in metrics}
    rows = {one.name: board.row(one, counted) for one in given}
    ranked = sorted(given, key=lambda one: -(rows[one.name].figures[metrics[0]].value or 0.0))
    scores = {metric: [rows[one.name].figures[metric].value or 0.0 for one in ranked] for metric in metrics}
    tasks = sorted(frozenset.union(*(one.tasks for one in given)))
    means = {one.name: one.means(metrics[0]) for one in ranked}
    return Board(
        rows=tuple(rows[one.name] for one in ranked),
        metrics=tuple(metrics),
        pairs=tuple(paired.pairs(ranked, metrics)),
        orders=tuple(paired.orders(scores)),
        notes=tuple(notes(ranked, counted[metrics[0]], warnings)),
        tasks={task: {name: found[task] for name, found in means.items() if task in found} for task in tasks},
    )


def notes(ranked: Sequence[Run], counted: Collection[str], warnings: Sequence[str]) -> Iterator[str]:
    """What a reader of the tables has to know."""
    yield (
        "In brackets 95 % intervals: Wilson, or a bootstrap over tasks. Differences are paired by task; p: sign-flip "
        "test, two-sided; ρ: Spearman over tasks. Among many pairs some p are small by chance."
    )
    if any(len(one.tasks) > len(counted) for one in ranked):
        yield (
            f"Ranked by the {len(counted)} tasks of which the outcome is known in every run. An answer that is missing "
            "is an outcome (no pass) only where a run names it: `bench miniapp` does, of all tasks that it was to ask."
        )
    common = frozenset.intersection(*(one.tasks for one in ranked))
    for one in ranked:
        if extra := len(one.tasks - common):
            yield f"{one.name} has {extra} tasks that not all have: they are left out."
    for warning in warnings:
        yield f"NOT COMPARABLE as they are: {warning}"


def show(found: Board) -> None:
    """The tables on standard error."""
    rows = [board.cells(found, one, board.NARROW) for one in found.rows]
    console.table(board.columns(found, board.NARROW), rows, f"by {found.main}")
    pairs = board.main_pairs(found)
    console.table(board.PAIR_COLUMNS, [board.pair_cells(one) for one in pairs[: board.PAIRED]])
    if len(pairs) > board.PAIRED:
        console.note(f"{len(pairs) - board.PAIRED} pairs more are in the output")
    for one in found.orders:
        if one.first == found.main:
            told = "–" if one.kendall is None else f"{one.kendall:.2f}"
            console.note(f"order by {one.first} and by {one.second}: Kendall's tau {told}, footrule {one.footrule:.2f}")
    for line in found.notes:
        console.paragraph(line)


def photographed(paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """The first answer of each run to each task, as the judge saw it after its load."""
    from rcca_cli.browser import Machine
    from rcca_cli.report.pictures import Photographer

    found: dict[str, dict[str, str]] = {}
    with Machine() as machine:
        photographer = Photographer(machine, seed=0)
        for path, name in zip(paths, runs.names(paths), strict=True):
            for line in console.progress(jsonl.read([path]), f"pictures of {name}"):
                by_run = found.setdefault(str(line.record["group"]), {})
                if name not in by_run and (picture := photographer.loaded(line.record)):
                    by_run[name] = f"data:{picture['type']};base64,{picture['data']}"
    return found
