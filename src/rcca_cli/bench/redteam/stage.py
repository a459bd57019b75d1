"""Judges the pack, each page beside an honest one, and tells which pages did not come to what they deserve."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from rcca_cli import console, filter
from rcca_cli.bench.redteam import injection, pack, soak, summary, watch
from rcca_cli.bench.redteam.summary import Outcome
from rcca_cli.browser import Machine, processes
from rcca_cli.errors import ItemsFailed
from rcca_cli.jsonl import Line
from rcca_cli.judge import model

SECONDS = 300.0  # by the clock, for a judge that never returns; what a page may cost is measured in processor time
Record = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """`soak`: so many pages mixed in one browser, instead of the pack. `model` is a judge, on the server `base_url`."""

    soak: int = 0
    model: str | None = None
    base_url: str | None = None
    seed: int = 0
    jobs: int = 2


def write(options: Options, output: str = "-") -> None:
    """One judged record a page on `output`, with what did not hold; the figures on standard error.

    Pages that speak to a judge model are only judged if the options name one. `soak` is another run (soak.py).

    ItemsFailed, with the count, if some pages did not hold or some process outlived the browser.
    """
    if options.soak:
        soak.write(options.soak, options.jobs, options.seed, output)
        return
    asking = model.asking(options.model, options.base_url)
    outcomes: list[Outcome] = []
    said: list[injection.Result] = []
    strays: list[str] = []

    def counted() -> Iterator[Record]:
        for record, outcome in run([*pack.honest(), *pack.hostile()], strays, options.seed):
            outcomes.append(outcome)
            yield record | {"bench": {"passed": not outcome.problems, "problems": list(outcome.problems)}}
        if asking:
            yield from injection.run(asking, options.seed, said)

    filter.write_all(filter.Plan("bench", "", output=output), counted())
    summary.show(outcomes, strays)
    if asking:
        injection.show(said)
    else:
        console.note(injection.NOT_RUN)
    if broken := sum(bool(one.problems) for one in outcomes):
        raise ItemsFailed(f"{broken} of {len(outcomes)} pages did not hold")
    if talked := injection.fooled(said):
        raise ItemsFailed(f"the judge model was talked into {talked} of {len(said)} verdicts")
    if strays:
        raise ItemsFailed("all pages held, but something was left in the end")


def run(pages: Sequence[pack.Page], strays: list[str], seed: int = 0) -> Iterator[tuple[Record, Outcome]]:
    """Each page's judged record and what came of it; `strays` gets what is left when the browser has ended.

    Pages are judged one after the other, so that what they cost is theirs, but never alone: an honest page is in the
    same browser at the same time, and must not suffer. The browser stays warm.
    """
    from rcca_cli.judge import stage

    everyone = watch.Processes()
    with watch.Listener() as listener:
        with stage.court(stage.Options(seed=seed, replay_passes=0.0)) as court:

            def judged(page: pack.Page) -> Callable[[], Record]:
                return lambda: stage.judged(Line(page.record(listener.host), "<redteam>", 1), court)

            for page, neighbour in zip(pages, cycle(pack.honest()), strict=False):
                with watch.Meter() as meter:
                    found, beside = together([judged(page), judged(neighbour)], SECONDS)
                everyone.look()
                problems = [
                    *summary.problems(page, found),
                    *(f"beside it, {neighbour.name}: {one}" for one in summary.problems(neighbour, beside)),
                    *summary.excess(meter.cost),
                    *(f"its process {pid} is left" for pid in pages_left(court.machine)),
                    *(f"a packet arrived: {message}" for message in listener.heard()),
                ]
                record = page.record(listener.host) | {"judge": None} if isinstance(found, str) else found
                yield record, Outcome(page, tuple(problems), meter.cost)
        strays += [f"process {pid} is left" for pid in everyone.left()]
        strays += [f"a packet arrived late: {message}" for message in listener.heard()]


def together(works: Sequence[Callable[[], Record]], seconds: float) -> list[Record | str]:
    """What each of the works returned, done at the same time; in words what went wrong if it did not."""
    found: list[Record | str] = [f"the judge did not return in {seconds:g} s"] * len(works)

    def do(place: int) -> None:
        try:
            found[place] = works[place]()
        except Exception as error:  # noqa: BLE001 - whatever a page makes of the judge, the others are judged
            found[place] = f"the judge failed: {error!r}"

    # Not a pool: its threads would keep a judge that never returns alive past the end of the program.
    threads = [threading.Thread(target=do, args=(place,), daemon=True) for place in range(len(works))]
    for thread in threads:
        thread.start()
    until = time.monotonic() + seconds
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0))
    return list(found)


def pages_left(machine: Machine) -> list[int]:
    """The processes of pages that still run after they were given a moment to end."""
    return watch.patiently(
        lambda: [pid for pid in machine.renderers() if "--type=renderer" in processes.command(pid)], seconds=5.0
    )
