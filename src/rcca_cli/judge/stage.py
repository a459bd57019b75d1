"""Stage `judge`: records with an answer in, the same with a verdict on each rubric item out."""

import contextlib
import traceback
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from rcca_cli import checks, console, parallel, records, rewards, seeds
from rcca_cli.browser import Machine, Settings
from rcca_cli.errors import ItemsFailed, RccaError
from rcca_cli.jsonl import Line
from rcca_cli.judge import verdicts
from rcca_cli.judge.court import Court
from rcca_cli.judge.model import Asker, Asking

HERE: dict[str, Any] = {"config": False}  # where and how fast, not what is found


@dataclass(frozen=True)
class Options:
    """How the judge judges. `replay_passes` is the share of passed items whose evidence is collected too.

    `asking` names a model that judges the items without a check.
    """

    seed: int = 0
    reward: str = "hierarchical"
    replay_passes: float = 0.25
    jobs: int = field(default=4, metadata=HERE)
    browser: str | None = field(default=None, metadata=HERE)
    asking: Asking | None = None


@contextlib.contextmanager
def court(options: Options) -> Iterator[Court]:
    """A warm browser for several calls of `run`."""
    if options.reward not in rewards.REWARDS:
        raise RccaError(f"--reward {options.reward}: there are {', '.join(rewards.REWARDS)}")
    asker = Asker(options.asking, options.seed) if options.asking else None
    with Machine(Settings(executable=options.browser)) as machine:
        try:
            config = seeds.config_digest(options)
            yield Court(machine, options.seed, options.replay_passes, options.reward, config, asker)
        finally:
            if asker:
                asker.report()


def run(lines: Iterable[Line], options: Options, warm: Court | None = None) -> Iterator[dict[str, Any]]:
    """Each record with `judge`, in order, as soon as it is known; `2 * jobs` are in flight.

    A browser is started for the call unless there is a `warm` one.

    ItemsFailed, after the last record, if some verdicts or gates are not known.
    """
    with contextlib.ExitStack() as stack:
        bench = warm or stack.enter_context(court(options))
        unknown = total = 0
        for record in parallel.ordered_map(lambda line: judged(line, bench), lines, options.jobs):
            judge = record["judge"] or {"verdicts": [], "gates": [{"passed": None}]}
            unknown += verdicts.count_unknown(judge)
            total += max(len(judge["verdicts"]), 1)
            yield record
        if unknown:
            raise ItemsFailed(f"{unknown} of {total} verdicts are not known (the reasons are in verdicts[].error)")


def judged(line: Line, court: Court) -> dict[str, Any]:
    """The record of `line` with `judge`."""
    if line.record.get("rollout", "missing") is None and line.record.get("error"):
        return line.record | {"judge": None}  # an answer that could not be had, and says why
    record = records.need(line, "task", "rollout")
    for number, item in enumerate(record["task"]["rubric"]):
        try:
            item["check"] is None or checks.parse(item["check"])
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
