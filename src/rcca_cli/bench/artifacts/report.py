"""The figures of `bench artifacts` for readers: a table on standard error, and JSON, Markdown, CSV or a page."""

import base64
from collections.abc import Callable, Iterator
from dataclasses import asdict

from rcca_cli import console
from rcca_cli.bench import published, reports, webpage
from rcca_cli.bench.artifacts.evidence import Album
from rcca_cli.bench.artifacts.nomodel import NoModel
from rcca_cli.bench.artifacts.outcome import Outcome
from rcca_cli.bench.artifacts.summary import Figures, Row
from rcca_cli.bench.summary import shown
from rcca_cli.report import page

COLUMNS = ("items", "scored", "mean", "zero-filled", "no score")
ALL = 1825  # tasks that the published figures are of
BOARD = "artifactsbench"  # the published figures that are shown beside ours
PICTURED = 100  # items, or a page of the whole data set would be too large to open
ITEMS = ("index", "class", "difficulty", "score", "the judge's own", "marks", "extraction", "failure")


def cells(row: Row) -> list[str]:
    """One row as the tables show it, 95 % intervals in brackets; criteria are of 10, all else of 100."""
    digits = 2 if row.scope in ("slot", "group") else 1
    filled = "" if row.scope in ("slot", "group") else shown(row.filled, 1, digits)
    return [row.name or "(no class)", str(row.mean.n), shown(row.mean, 1, digits), filled, str(row.unscored)]


def notes(figures: Figures) -> Iterator[str]:
    """What a reader of the table has to know."""
    whole = figures.whole
    mean = "–" if whole.mean.value is None else f"{whole.mean.value:.4f}"
    yield f"protocol {figures.compat}; judge {figures.judge}. Scores of two judges or protocols are not comparable."
    yield f"AVG {mean}, Error count {whole.unscored}. The mean leaves out what has no score, zero-filled does not."
    if figures.missing:
        yield f"{len(figures.missing)} tasks have no answer: 0 in what is zero-filled, left out of the rest."
    if figures.macro is not None:
        yield f"mean of the classes' means {figures.macro:.2f}"
    if figures.gap is not None:
        yield f"the judge's own total is off from the sum of its marks by {figures.gap:.2f} in the mean"
    if figures.spread is not None:
        yield f"asked again, its totals differ by {figures.spread:.2f} in the mean: smaller differences mean nothing"
    yield "extraction: " + ", ".join(f"{count} {name}" for name, count in figures.statuses.items() if count)
    yield f"pictures of {shown(figures.seen, 100, 0)} % of the items"
    for what, counts in (("failures of answers", figures.failures), ("no score", figures.troubles)):
        if counts:
            yield f"{what}: " + ", ".join(f"{count} {name}" for name, count in counts.items())
    if figures.left_out:
        yield f"{figures.left_out} answers were too long for the judge; a mark stands where their middle was"
    if figures.length is not None:
        yield f"an answer with its reasoning has {figures.length:.0f} characters in the mean"
    cost = figures.cost
    if cost["calls"] or cost["remembered"]:
        money = "" if cost["cost"] is None else f", {cost['cost']:.4f} (earlier calls: {cost['before']:.4f})"
        yield (
            f"judge: {cost['calls']} calls, {cost['remembered']} known already, {cost['read']} tokens read, "
            f"{cost['written']} written{money}"
        )


def show(figures: Figures) -> None:
    """The table on standard error."""
    console.table(COLUMNS, [cells(row) for row in figures.rows], f"ArtifactsBench: {figures.subject}")
    for line in notes(figures):
        console.paragraph(line)


def as_json(figures: Figures) -> str:
    """Every figure and every item, and the published figures."""
    return reports.as_json(figures.plain() | {"published": asdict(published.leaderboard(BOARD))})


def comparable(figures: Figures) -> str:
    """What may be compared with the published figures, and what not."""
    if figures.judge == NoModel.identity:
        return "Not comparable with the leaderboard: marked by measurements, by no model."
    if figures.compat == "fixed":
        return (
            "Not comparable with the leaderboard: another protocol, which loses no page, and a judge that is told more."
        )
    return (
        f"By the released protocol in words of our own, judged by {figures.judge}. Compare at most figures of all "
        "items with rows of the same judge model, and make nothing of differences within the intervals."
    )


