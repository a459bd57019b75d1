"""How a judge model is asked."""

from dataclasses import dataclass, field
from typing import Any

from rcca_cli import seeds
from rcca_cli.errors import RccaError

HERE: dict[str, Any] = {"config": False}  # where and how patiently, not what is asked


@dataclass(frozen=True)
class Asking:
    """The model, and what it may cost: `turns` replies a vote, at most `votes` votes an item (two, if they agree).

    `attempts` and `seconds` are those of one request. `tools`: it calls tools by the server's own interface, else it
    writes them as JSON. `vision`: it is given pictures when it asks for one.
    """

    model: str
    votes: int = 1
    turns: int = 24
    tools: bool = True
    vision: bool = False
    max_tokens: int = 2048
    temperature: float = 0.0
    base_url: str | None = field(default=None, metadata=HERE)
    cache: str | None = field(default=None, metadata=HERE)
    attempts: int = field(default=5, metadata=HERE)
    seconds: float = field(default=120.0, metadata=HERE)

    def __str__(self) -> str:
        """What of it changes a verdict: the judge's own options hold it by this (seeds.config_digest)."""
        return seeds.config_digest(self)


def asking(model: str | None, base_url: str | None, **others: Any) -> Asking | None:
    """The judge model that a command line names, with its other options; None if it names none.

    RccaError if there is a server and no model.
    """
    if model:
        return Asking(model, base_url=base_url, **others)
    if base_url:
        raise RccaError("--base-url: which of its models? (--model NAME)")
    return None
