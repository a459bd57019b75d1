"""Runs the benchmark: each answer's page is found, seen and marked, and each of the three is done once for all time."""

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rcca_cli import console, filter, jsonl, parallel, seeds
from rcca_cli.bench import reports
from rcca_cli.bench.artifacts import nomodel, report, rows, summary
from rcca_cli.bench.artifacts.asking import Desk
from rcca_cli.bench.artifacts.budget import Counter
from rcca_cli.bench.artifacts.estimate import Estimate
from rcca_cli.bench.artifacts.evidence import Album
from rcca_cli.bench.artifacts.journal import Journal
from rcca_cli.bench.artifacts.ledger import Ledger, Prices
from rcca_cli.bench.artifacts.outcome import Outcome
from rcca_cli.bench.artifacts.referee import Limits, OfficialReferee, Referee
from rcca_cli.bench.artifacts.rows import Item
from rcca_cli.bench.artifacts.verdict import PASSING, Judge
from rcca_cli.bench.artifacts.work import Work
from rcca_cli.browser import Machine, Mirror, Settings
from rcca_cli.chat import Client, Remembering
from rcca_cli.errors import ItemsFailed, RccaError, Stopped

HERE: dict[str, Any] = {"config": False}  # where, how fast and at what price, not how it is judged
LEAST = 6144  # tokens of a request: criteria, task, pictures and something of the answer
PICTURES = "pictures"  # the folder, in that of the journal
Record = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """What is judged, by whom and how. Without a `model` it is marked by measurements alone (nomodel.py).

    `files` are answers, `tasks` the data set's rows for those that lack the checklist. `compat`: fixed, the repaired
    protocol, or official, that of the released harness. `columns`: whose output fields are written, and how the
    official way asks. `work` keeps the journal, the pictures and the replies. `jobs` pages are seen at once and
    `connections` requests are out at once; `attempts` and `seconds` are those of one request. `sample`: that many
    items only, 0: all. `step_seconds` and `network` are of the official way's browser.
    """

    files: tuple[str, ...] = field(default=(), metadata=HERE)
    tasks: str | None = field(default=None, metadata=HERE)
    compat: str = "fixed"
    columns: str = "gemini"
    model: str | None = None
    base_urls: tuple[str, ...] = field(default=(), metadata=HERE)
    tokenizer: str | None = None
    limits: Limits = field(default_factory=Limits)
    probing: bool = True
    sample: int = 0
    seed: int = 0
    step_seconds: float = 600.0
    network: bool = False
    cdn: Mirror | None = None
    isolation: str | None = field(default=None, metadata=HERE)
    work: str | None = field(default=None, metadata=HERE)
    jobs: int = field(default=2, metadata=HERE)
    connections: int = field(default=4, metadata=HERE)
    attempts: int = field(default=5, metadata=HERE)
    seconds: float = field(default=600.0, metadata=HERE)
    prices: Prices = field(default_factory=Prices, metadata=HERE)
    dry_run: bool = field(default=False, metadata=HERE)

    def __post_init__(self) -> None:
        if self.compat not in ("fixed", "official"):
            raise RccaError(f"--compat {self.compat}: there are fixed, official")
        if self.columns not in ("gemini", "qvl"):
            raise RccaError(f"--columns {self.columns}: there are gemini, qvl")
        if self.compat == "official" and not self.model:
            raise RccaError("--compat official: its judge is a model (--model NAME, and --base-url URL of its server)")
        if self.limits.context - self.limits.reply < LEAST:
            raise RccaError(
                f"--context {self.limits.context}: less than {LEAST} tokens beside --max-tokens, for a request"
            )
        if self.base_urls and not self.model:
            raise RccaError("--base-url: which of its models? (--model NAME)")

    @property
    def marking(self) -> str:
        """What the journal calls the stage in which this judge marks."""
        return f"mark by {self.model or 'no model'}, {self.compat}"


def write(options: Options, output: str = "-", report_to: str = "") -> None:
    """One row an answer on `output` with the official fields and ours, the figures on standard error and in a report.

    ItemsFailed, with the counts, if some items have no score; everything is written all the same.
    """
    form = reports.form(report_to, report.FORMS, output) if report_to else None
    with _work(options, output) as folder, Journal(folder) as journal:
        known = rows.tasks(options.tasks) if options.tasks else {}
        ledger = Ledger(options.prices)
        ledger.before = options.prices.cost(*journal.spent()) or 0.0
        if options.dry_run:
            Estimate(options, journal).show(items(options, known))
            return
        outcomes: list[Outcome] = []

        def counted() -> Iterator[Record]:
            for outcome in run(items(options, known), options, journal, folder, ledger):
                outcomes.append(outcome.lighter())
                yield outcome.record(options.columns, seeds.config_digest(options))

        _write(filter.Plan("artifacts", seeds.config_digest(options), output=output), counted(), bool(options.work))
        asked = {str(outcome.index) for outcome in outcomes}
        missing = [name for name in known if name not in asked]
        figures = summary.figures(
            outcomes, options, [] if options.sample else missing, ledger, Album(folder / PICTURES)
        )
        report.show(figures)
        if form:
            reports.write(report_to, form(figures))
    _end(outcomes)


