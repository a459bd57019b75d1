"""What a call of `rcca bench miniapp` is asked to do."""

from dataclasses import dataclass, field
from typing import Any

from rcca_cli.bench.miniapp import rule
from rcca_cli.bench.miniapp.tasks import Choice
from rcca_cli.errors import RccaError
from rcca_cli.judge.model import Asking

HERE: dict[str, Any] = {"config": False}  # where it runs or what is read, not how it is judged
KINDS = ("checks", "model", "both")


@dataclass(frozen=True)
class Options:
    """Whose answers: those of `answers` (a file, a folder, embedded:KIND) if given, else of a model; and who judges.

    `judge` is one of KINDS: by the items' checks, by the model `asking` whatever checks there are, or by the checks
    and where there is none by the model. `tasks` is a file of tasks, None the embedded suite. `cache` is a folder for
    the answers of a server and the replies of a judge model: what is there is not asked for again.
    """

    model: str = "embedded"
    base_url: str | None = field(default=None, metadata=HERE)
    answers: str | None = field(default=None, metadata=HERE)
    tasks: str | None = field(default=None, metadata=HERE)
    choice: Choice = field(default_factory=Choice, metadata=HERE)
    samples: int = 1
    seed: int = 0
    temperature: float = 1.0
    max_new_tokens: int = 8192
    judge: str = "checks"
    asking: Asking | None = None
    threshold: float = rule.THRESHOLD
    device: str = field(default="auto", metadata=HERE)
    isolation: str | None = field(default=None, metadata=HERE)  # the least that will do, as of the judge
    cdn: Any = None  # the mirror of the libraries that apps load, as of the judge
    jobs: int = field(default=4, metadata=HERE)
    cache: str | None = field(default=None, metadata=HERE)
    stamp: bool = field(default=True, metadata=HERE)

    def __post_init__(self) -> None:
        if self.judge not in KINDS:
            raise RccaError(f"--judge {self.judge}: there are {', '.join(KINDS)}")
        if (self.judge == "checks") != (self.asking is None):
            cure = "name it: --judge-model NAME" if self.asking is None else "--judge model or both asks it"
            raise RccaError(
                f"--judge {self.judge}: {'which model' if self.asking is None else 'asks no model'} ({cure})"
            )

    def subject(self) -> str:
        """Whose answers they are, for the head of the table."""
        if self.answers is not None:
            return "answers from standard input" if self.answers == "-" else self.answers
        return self.model
