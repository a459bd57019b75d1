"""What a call of `rollout` is asked to do."""

from dataclasses import dataclass, field
from typing import Any

from rcca_cli.errors import RccaError
from rcca_cli.records import TEMPERATURES

HERE = {"config": False}  # where it runs, not what comes out


@dataclass(frozen=True)
class Options:
    """`window` tasks are taken in together, `batch` answers written at once; both change the last bits of logprobs."""

    group_size: int = 1
    model: str = "embedded"
    backend: str = "transformers"
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    max_new_tokens: int = 8192
    seed: int = 0
    window: int = 16
    batch: int = 32
    stop_at_document: bool = False
    answers: str | None = None
    columns: tuple[str, ...] = ()  # OURS=THEIRS: what columns of the answers' file are called
    tokenizer: str | None = None  # for an openai server that tells ids and not, or wrongly, their bytes
    base_urls: tuple[str, ...] = field(default=(), metadata=HERE)
    device: str = field(default="auto", metadata=HERE)
    jobs: int = field(default=8, metadata=HERE)
    cache: str | None = field(default=None, metadata=HERE)  # a folder: answers of a server are kept, and not asked for
    stamp: bool = field(default=False, metadata=HERE)  # how long each answer of a server took
    timeout: float = field(default=600.0, metadata=HERE)  # seconds of one attempt at a served answer

    def __post_init__(self) -> None:
        coldest, hottest = TEMPERATURES
        if not (self.temperature == 0 or coldest <= self.temperature <= hottest):
            raise RccaError(f"--temperature: from {coldest:g} to {hottest:g}, or 0 (always the likeliest token)")
        if not 0 <= self.top_p <= 1:
            raise RccaError("--top-p: from 0 to 1 (no truncation)")

    def sampling(self) -> dict[str, Any]:
        """The parameters as they stand in `rollout.sampling`, all of them always."""
        return {
            "temperature": float(self.temperature),
            "top_p": float(self.top_p),
            "top_k": self.top_k,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "max_new_tokens": self.max_new_tokens,
            "stop": "document" if self.stop_at_document else None,
        }

    def logprobs_basis(self) -> str:
        """What the log probabilities of our own sampler are of: the scaled logits, or (greedy) the raw ones."""
        return "temperature" if self.temperature > 0 else "raw"
