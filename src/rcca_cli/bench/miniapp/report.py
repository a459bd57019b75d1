"""A run's figures as a file: JSON, Markdown, CSV or one offline HTML page, by its suffix."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rcca_cli.bench import published, reports
from rcca_cli.bench.miniapp import summary
from rcca_cli.bench.miniapp.figures import EMBEDDED, Figures, comparable, percent, version

BOARD = "miniappbench"  # the published figures that are shown beside ours


def as_json(figures: Figures) -> str:
    """Every figure and every outcome; percent where the name says rate, shares in [0, 1] elsewhere."""
    row = figures.all
    value: dict[str, Any] = {
        "benchmark": "miniapp",
        "subject": figures.subject,
        "pass_rate": figures.pass_rate,
        "n": row.n,
        "passes": row.passes,
        "pass_rate_interval": [percent(row.passed.low), percent(row.passed.high)],
        "pass_rate_judged": percent(row.judged.value),
        "n_judged": row.judged.n,
        "pass_rate_judged_interval": [percent(row.judged.low), percent(row.judged.high)],
        "missing": figures.missing,
        "unanswered": row.unanswered,
        "unjudged": row.unjudged,
        "threshold": figures.threshold,
        "tokens": row.tokens,
        "seconds": row.seconds,
        "judging_seconds": row.judging,
        "tasks": {"source": figures.source, "n": len(figures.tasks), "version": version(figures.tasks)},
        "judge": (figures.judges[0] if figures.judges else {"kind": figures.kind}) | figures.spent,
        "judges": len(figures.judges),
        "notes": figures.notes(),
        "rows": [one.plain() for one in figures.rows],
        "apps": [asdict(one) for one in figures.outcomes],
        "published": asdict(published.leaderboard(BOARD)),
    }
    return reports.as_json(value)


def as_markdown(figures: Figures) -> str:
    """The table, the notes, the list of apps and the published figures."""
    lines = [
        f"# {reports.as_cell(title(figures))}",
        "",
        *reports.markdown_table(summary.COLUMNS, [summary.cells(row) for row in figures.rows]),
        "",
        *(f"- {reports.as_cell(note)}" for note in figures.notes()),
        "",
        "## Apps",
        "",
        *reports.markdown_table(summary.APPS, list(summary.listed(figures.outcomes))),
        "",
        "## Published figures",
        "",
        *(f"- {reports.as_cell(note)}" for note in (comparable(figures.tasks, figures.kind), *published.told(BOARD))),
        "",
        *reports.markdown_table(published.COLUMNS, beside(figures)),
    ]
    return "\n".join(lines) + "\n"


def title(figures: Figures) -> str:
    """The head of a table or report."""
    return f"MiniApp: {figures.subject}"


def beside(figures: Figures) -> list[list[str]]:
    """The published figures with ours among them."""
    own = "our own tasks" if figures.source == EMBEDDED else figures.source
    return published.beside(
        BOARD, figures.subject, figures.pass_rate, f"{own}; judge: {figures.kind}; n = {figures.all.n}"
    )


ESTIMATES = ("passed", "judged", "intention", "static", "dynamic", "every", "rubric", "reward")
COUNTS = ("missing", "unanswered", "unjudged", "tokens", "seconds", "judging")


def as_csv(figures: Figures) -> str:
    """A line for each row of the table, with the bounds of its intervals in columns of their own."""
    columns = ["scope", "name", "passes", "n", *reports.bounds(ESTIMATES), *COUNTS]
    rows = (
        [row.scope, row.name, row.passes, row.n, *reports.parts(getattr(row, name) for name in ESTIMATES)]
        + [getattr(row, name) for name in COUNTS]
        for row in figures.rows
    )
    return reports.csv_table(columns, rows)


def as_html(figures: Figures) -> str:
    """One page that needs nothing else."""
    from rcca_cli.bench import webpage

    parts = [
        webpage.table("figures", summary.COLUMNS, [summary.cells(row) for row in figures.rows]),
        *map(webpage.paragraph, figures.notes()),
        webpage.heading("Apps"),
        webpage.table("apps", summary.APPS, list(summary.listed(figures.outcomes))),
        webpage.heading("Published figures"),
        *map(webpage.paragraph, (comparable(figures.tasks, figures.kind), *published.told(BOARD))),
        webpage.table("published", published.COLUMNS, beside(figures)),
    ]
    return webpage.render(title(figures), parts)


FORMS: dict[str, Callable[[Figures], str]] = {
    ".json": as_json,
    ".md": as_markdown,
    ".csv": as_csv,
    ".html": as_html,
}