def _write(plan: filter.Plan, records: Iterator[Record], kept: bool) -> None:
    """Write the rows. What an earlier call left of them is written anew from the journal, so it goes."""
    if plan.output != "-":
        jsonl.partial_path(plan.output).unlink(missing_ok=True)
    try:
        filter.write_all(plan, records)
    except Stopped as stop:
        goes_on = "; the same call again goes on" if kept or plan.output != "-" else ""
        raise type(stop)(f"stopped{goes_on}") from None


def write_tasks(files: Sequence[str], output: str) -> None:
    """The data set's rows as tasks for `rcca rollout`."""
    lines = (line for name in files or ("-",) for line in rows.read(name))
    filter.write_all(filter.Plan("task", "", output=output), map(rows.task, lines))


def _end(outcomes: Sequence[Outcome]) -> None:
    """ItemsFailed if something is left without a score."""
    lost = [outcome for outcome in outcomes if outcome.verdict.score is None]
    if lost:
        again = sum(outcome.verdict.trouble in PASSING for outcome in lost)
        cure = f"; the same call again asks for {again} of them once more" if again else ""
        raise ItemsFailed(f"{len(lost)} of {len(outcomes)} items have no score{cure}")


@contextlib.contextmanager
def _work(options: Options, output: str) -> Iterator[Path]:
    """The folder for what is kept: the one named, else one beside the output, else one that goes with the call.

    A call that only says what it would cost makes none.
    """
    place = Path(options.work or f"{output}.work")
    if (options.work or output != "-") and (place.is_dir() or not options.dry_run):
        yield place
        return
    if options.model and not options.dry_run:
        console.note("nothing is kept of what the judge says (-o FILE or --work DIR keeps it)")
    with tempfile.TemporaryDirectory(prefix="rcca-") as folder:
        yield Path(folder)


def items(options: Options, known: Mapping[str, Mapping[str, Any]]) -> Iterator[Item]:
    """The items to judge, in the order of the input. Two of one index are said aloud.

    `known` are the data set's rows by their index.
    """
    read = (rows.item(line, known) for name in options.files or ("-",) for line in rows.read(name))
    seen: set[str] = set()
    twice = 0
    for item in rows.sampled(read, options.sample, options.seed) if options.sample else read:
        twice += str(item.index) in seen
        seen.add(str(item.index))
        yield item
    if twice:
        console.note(f"{twice} answers are to an index that another answer has already; each counts")


def run(given: Iterator[Item], options: Options, journal: Journal, folder: Path, ledger: Ledger) -> Iterator[Outcome]:
    """What came of each item, in order. Pages are seen while others are marked."""
    album = Album(folder / PICTURES)
    counter = Counter(_tokenizer(options.tokenizer))
    judge = _judge(options, counter, journal, folder, ledger)
    with contextlib.ExitStack() as stack:
        machine = None
        if options.compat == "fixed":
            settings = Settings(required=options.isolation, mirror=options.cdn)
            machine = stack.enter_context(Machine(settings))
        work = Work(options, journal, album, judge, machine)
        seen = parallel.ordered_map(work.seen, given, options.jobs)
        yield from parallel.ordered_map(work.marked, seen, options.connections)


def _tokenizer(name: str | None) -> Any:
    if name is None:
        return None
    from rcca_cli.models import load_tokenizer

    return load_tokenizer(name)


def _judge(options: Options, counter: Counter, journal: Journal, folder: Path, ledger: Ledger) -> Judge:
    if not options.model:
        console.note("rcca bench artifacts: no --model: marked by measurements alone, which no leaderboard is made of")
        return nomodel.NoModel()
    client = Client(options.base_urls, options.model, options.seconds, options.attempts, options.connections)
    desk = Desk(Remembering(client, str(folder / "replies")), ledger, journal)
    if options.compat == "official":
        return OfficialReferee(desk, counter, options.columns)
    return Referee(desk, counter, options.limits, options.seed)
