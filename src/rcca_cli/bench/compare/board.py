"""The leaderboard of some runs, as records and as a table for a terminal, Markdown, CSV, JSON or one page."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rcca_cli.bench import reports, summary
from rcca_cli.bench.compare.paired import Orders, Pair
from rcca_cli.bench.compare.runs import Run
from rcca_cli.bench.statistics import Estimate, mean, rate

SHARES = ("passed", "every", "rubric")  # shown in percent
NARROW = 4  # metrics that go into 80 columns
PAIRED = 12  # lines of pairs on a terminal; all are in the output and in the report


@dataclass(frozen=True)
class Row:
    """One run's figures."""

    name: str
    tasks: int
    answers: int
    figures: dict[str, Estimate]


@dataclass(frozen=True)
class Board:
    """All there is to show. `pictures[task][run]` are data addresses of images, where they were asked for."""

    rows: tuple[Row, ...]
    metrics: tuple[str, ...]
    pairs: tuple[Pair, ...]
    orders: tuple[Orders, ...]
    notes: tuple[str, ...]
    tasks: dict[str, dict[str, float]]  # by task and run, in the metric the runs are ranked by
    pictures: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """What the runs are ranked by."""
        return self.metrics[0]


def row(run: Run, metrics: Sequence[str]) -> Row:
    """A run's mean of each metric over its own answers, with 95 % intervals."""
    figures = {metric: (rate if metric in ("passed", "every") else mean)(run.values[metric]) for metric in metrics}
    return Row(run.name, len(run.tasks), run.answers, figures)


def columns(board: Board, most: int | None = None) -> list[str]:
    """The head of the leaderboard, of `most` metrics."""
    return ["run", "tasks", *(f"{one} %" if one in SHARES else one for one in board.metrics[:most])]


def cells(board: Board, row: Row, most: int | None = None) -> list[str]:
    """One line of it: what the runs are ranked by with its interval, the others without."""
    first, *others = board.metrics[:most]
    return [
        row.name,
        str(row.tasks),
        shown(row.figures[first], first),
        *(shown(row.figures[metric], metric).partition(" ")[0] for metric in others),
    ]


def shown(found: Estimate, metric: str) -> str:
    """A figure with its interval.

    >>> shown(Estimate(0.5, 0.25, 0.75, 4), "passed"), shown(Estimate(0.5, None, None, 1), "reward")
    ('50.0 [25.0, 75.0]', '0.50')
    """
    return summary.shown(found, *((100, 1) if metric in SHARES else (1, 2)))


PAIR_COLUMNS = ("runs", "tasks", "difference", "p", "better, worse, same", "ρ")


def pair_cells(pair: Pair) -> list[str]:
    """One comparison as a line."""
    return [
        f"{pair.a} − {pair.b}",
        str(pair.tasks),
        shown(pair.difference, pair.metric),
        "–" if pair.p is None else f"{pair.p:.3f}",
        f"{pair.wins}, {pair.losses}, {pair.ties}",
        "–" if pair.spearman is None else f"{pair.spearman:.2f}",
    ]


def main_pairs(board: Board) -> list[Pair]:
    """Those by what the runs are ranked by."""
    return [one for one in board.pairs if one.metric == board.main]


def as_json(board: Board) -> str:
    """Everything but the pictures."""
    value: dict[str, Any] = {
        "metric": board.main,
        "runs": [asdict(one) for one in board.rows],
        "pairs": [asdict(one) for one in board.pairs],
        "orders": [asdict(one) for one in board.orders],
        "notes": list(board.notes),
        "tasks": board.tasks,
    }
    return reports.as_json(value)


def as_markdown(board: Board) -> str:
    """The leaderboard, the pairs, the notes."""
    lines = [
        "# Comparison",
        "",
        *reports.markdown_table(columns(board), [cells(board, one) for one in board.rows]),
        "",
        *reports.markdown_table(PAIR_COLUMNS, [pair_cells(one) for one in main_pairs(board)]),
        "",
        *(f"- {reports.as_cell(note)}" for note in board.notes),
    ]
    return "\n".join(lines) + "\n"


def as_csv(board: Board) -> str:
    """A line a run, with the bounds of its intervals in columns of their own."""
    columns = ["run", "tasks", "answers", *reports.bounds(board.metrics)]
    rows = (
        [one.name, one.tasks, one.answers, *reports.parts(one.figures[metric] for metric in board.metrics)]
        for one in board.rows
    )
    return reports.csv_table(columns, rows)


def as_html(board: Board) -> str:
    """One page that needs nothing else; each task with what every run made of it."""
    from rcca_cli.bench import webpage

    parts = [
        webpage.table("figures", columns(board), [cells(board, one) for one in board.rows]),
        webpage.heading("Differences"),
        webpage.table("pairs", PAIR_COLUMNS, [pair_cells(one) for one in main_pairs(board)]),
        *map(webpage.paragraph, board.notes),
        webpage.heading("Tasks"),
        webpage.gallery([one.name for one in board.rows], told(board), board.pictures),
    ]
    return webpage.render("Comparison", parts, pictures=bool(board.pictures))


def told(board: Board) -> dict[str, dict[str, str]]:
    """What each task came to with each run, in words."""
    main = board.main

    def words(value: float) -> str:
        whole = {0.0: "fail", 1.0: "pass"}.get(value) if main in ("passed", "every") else None
        return whole or shown(Estimate(value, None, None, 1), main)

    return {task: {run: words(value) for run, value in found.items()} for task, found in board.tasks.items()}


FORMS: dict[str, Callable[[Board], str]] = {".json": as_json, ".md": as_markdown, ".csv": as_csv, ".html": as_html}
