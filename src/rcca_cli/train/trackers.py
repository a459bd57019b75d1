"""Trackers of experiments: the metrics records, told to whoever was asked for as they pass by.

None of them uses a network unless the user's own settings say so, and one that fails costs a warning, never the run.
"""

import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rcca_cli import console
from rcca_cli.errors import RccaError

Tell = Callable[[dict[str, float], int], object]  # numbers by their name, and the step


@dataclass(frozen=True)
class Place:
    """Where a run's trackers write, and what they call it. `step` is the first that they will be told of."""

    folder: Path
    name: str
    config: dict[str, Any] = field(default_factory=dict)
    step: int = 0

    @classmethod
    def beside(cls, folder: str, out: str, options: Any) -> "Place":
        """That of a call with these options (a dataclass) that writes to `out`; a run is called as its folder is."""
        chosen = {name: value for name, value in vars(options).items() if value is not None}
        return cls(Path(folder), os.path.basename(os.path.realpath(out)), chosen)


@contextmanager
def tensorboard(place: Place) -> Iterator[Tell]:
    """Event files in `tensorboard/`. Of steps that are there already, those from the first new one on are replaced."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(place.folder / "tensorboard"), purge_step=place.step) as writer:

        def tell(numbers: dict[str, float], step: int) -> None:
            for name, number in numbers.items():
                writer.add_scalar(name, number, step)
            writer.flush()

        yield tell


@contextmanager
def trackio(place: Place) -> Iterator[Tell]:
    """A run of the project `rcca` in trackio's own folder on this machine (`trackio show`)."""
    import trackio as library

    silent = {"embed": False, "auto_log_gpu": False, "auto_log_cpu": False}
    run = library.init(project="rcca", name=place.name, config=place.config, resume="allow", **silent)
    yield lambda numbers, step: run.log(numbers, step=step)
    library.finish()  # not the run's own: that would be done once more when the process ends


@contextmanager
def wandb(place: Place) -> Iterator[Tell]:
    """A run of the project `rcca`; offline, in `wandb/`, unless WANDB_MODE says otherwise (`wandb sync`)."""
    import wandb as library

    place.folder.mkdir(parents=True, exist_ok=True)
    mode: Any = os.environ.get("WANDB_MODE") or "offline"
    run = library.init(
        project="rcca",
        name=place.name,
        config=place.config,
        dir=str(place.folder),
        mode=mode,
        settings=library.Settings(console="off", silent=True),
    )
    yield lambda numbers, step: run.log(numbers, step=step)
    run.finish()


@contextmanager
def jsonl(_place: Place) -> Iterator[Tell]:
    """The records on standard output, as they are; they are always there."""
    yield lambda _numbers, _step: None


TRACKERS: dict[str, Callable[[Place], AbstractContextManager[Tell]]] = {
    "jsonl": jsonl,
    "tensorboard": tensorboard,
    "trackio": trackio,
    "wandb": wandb,
}


def check(names: Sequence[str]) -> None:
    """RccaError for a tracker that is not there or not installed: now, and not after the first step."""
    for name in names:
        if name not in TRACKERS:
            raise RccaError(f"--report-to: {name!r} is not one of {', '.join(TRACKERS)}")
        if name != "jsonl" and importlib.util.find_spec(name) is None:
            raise RccaError(f"--report-to {name}: it is missing (pip install {name})")


def told(records: Iterable[dict[str, Any]], names: Sequence[str], place: Place) -> Iterator[dict[str, Any]]:
    """The same records; each is told to the trackers before it goes on."""
    check(names)
    trackers: dict[str, _Tracker] | None = None
    try:
        for record in records:
            if trackers is None:
                begun = replace(place, step=record["step"])
                trackers = {name: _Tracker(name, begun) for name in names}
            for tracker in trackers.values():
                tracker.tell(numbers(record), record["step"])
            yield record
    finally:
        for tracker in (trackers or {}).values():
            tracker.close()


def numbers(record: dict[str, Any]) -> dict[str, float]:
    """What can be drawn of a record: its numbers, but not the step. Null (nothing was known) is left out.

    >>> numbers({"step": 3, "loss": 0.5, "rows": 8, "reward_mean": None, "config": "ab"})
    {'loss': 0.5, 'rows': 8.0}
    """
    return {
        name: float(value)
        for name, value in record.items()
        if name != "step" and isinstance(value, int | float) and not isinstance(value, bool)
    }


class _Tracker:
    """One tracker under way. Whatever goes wrong in it, or in the library behind it, is said once and ends it."""

    def __init__(self, name: str, place: Place) -> None:
        self._name = name
        self._stack = ExitStack()
        self._tell: Tell | None = None
        self._try(lambda: setattr(self, "_tell", self._stack.enter_context(TRACKERS[name](place))))

    def tell(self, values: dict[str, float], step: int) -> None:
        tell = self._tell
        if tell is not None:
            self._try(lambda: tell(values, step))

    def close(self) -> None:
        if self._tell is not None:
            self._try(self._stack.close)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Exception as error:  # noqa: BLE001 - the run is worth more than its pictures
            self._tell = None
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            console.error(f"--report-to {self._name}: {reason} (the run goes on without it)")
