"""What every backend is: something that answers tasks. A new one is one file and one line in BACKENDS."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from rcca_cli import seeds
from rcca_cli.jsonl import Line
from rcca_cli.rollout.options import Options


@dataclass(frozen=True)
class Ask:
    """One task of the input and the seeds of the answers wanted."""

    line: Line
    seeds: list[int]

    @property
    def group(self) -> str:
        """The id of the task, which its answers share."""
        return str(self.line.record["group"])

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The request as a conversation."""
        return self.line.record["task"]["prompt"]


@dataclass(frozen=True)
class Missing:
    """An answer that could not be had, and why: our side's failure, not the policy's."""

    reason: str


class Backend(Protocol):
    """Answers tasks. It may keep a model or a connection; `sample` may be called any number of times."""

    def sample(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, list[dict[str, Any] | Missing]]]:
        """Each task, in order, with the values of `rollout` for its seeds.

        It takes in as many tasks ahead as it likes; an error among them is raised in its turn, after those before it.
        """


def ask(line: Line, options: Options) -> Ask:
    """The seeds of a group come from the run's seed and names: not from its place or its neighbours."""
    group = str(line.record["group"])
    return Ask(line, [seeds.derive(options.seed, group, index) for index in range(options.group_size)])


def opened(options: Options, policy: Any = None) -> Backend:
    """The backend that `options` name. `policy` is a loaded model to sample from, for the transformers one."""
    return BACKENDS[options.backend](options, policy)


def _transformers(options: Options, policy: Any) -> Backend:
    from rcca_cli.rollout import local

    return local.Local(options, policy)


def _openai(options: Options, _policy: Any) -> Backend:
    from rcca_cli.rollout import served

    return served.Served(options)


def _replay(options: Options, _policy: Any) -> Backend:
    from rcca_cli.rollout import replay

    return replay.Replay(options)


BACKENDS: dict[str, Callable[[Options, Any], Backend]] = {
    "transformers": _transformers,
    "openai": _openai,
    "replay": _replay,
}