def beside(figures: Figures) -> list[list[str]]:
    """The published figures with ours among them."""
    what = f"{figures.compat}; judge: {figures.judge}; n = {figures.whole.mean.n}"
    ranked = figures.compat == "official" and figures.whole.mean.n >= ALL
    return published.beside(BOARD, figures.subject, figures.whole.mean.value, what, "dropped", ranked)


def as_markdown(figures: Figures) -> str:
    """The table, the notes and the items."""
    lines = [
        f"# ArtifactsBench: {reports.as_cell(figures.subject)}",
        "",
        *reports.markdown_table(COLUMNS, [cells(row) for row in figures.rows]),
        "",
        *(f"- {reports.as_cell(note)}" for note in notes(figures)),
        "",
        "## Items",
        "",
        *reports.markdown_table(ITEMS, list(listed(figures))),
        "",
        "## Published figures",
        "",
        *(f"- {reports.as_cell(note)}" for note in (comparable(figures), *published.told(BOARD))),
        "",
        *reports.markdown_table(published.COLUMNS, beside(figures)),
    ]
    return "\n".join(lines) + "\n"


def as_csv(figures: Figures) -> str:
    """A line for each row of the table, with the bounds of its intervals in columns of their own."""
    columns = ["scope", "name", *reports.bounds(("mean", "zero_filled")), "no_score"]
    rows = ([row.scope, row.name, *reports.parts((row.mean, row.filled)), row.unscored] for row in figures.rows)
    return reports.csv_table(columns, rows)


def as_html(figures: Figures) -> str:
    """One page that needs nothing else; the pictures of the first PICTURED items are in it."""
    shown = [one for one in figures.outcomes if one.evidence.pictures][:PICTURED] if figures.album else []
    left = sum(bool(one.evidence.pictures) for one in figures.outcomes) - len(shown)
    parts = [
        webpage.table("figures", COLUMNS, [cells(row) for row in figures.rows]),
        *map(webpage.paragraph, notes(figures)),
        webpage.heading("Items"),
        webpage.table("apps", ITEMS, list(listed(figures))),
        webpage.heading("Published figures"),
        *map(webpage.paragraph, (comparable(figures), *published.told(BOARD))),
        webpage.table("published", published.COLUMNS, beside(figures)),
        webpage.heading("Pictures") if shown else "",
        *(_pictures(one, figures.album) for one in shown if figures.album),
        webpage.paragraph(f"The pictures of {left} more items are in the folder of the run.") if left and shown else "",
    ]
    return webpage.render(f"ArtifactsBench: {figures.subject}", parts, pictures=True)


def _pictures(outcome: Outcome, album: Album) -> str:
    """What the judge was shown of an item, and its score."""
    score = "no score" if outcome.verdict.score is None else f"{outcome.verdict.score:g}"
    images = "".join(
        f'<figure><img src="data:image/png;base64,{base64.b64encode(album.read(one)).decode()}" alt="">'
        f"<figcaption>{page.escape(one.caption)}</figcaption></figure>\n"
        for one in outcome.evidence.pictures
        if album.has([one])
    )
    return f"<section><h3>{page.escape(str(outcome.index))}: {score}</h3>\n{images}</section>\n"


def listed(figures: Figures) -> Iterator[list[str]]:
    """Each item as a row."""
    for outcome in figures.outcomes:
        verdict = outcome.verdict
        marks = " ".join("–" if mark is None else str(mark) for mark in verdict.scores)
        yield [
            str(outcome.index),
            str(outcome.item.row.get("class") or ""),
            outcome.item.difficulty,
            "–" if verdict.score is None else f"{verdict.score:g}",
            "–" if verdict.overall is None else f"{verdict.overall:g}",
            marks,
            outcome.evidence.status,
            verdict.trouble or outcome.evidence.failure or "",
        ]


FORMS: dict[str, Callable[[Figures], str]] = {
    ".json": as_json,
    ".md": as_markdown,
    ".csv": as_csv,
    ".html": as_html,
}
