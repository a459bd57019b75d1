"""How fast the parts are, beside what people use instead: `rcca bench speed`."""

from collections.abc import Callable

from rcca_cli.bench.speed import align, rollout, stage, train
from rcca_cli.bench.speed.stage import Options
from rcca_cli.errors import RccaError

Write = Callable[[Options, str, str], None]
PARTS: dict[str, Write] = {
    "judge": stage.write,
    "align": align.write,
    "rollout": rollout.write,
    "train": train.write,
}


def part(name: str) -> Write:
    """Times the part of this name; RccaError with the names there are."""
    if name not in PARTS:
        raise RccaError(f"speed has no part {name!r} (there are: {', '.join(PARTS)})")
    return PARTS[name]
