"""Stage `judge`: records with an answer in, the same with a verdict on each rubric item out."""

import contextlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import checks, console, parallel, records, rewards, seeds
from rcca_cli.browser import Machine, Mirror, Settings
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.judge import again, data
from rcca_cli.judge.counts import Counts
from rcca_cli.judge.court import Court
from rcca_cli.judge.model import Asker, Asking

HERE: dict[str, Any] = {"config": False}  # where and how fast, not what is found
REPLAY_PASSES = 0.25


@dataclass(frozen=True)
class Options:
    """How the judge judges. `replay_passes` is the share of passed items whose evidence is collected too.

    Without `evidence` nothing is replayed: verdicts and rewards are the same, in a third of the time, but kinds of
    failure are coarser and `align` has nothing to point with.

    Of records that are judged already: `rejudge` keeps what is known and up to date, `only` all but these items, and
    `score_only` every verdict, so that no browser is needed (judge/again.py). `repeat`: how often each page is judged.
    `asking` names a model that judges the items without a check. `cdn` has the libraries that apps load from CDNs; in
    the digest of the options it counts by what it holds.
    """

    seed: int = 0
    reward: str = "hierarchical"
    replay_passes: float = REPLAY_PASSES
    evidence: bool = True
    jobs: int = field(default=4, metadata=HERE)
    browser: str | None = field(default=None, metadata=HERE)
    isolation: str | None = field(default=None, metadata=HERE)  # the least that will do: netns or flags
    repeat: int = 1
    only: tuple[str, ...] = ()
    rejudge: bool = field(default=False, metadata=HERE)  # it comes to the same bytes, as does a new score
    score_only: bool = field(default=False, metadata=HERE)
    stamp: bool = field(default=False, metadata=HERE)
    asking: Asking | None = None
    cdn: Mirror | None = None

    def __post_init__(self) -> None:
        if self.reward not in rewards.REWARDS:
            raise RccaError(f"--reward {self.reward}: there are {', '.join(rewards.REWARDS)}")
        if self.isolation not in (None, "netns", "flags"):
            raise RccaError(f"--require-isolation {self.isolation}: there are netns, flags")
        given = {"--rejudge": self.rejudge, "--only": bool(self.only), "--score-only": self.score_only}
        if sum(given.values()) > 1:
            names = " and ".join(name for name, there in given.items() if there)
            raise RccaError(f"{names}: each says what is judged again; give one")
        if not self.evidence and self.replay_passes not in (0, REPLAY_PASSES):
            raise RccaError("--no-evidence and --replay-passes: nothing is played once more; give one")
        looking = {"--repeat": self.repeat > 1, "--stamp": self.stamp}
        for name in (name for name, there in looking.items() if there and self.score_only):
            raise RccaError(f"--score-only and {name}: nothing is judged, only the reward reckoned; give one")


@contextlib.contextmanager
def court(options: Options, told: bool = True) -> Iterator[Court]:
    """A warm browser for several calls of `run`.

    `told`: it is said which model judges, if one does, and RccaError if no server of it can be reached.
    """
    asker = Asker(options.asking, options.seed, told) if options.asking else None
    ways: dict[str, Any] = {
        "asker": asker,
        "again": again.Again(options.only, options.rejudge),
        "repeat": options.repeat,
        "stamp": options.stamp,
    }
    with Machine(Settings(executable=options.browser, required=options.isolation, mirror=options.cdn)) as machine:
        digest = seeds.config_digest(options)
        passes = options.replay_passes if options.evidence else None
        try:
            yield Court(machine, options.seed, passes, options.reward, digest, **ways)
        finally:
            if asker:
                asker.report()


def run(lines: Iterable[Line], options: Options, warm: Court | None = None) -> Iterator[dict[str, Any]]:
    """Each record with `judge`, in order, as soon as it is known; `2 * jobs` are in flight.

    A browser is started for the call unless there is a `warm` one.

    ItemsFailed, after the last record, if some verdicts or gates are not known, or some records have no answer.
    """
    with contextlib.ExitStack() as stack:
        missing = dict.fromkeys(options.only)
        counts = Counts()
        for record in parallel.ordered_map(_work(options, warm, stack), lines, options.jobs):
            counts.add(record)
            for item in record["task"]["rubric"] if missing else ():
                missing.pop(item["id"], None)
            yield record
        if missing and counts.records:
            raise _no_item(next(iter(missing)))
        counts.refuse_unknown()


def _no_item(name: str) -> RccaError:
    several = "" if "," not in name else f" (give it once an item: --only {' --only '.join(name.split(','))})"
    return RccaError(f"--only {name}: no record has an item of that name{several}")


def _work(options: Options, warm: Court | None, stack: contextlib.ExitStack) -> Callable[[Line], dict[str, Any]]:
    """What is done with each line; a browser is opened on `stack` if that takes one."""
    if options.score_only:
        configs = again.configs(options)
        return lambda line: again.scored(line, options.reward, configs)
    bench = warm or stack.enter_context(court(options))
    return lambda line: judged(line, bench)


def judged(line: Line, court: Court) -> dict[str, Any]:
    """The record of `line` with `judge`."""
    if line.record.get("rollout", "missing") is None and line.record.get("error"):
        return line.record | {"judge": None}  # an answer that could not be had, and says why
    record = records.need(line, "task", "rollout", *court.again.needed(line.record))
    for number, item in enumerate(record["task"]["rubric"]):
        try:
            item["check"] is None or data.cases(record, item, court.seed)
        except checks.CheckError as error:
            raise line.error(f"task.rubric.{number}.{error}") from None
    try:
        return record | {"judge": court.judge(record)}
    except (RccaError, CancelledError):
        raise
    except Exception as fault:  # noqa: BLE001 - one record's bug must not cost the others theirs
        console.error(f"{line.file}:{line.number}: a bug in rcca, please report it")
        traceback.print_exc()
        return record | {"judge": court.unknown(record, f"a bug in rcca: {type(fault).__name__}: {fault}")}
