"""A checkpoint: a model folder that `rcca rollout --model` loads, and what training needs to go on from it.

It is whole or absent. A new one is written beside the old one under another name, its manifest last, and takes
the old one's place by renaming; a crash between the two renames leaves `NAME.old`, which `recover` brings back.
There is no random state to keep: what is random is derived from names (seed, step, epoch).
"""

import os
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson
import safetensors
import safetensors.torch
import torch
from torch import Tensor

from rcca_cli import jsonl
from rcca_cli.errors import RccaError
from rcca_cli.models.save import save as save_model

MANIFEST = "rcca.json"
OPTIMIZER = "optimizer.safetensors"
METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class State:
    """Where a call of `train` is, apart from the weights and the optimizer."""

    step: int = 0
    first_step: int = 0  # the step before this call's first
    config: str = ""  # digest of its options
    source: str = ""  # what it began from: --from or the model's name
    reference: str | None = None  # the model of the KL term
    groups: int = 0  # of the input, used so far
    input: str = ""  # digest of those groups' records
    finished: bool = False  # the input was used up
    options: dict[str, Any] = field(default_factory=dict)  # for people who read the file


def save(directory: str, trainer: Any, state: State, metrics: list[dict[str, Any]]) -> None:
    """Write all of it to `directory`, in place of an older checkpoint; afterwards the new one is there, whole.

    RccaError if it cannot be written; then the older one stays.
    """
    target, fresh, old = paths(directory)
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        write(fresh, trainer, state, metrics)
    except (OSError, safetensors.SafetensorError) as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise RccaError(f"{directory}: the checkpoint cannot be written: {error}") from None
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)


def write(fresh: Path, trainer: Any, state: State, metrics: list[dict[str, Any]]) -> None:
    """All of a checkpoint's files to the folder `fresh`, and on the disk."""
    fresh.mkdir(parents=True)
    save_model(trainer.policy, fresh)
    safetensors.torch.save_file(optimizer_tensors(trainer), fresh / OPTIMIZER)
    (fresh / METRICS).write_bytes(b"".join(jsonl.encode(record) for record in metrics))
    for path in fresh.iterdir():
        sync(path)
    write_state(fresh, state)
    sync(fresh)


def write_state(folder: str | Path, state: State) -> None:
    """Put the manifest there, whole or not at all."""
    fresh = Path(folder) / (MANIFEST + ".tmp")
    fresh.write_bytes(orjson.dumps(asdict(state), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    sync(fresh)
    fresh.rename(Path(folder) / MANIFEST)


def exists(directory: str) -> bool:
    """Whether a checkpoint of ours is there."""
    return (Path(directory) / MANIFEST).exists()


def paths(directory: str) -> tuple[Path, Path, Path]:
    """The checkpoint's folder, the one it is written to, and where the one before it waits."""
    target = Path(os.path.abspath(directory))
    return target, target.with_name(target.name + ".tmp"), target.with_name(target.name + ".old")


def sync(path: Path) -> None:
    """On the disk, not only in the page cache: a rename must never be durable before what it names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_replaceable(directory: str, start: str | None = None) -> None:
    """RccaError if `directory` holds something that would be lost: anything but the checkpoint that is gone on from."""
    target = Path(directory)
    if exists(directory):
        if start is None or target.resolve() != Path(start).resolve():
            raise RccaError(
                f"{directory}: holds a checkpoint (--from {directory} goes on from it with new data, --resume finishes "
                "an interrupted call, another --out keeps it)"
            )
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RccaError(f"{directory}: is there and not a checkpoint (choose another folder for --out)")


def recover(directory: str) -> None:
    """Bring back the checkpoint that a crash in the middle of `save` has left under another name."""
    target, _fresh, old = paths(directory)
    if not target.exists() and (old / MANIFEST).exists():
        old.rename(target)


def copy(directory: str, step: int) -> None:
    """A second name for each file of the checkpoint, in `DIRECTORY-step0007`; they are never written again in place."""
    target = Path(f"{os.path.abspath(directory)}-step{step:04d}")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(directory, target, copy_function=os.link)


def load_state(directory: str) -> State:
    """What the manifest says. RccaError if there is none: the folder is no checkpoint, or a model only."""
    recover(directory)
    if not exists(directory):
        raise RccaError(f"{directory}: no checkpoint there ({MANIFEST} is missing; for a model alone use --model)")
    return State(**orjson.loads((Path(directory) / MANIFEST).read_bytes()))


def load_metrics(directory: str) -> list[dict[str, Any]]:
    """The metrics records of every step that led to this checkpoint."""
    path = Path(directory) / METRICS
    return [jsonl.decode(line, str(path)) for line in path.read_bytes().splitlines()]


def optimizer_tensors(trainer: Any) -> dict[str, Tensor]:
    """The optimizer's state under the names of the weights it belongs to: `NAME:exp_avg`."""
    found = {}
    for name, weight in trainer.parameters.items():
        for key, value in trainer.optimizer.state.get(weight, {}).items():
            found[f"{name}:{key}"] = torch.as_tensor(value).detach().cpu().contiguous()
    return found


def load_optimizer(directory: str, trainer: Any) -> None:
    """Give the trainer's optimizer the state that `directory` holds."""
    for key, value in safetensors.torch.load_file(Path(directory) / OPTIMIZER).items():
        name, _, part = key.rpartition(":")
        weight = trainer.parameters.get(name)
        if weight is None:
            raise RccaError(f"{directory}: {OPTIMIZER} has {name}, the model has not")
        trainer.optimizer.state[weight][part] = value if part == "step" else value.to(weight.device)
