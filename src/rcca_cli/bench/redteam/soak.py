"""A long run of hostile and honest pages in one browser: does anything grow, stay, or change?"""

import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rcca_cli import console, filter, parallel
from rcca_cli.bench.redteam import pack, summary, watch
from rcca_cli.browser import Machine, Settings, processes
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line

POINTS = (0.1, 0.5, 1.0)  # of the run, at which everything comes to rest and is measured
# Bytes that may be held at the end beyond what was held after the first tenth. Ours keeps nothing of a page. The
# browser is another one every 500 visits, and an idle tab that holds more than 250 MB is closed, so that what it holds
# is that of the tabs that happen to wait, four at most for each job, which differ by some tens of MB each.
OURS, BROWSERS = 60e6, 400e6
# A hang costs what the page may be busy; a quarter of the usual is enough for what is honest.
SETTINGS = Settings(action_seconds=0.5, load_seconds=1.0)
# By name, those that may take seconds each all the same, or the memory of the machine: the pack itself has them all.
DEAR = re.compile(r"bomb|flood|deep|source-of|many-elements|tall")


@dataclass(frozen=True)
class Point:
    """What was held after so many pages, by us and by the browser; what became of the honest ones by then."""

    pages: int
    ours: int
    browser: int
    processes: int
    zombies: int
    honest: int
    changed: int


def write(pages: int, jobs: int, seed: int, output: str = "-") -> None:
    """One record a point on `output`; a table and what is wrong on standard error.

    ItemsFailed if an honest verdict changed, or something was left or grew beyond its bound.
    """
    points: list[Point] = []
    wrong: list[str] = []

    def records() -> Iterator[dict[str, Any]]:
        for point in run(pages, jobs, seed, wrong):
            points.append(point)
            yield asdict(point)

    filter.write_all(filter.Plan("bench", "", output=output), records())
    columns = ("pages", "our MB", "browser MB", "processes", "zombies", "honest", "changed")
    console.table(columns, [row(point) for point in points], f"Soak: {pages} pages, {jobs} at once")
    for one in (problems := [*wrong, *grown(points)]):
        console.note(one)
    if problems:
        raise ItemsFailed(f"{len(problems)} things are not as they should be after {pages} pages")


def run(pages: int, jobs: int, seed: int, wrong: list[str]) -> Iterator[Point]:
    """The measurements, as they are made; `wrong` gets what is, in words."""
    from rcca_cli.judge import stage
    from rcca_cli.judge.court import Court

    everyone, drawn = watch.Processes(), draw(pages, seed)
    honest = changed = done = 0
    with watch.Listener() as listener:
        with Machine(SETTINGS) as machine:
            court = Court(machine, seed, replay_passes=0.0, reward="hierarchical", config="soak")

            def judged(page: pack.Page) -> tuple[pack.Page, dict[str, Any]]:
                return page, stage.judged(Line(page.record(listener.host), "<soak>", 1), court)

            for until in dict.fromkeys(round(pages * point) for point in POINTS):
                for page, record in parallel.ordered_map(judged, drawn[done:until], jobs):
                    everyone.look()
                    if page.group == pack.HONEST:
                        found = list(summary.problems(page, record))
                        honest, changed = honest + 1, changed + bool(found)
                        wrong += [f"{page.name}: {one}" for one in found]
                done = until
                yield measured(done, everyone, honest, changed)
        wrong += [f"process {pid} is left" for pid in everyone.left()]
        wrong += [f"process {pid} has ended and nobody took note" for pid in everyone.zombies(5.0)]
        wrong += [f"a packet arrived: {message}" for message in listener.heard()]


def draw(pages: int, seed: int) -> list[pack.Page]:
    """So many pages, every other one honest; the hostile ones are of those that cost little.

    >>> [page.group == "honest" for page in draw(4, 1)]
    [False, True, False, True]
    """
    chance = random.Random(seed)
    hostile = [page for page in pack.hostile() if not DEAR.search(page.name)]
    return [chance.choice(pack.honest() if number % 2 else hostile) for number in range(pages)]


def measured(pages: int, everyone: watch.Processes, honest: int, changed: int) -> Point:
    """What is held now."""
    below = watch.below()
    ours, browser = processes.resident_bytes(os.getpid()), sum(map(processes.resident_bytes, below))
    return Point(pages, ours, browser, len(below), len(everyone.zombies()), honest, changed)


def grown(points: Sequence[Point]) -> Iterator[str]:
    """What is held at the end that was not held at first, if it is beyond its bound.

    >>> first = Point(100, 100_000_000, 500_000_000, 9, 0, 50, 0)
    >>> list(grown([first, Point(1000, 170_000_000, 600_000_000, 9, 0, 500, 0)]))
    ['we grew by 70 MB (at most 60)']
    """
    for name, bound in (("ours", OURS), ("browser", BROWSERS)):
        more = getattr(points[-1], name) - getattr(points[0], name)
        if more > bound:
            yield f"{'we' if name == 'ours' else 'the browser'} grew by {more / 1e6:.0f} MB (at most {bound / 1e6:.0f})"


def row(point: Point) -> list[str]:
    """The point as the table shows it."""
    return [
        str(point.pages),
        f"{point.ours / 1e6:.0f}",
        f"{point.browser / 1e6:.0f}",
        *(str(one) for one in (point.processes, point.zombies, point.honest, point.changed)),
    ]
