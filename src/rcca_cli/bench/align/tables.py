"""What `rcca bench align` says on standard error."""

from typing import Any

from rcca_cli import console
from rcca_cli.bench.align.summary import TYPES

Record = dict[str, Any]
COLUMNS = ("failure", "mutants", "top 1", "top 3", "top 5", "mass", "chance", "lift", "IoU", "ECE", "Brier")


def cells(kind: str, found: Record) -> list[str]:
    """One line of the table."""
    low, high = found["ranges"]["top1"]
    first = shown(found["top1"]) + (f" [{low:.2f}, {high:.2f}]" if low is not None else "")
    rest = [shown(found[name]) for name in ("top3", "top5", "mass")]
    return [
        kind,
        str(found["n"]),
        first,
        *rest,
        shown(found["chance"], 3),
        shown(found["lift"], 1),
        *(shown(found[name]) for name in ("iou", "ece", "brier")),
    ]


def shown(value: float | None, digits: int = 2) -> str:
    """A figure, or that there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def show(found: Record) -> None:
    """The tables."""
    counts, quiet = found["mutants"], found["comments"]
    console.note(", ".join(f"{value} {name}" for name, value in counts.items() if name != "called"))
    drawn = quiet.get("drawn", 0)
    console.note(f"comment-only edits: {drawn}, of which {drawn - quiet.get('survived', 0)} changed a verdict")
    show_figures(found)
    if "fitted" in found:
        for name, value in found["fitted"]["numbers"].items():
            console.note(f"{name} = {value}")
        console.note("with the numbers that were fitted:")
        show_figures(found["fitted"])


def show_told(found: Record) -> None:
    """The table of verdicts in plain words."""
    names = ("n", "pages", "top1", "top3", "top5", "mass", "share", "hit", "confidence")
    rows = [
        [name, *(shown(one[key], 0 if key in ("n", "pages") else 2) for key in names)] for name, one in found.items()
    ]
    if rows:
        columns = ("verdicts", "n", "pages", "top 1", "top 3", "top 5", "mass", "chance", "80 %", "c")
        console.table(columns, rows, "By an evaluator's plain words, without a browser or quotes")


def show_figures(found: Record) -> None:
    """The tables of figures."""
    repairs = found["repairs"]
    titles = {
        "Without a model": found["summary"],
        "With a judge whose quotes are right in 70 %": found["quote70"],
        "Beside other answers to the task": found["variants"].get("siblings"),
        "Faults that people wrote, without a model": found["by_hand"].get("fused"),
        "Faults that people wrote, quotes right in 70 %": found["by_hand"].get("quote70"),
        "Repairs, without a model": repairs.get("fused"),
        "Repairs, beside the group's other answers": repairs.get("siblings"),
    }
    for title, figures in titles.items():
        if figures:
            console.table(COLUMNS, [cells(kind, one) for kind, one in figures.items() if one["n"]], title)
    rows = [
        [name, *(" ".join(shown(figures[kind][top]) for top in ("top1", "top5")) for kind in TYPES)]
        for name, figures in found["variants"].items()
    ]
    console.table(("evidence", *TYPES), rows, "Top 1 and top 5 by evidence")
    sure = found["calibration"]["all"]
    console.note(
        f"confidence, over all ways it is used: expected error {shown(sure['ece'])}, Brier skill {shown(sure['brier'])}"
    )
    show_told(found.get("told") or {})
    gone, rank = found["missing"], found["ranking"]
    if gone["n"]:
        console.note(
            f"missing features: {gone['n']}, placed {shown(gone['placed']['value'])}, of that within 16 tokens of the "
            f"place {shown(gone['near']['value'])}"
        )
    if rank["tau"] is not None:
        console.note(f"rank of evidence by mutants and by repairs: Kendall's tau {rank['tau']:.2f}")
