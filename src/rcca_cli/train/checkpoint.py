"""A checkpoint: a model folder that `rcca rollout --model` loads, and what training needs to go on from it.

It is whole or absent (`folders`). It is the same whatever the number of processes: weights and optimizer are written
whole, under the names of the weights. There is no random state to keep: what is random is derived from names (seed,
step, epoch).
"""

import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
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
from rcca_cli.train import folders
from rcca_cli.train.distributed import like
from rcca_cli.train.folders import MANIFEST, PREVIOUS

OPTIMIZER = "optimizer.safetensors"
METRICS = "metrics.jsonl"


@dataclass(frozen=True)
class State:
    """Where a call of `train` is, apart from the weights and the optimizer. The manifest is its JSON."""

    step: int = 0
    first_step: int = 0  # the step before this call's first
    config: str = ""  # digest of its options
    source: str = ""  # what it began from: --from or the model's name
    reference: str | None = None  # the model of the KL term
    groups: int = 0  # of the input, used so far
    input: str = ""  # digest of those groups' records
    first: str = ""  # digest of the first step's records
    finished: bool = False  # the input was used up
    options: dict[str, Any] = field(default_factory=dict)  # those that the bytes depend on, as resolved
    files: dict[str, list[int]] = field(default_factory=dict)  # name: bytes, CRC-32


@dataclass(frozen=True)
class Contents:
    """What is written beside the state."""

    policy: Any
    weights: dict[str, Tensor] | None  # None: those of the policy's model
    optimizer: dict[str, Tensor]
    metrics: list[dict[str, Any]]


def save(directory: str, trainer: Any, state: State, metrics: list[dict[str, Any]], keep: bool = False) -> None:
    """Write all of it to `directory`; afterwards the new one is there, whole, and the one before is its `previous`.

    With `keep` it gets a second name, `DIRECTORY-step0007`, that no later one replaces. RccaError if it cannot be
    written; then the older one stays. The first process writes, all of them have to call it.
    """
    world = trainer.world
    weights = world.gathered(trainer.parameters.items()) if world.size > 1 else None
    optimizer = world.gathered(optimizer_tensors(trainer))
    world.first(lambda: put(directory, Contents(trainer.policy, weights, optimizer, metrics), state, keep))


def put(directory: str, contents: Contents, state: State, keep: bool) -> None:
    """What `save` does once everything is in one process."""
    target, fresh, _old = folders.paths(directory)
    try:
        write(folders.begin(directory), contents, state)
        if keep:
            folders.link(fresh, target.with_name(f"{target.name}-step{state.step:04d}"))
        folders.place(directory)
    except (OSError, safetensors.SafetensorError) as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise RccaError(f"{directory}: the checkpoint cannot be written: {error}") from None


def write(folder: Path, contents: Contents, state: State) -> None:
    """All of a checkpoint's files to the empty `folder`, and on the disk; the manifest last."""
    save_model(contents.policy, folder, contents.weights)
    safetensors.torch.save_file(contents.optimizer, folder / OPTIMIZER)
    (folder / METRICS).write_bytes(b"".join(jsonl.encode(record) for record in contents.metrics))
    write_state(folder, replace(state, files=folders.measured(folder)))


def write_state(folder: Path, state: State) -> None:
    """Put the manifest there."""
    folders.write_manifest(folder, orjson.dumps(asdict(state), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def finish(directory: str) -> None:
    """Note in the manifest that the input was used up."""
    write_state(Path(directory), replace(read_state(directory), finished=True))


def check_replaceable(directory: str, start: str | None = None) -> None:
    """RccaError if `directory` holds something that would be lost: anything but the checkpoint that is gone on from."""
    folders.settle(directory)
    target = Path(directory)
    if folders.exists(directory):
        if start is None or folders.paths(directory) != folders.paths(start):
            raise RccaError(
                f"{directory}: holds a checkpoint (--from {directory} goes on from it with new data, --resume finishes "
                "an interrupted call, another --out keeps it)"
            )
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RccaError(f"{directory}: is there and not a checkpoint (choose another folder for --out)")


def read_state(directory: str | Path) -> State:
    """What the manifest says. RccaError if it says more than we know."""
    told = orjson.loads((Path(directory) / MANIFEST).read_bytes())
    try:
        return State(**told)
    except TypeError:
        cure = f"--model {directory} takes its weights alone"
        raise RccaError(f"{directory}: {MANIFEST} is of another version of rcca ({cure})") from None


def load_state(directory: str) -> State:
    """What the manifest says. RccaError if there is none (no checkpoint, or a model alone), or a file is torn."""
    folders.settle(directory)
    if not folders.exists(directory):
        raise RccaError(f"{directory}: no checkpoint there ({MANIFEST} is missing; for a model alone use --model)")
    if wrong := folders.damage(directory):
        before = f"{directory}/{PREVIOUS}"
        whole = folders.damage(before) is None
        raise RccaError(f"{directory}: torn: {wrong} ({f'--from {before} is whole' if whole else 'there is no other'})")
    return read_state(directory)


def load_metrics(directory: str) -> list[dict[str, Any]]:
    """The metrics records of every step that led to this checkpoint."""
    path = Path(directory) / METRICS
    return [jsonl.decode(line, str(path)) for line in path.read_bytes().splitlines()]


def optimizer_tensors(trainer: Any) -> Iterator[tuple[str, Tensor]]:
    """The optimizer's state under the names of the weights it belongs to: `NAME:exp_avg`."""
    for name, weight in trainer.parameters.items():
        for key, value in trainer.optimizer.state.get(weight, {}).items():
            yield f"{name}:{key}", torch.as_tensor(value)


def load_optimizer(directory: str, trainer: Any) -> None:
    """Give the trainer's optimizer the state that `directory` holds."""
    for key, value in safetensors.torch.load_file(Path(directory) / OPTIMIZER).items():
        name, _, part = key.rpartition(":")
        weight = trainer.parameters.get(name)
        if weight is None:
            raise RccaError(f"{directory}: {OPTIMIZER} has {name}, the model has not")
        trainer.optimizer.state[weight][part] = value if part == "step" else like(value, weight)
