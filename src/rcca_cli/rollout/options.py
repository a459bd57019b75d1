"""What a call of `rollout` is asked to do."""

from dataclasses import dataclass, field
from typing import Any

HERE = {"config": False}  # where it runs, not what comes out


@dataclass(frozen=True)
class Options:
    """`window` tasks are sampled together; how many changes the last bits of the log probabilities."""

    group_size: int = 1
    model: str = "embedded"
    backend: str = "transformers"
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    max_new_tokens: int = 8192
    seed: int = 0
    window: int = 4
    answers: str | None = None
    columns: tuple[str, ...] = ()  # OURS=THEIRS: what columns of the answers' file are called
    base_url: str | None = field(default=None, metadata=HERE)
    device: str = field(default="auto", metadata=HERE)
    jobs: int = field(default=8, metadata=HERE)

    def sampling(self) -> dict[str, Any]:
        """The parameters as they stand in `rollout.sampling`, all of them always."""
        return {
            "temperature": float(self.temperature),
            "top_p": float(self.top_p),
            "top_k": self.top_k,
            "max_new_tokens": self.max_new_tokens,
        }

    def logprobs_basis(self) -> str:
        """What the log probabilities of our own sampler are of: the scaled logits, or (greedy) the raw ones."""
        return "temperature" if self.temperature > 0 else "raw"
