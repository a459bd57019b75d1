"""What every stage does around its own work: open, resume, write, finish."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rcca_cli import console, jsonl, lock
from rcca_cli import resume as resuming
from rcca_cli.errors import ItemsFailed, RccaError, Stopped
from rcca_cli.jsonl import Line
from rcca_cli.shard import Shard


@dataclass(frozen=True)
class Plan:
    """What the user typed about input and output, and what the stage calls a unit of work."""

    stage: str  # the key of the record that the stage owns
    config: str  # digest of its options
    files: Sequence[str] = ()
    output: str = "-"
    resume: bool = False
    unit: resuming.Unit = field(default_factory=resuming.Unit)
    shard: Shard = field(default_factory=Shard)
    expected: Callable[[], int | None] | None = None  # how many records, where the lines of the input do not tell

    def total(self) -> int | None:
        """How many records the output will have, those of an earlier call among them; None if nobody knows."""
        if self.expected is not None:
            return self.expected()
        lines = jsonl.count(self.files) if self.files and self.shard == Shard() else None
        return None if lines is None else lines * (self.unit.size or 1)


def run(
    plan: Plan,
    work: Callable[[Iterator[Line]], Iterable[dict[str, Any]]],
    read: Callable[[Iterator[Line]], Iterator[Line]] = iter,
) -> None:
    """Stream the input through `work` into the output. `read` makes records of lines that are none yet.

    A failed item (ItemsFailed, raised by `work` after its last record) leaves a finished file; any
    other error leaves FILE.partial for `--resume`.
    """
    lines = plan.shard.of_lines(read(jsonl.read(plan.files)))
    with alone(plan.output):
        if is_finished(plan, lines):
            return
        done = unfinished(plan)
        if done:
            lines = resuming.skip(lines, done, plan.unit)
        write(plan, work(lines), append=bool(done))


@contextlib.contextmanager
def alone(output: str) -> Iterator[None]:
    """Hold the file `output` for this call: two that write to one would mix their records, or cut each other's off."""
    if output == "-" or jsonl.is_special(output):
        yield
        return
    jsonl.make_folder(output)
    with lock.held(output):
        yield


def is_finished(plan: Plan, lines: Iterator[Line]) -> bool:
    """Whether there is nothing to `--resume`: an earlier call with the same options and input has finished FILE.

    Says so on standard error. RccaError if FILE was made with other options, or from less input or other.
    """
    done = finished(plan)
    if done is None:
        return False
    refuse_more(plan, resuming.skip(lines, done, plan.unit))
    say_finished(plan)
    return True


def refuse_more(plan: Plan, left: Iterator[Line]) -> None:
    """RccaError for a line that is `left` over of the input when FILE is finished."""
    for line in left:
        raise line.error(f"not in {plan.output}, which is finished (remove it, or write another)")


def say_finished(plan: Plan) -> None:
    """That there is nothing to `--resume`."""
    console.note(console.of_call(f"{plan.output} is finished"))


def finished(plan: Plan) -> list[resuming.Done] | None:
    """The units of a FILE that an earlier call has finished; None if it has not, or without `--resume`."""
    left = jsonl.partial_path(plan.output)
    if not plan.resume or not Path(plan.output).is_file() or (left.exists() and left.stat().st_size):
        return None
    return resuming.units(Path(plan.output), plan.stage, plan.config, plan.unit).done


def unfinished(plan: Plan, counts: str = " (counts and exit code are of the others)") -> list[resuming.Done]:
    """The units an earlier, interrupted call has finished; none without `--resume`.

    `counts` says what the call counts, to whoever reads it.
    """
    if not plan.resume:
        return []
    if plan.output == "-":
        raise RccaError("--resume needs -o FILE (it continues FILE.partial)")
    if jsonl.is_special(plan.output):
        raise RccaError(f"{plan.output}: no plain file, so there is nothing to --resume")
    done = resuming.finished(jsonl.partial_path(plan.output), plan.stage, plan.config, plan.unit)
    if done:
        console.note(f"resumed after {len(done)} finished items{counts}")
    return done


def write_all(plan: Plan, records: Iterable[dict[str, Any]]) -> None:
    """Write the records as they come; the output file appears when the last is written."""
    with alone(plan.output):
        write(plan, records)


def write(plan: Plan, records: Iterable[dict[str, Any]], append: bool = False) -> None:
    """The same, behind what is left of an earlier call if `append`. The caller holds the file (`alone`)."""
    left = jsonl.partial_path(plan.output)
    if plan.output != "-" and not append and left.exists() and left.stat().st_size:
        console.note(f"{plan.output}.partial: left by an earlier call, begun anew (--resume goes on from it)")
    writer = jsonl.Writer(plan.output, append=append)
    try:
        # What this call begins anew is empty by now.
        for record in console.progress(records, plan.stage, plan.total, lambda: jsonl.count([str(left)]) or 0):
            writer.write(record)
    except ItemsFailed:
        writer.finish()
        raise
    except Stopped as stop:
        writer.abandon()
        if not writer.renamed:
            raise
        where = f"{writer.count} records are in {plan.output}.partial (go on with --resume)"
        raise type(stop)(f"stopped; {where if writer.count else 'nothing was written'}") from None
    except BaseException:
        writer.abandon()
        raise
    if not writer.count:
        console.note(f"{plan.stage}: no records")
    writer.finish()
