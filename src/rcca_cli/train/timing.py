"""One measured update in a process of its own: `python -m rcca_cli.train.timing CASE SIDE`, one line of JSON out.

SIDE is `ours`, or `trl:1` for TRL with one row at a time. Measured: processor seconds and seconds by the clock of
forward and backward, without the optimizer, and the most memory above what was held before, gradients included
in the latter. TRL's side checks, before its timed turns, that ours has the same loss and gradient.
"""

import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import torch

from rcca_cli.train import rival
from rcca_cli.train.batch import Row
from rcca_cli.train.loop import Trainer
from rcca_cli.train.loss import LOSSES, Sizes
from rcca_cli.train.metrics import Tally
from rcca_cli.train.options import Options

PROMPT = 64
SKEWED = (512, 320, 224, 176, 144, 112, 80, 48)  # tokens of each answer; the longest is 2.5 times the mean
SPANS = ((0.05, 0.13), (0.2, 0.28), (0.35, 0.43))  # of an answer: where the credit lies in case sparse, 24 %


@dataclass(frozen=True)
class Case:
    """Answers of these lengths, and a Qwen3-shaped model of random weights."""

    lengths: tuple[int, ...]
    spans: tuple[tuple[float, float], ...] = ((0.0, 1.0),)
    prompt: int = PROMPT
    width: int = 256
    layers: int = 6
    vocabulary: int = 49_152
    checkpointing: bool = False


CASES = {
    "equal": Case((192,) * 8),
    "skewed": Case(SKEWED),
    "sparse": Case(SKEWED, SPANS),
    "growth 8": Case(SKEWED),
    "growth 64": Case(SKEWED * 8),
    "vocabulary 152k": Case(SKEWED, layers=4, vocabulary=151_936),
    "long 8k": Case((8192,), prompt=2048, checkpointing=True),
    "long 16k": Case((16384,), prompt=2048, checkpointing=True),
}


def rows(case: Case) -> list[Row]:
    """The case's rows: random tokens, credit of both signs on its spans and exactly 0 elsewhere."""
    rng = random.Random(0)
    found = []
    prompt = [rng.randrange(2, case.vocabulary) for _ in range(case.prompt)]
    for index, length in enumerate(case.lengths):
        tokens = [rng.randrange(2, case.vocabulary) for _ in range(length)]
        advantages = [0.0] * length
        for start, end in case.spans:
            for place in range(round(start * length), round(end * length)):
                advantages[place] = rng.uniform(0.5, 1.5) * (-1) ** index
        found.append(Row(f"g/{index}", prompt, tokens, 0.0, advantages, None, 1.0, False, length, range(length)))
    return found


def main(name: str, side: str, turns: int) -> dict[str, Any]:
    """The figures of one side of one case."""
    from rcca_cli.models import shaped

    case = CASES[name]
    policy = shaped.qwen3(case.width, case.layers, case.vocabulary)
    given = rows(case)
    with tempfile.TemporaryDirectory(prefix="rcca-") as folder:
        run = ours(policy, given, case)
        figures: dict[str, Any] = {"case": name, "side": side, "tokens": sum(row.length + 1 for row in given)}
        if side != "ours":
            expected = rival.trainer(policy, len(given), folder, loss_type="dapo", epsilon=0.2, epsilon_high=0.28)
            batch, micro = rival.inputs(given), int(side.partition(":")[2])
            check = run

            def run() -> float:
                return rival.update(expected, batch, micro)

        for weight in policy.model.parameters():  # gradients are held before, and no part of the peak
            weight.grad = torch.zeros_like(weight)
        figures["peak_mb"], loss = peak(run)
        if side != "ours":
            figures |= difference(policy.model, loss, check)
        spent = [timed(run, policy.model) for _ in range(turns)]
    wall, cpu = zip(*spent, strict=True) if spent else ((), ())
    return figures | {"wall": list(wall), "cpu": list(cpu), "median_cpu": median(cpu) if cpu else None}


def ours(policy: Any, given: list[Row], case: Case) -> Callable[[], float]:
    """Forward and backward of our update, as `Trainer.update` makes them."""
    trainer = Trainer(policy, Options(checkpointing=case.checkpointing))
    lengths = [row.counted for row in given]
    scale = LOSSES["dapo"].scale(0, Sizes.of(lengths, lengths))
    needed = [replace(row, scale=scale) for row in trainer.needed(given)]
    return lambda: trainer.accumulate([row for row in needed if row.scored], Tally())


def difference(model: Any, loss: float, ours: Callable[[], float]) -> dict[str, float]:
    """How far our loss is from theirs, and our gradient from the model's, which is theirs, relative to it."""
    theirs = rival.gradients(model)
    model.zero_grad(set_to_none=False)
    gap = abs(ours() - loss), float((rival.gradients(model) - theirs).norm() / theirs.norm())
    assert gap[0] < 1e-6, f"losses differ by {gap[0]}"
    assert gap[1] < 1e-5, f"gradients differ by {gap[1]}"
    return {"loss_difference": gap[0], "gradient_difference": gap[1]}


def timed(run: Callable[[], float], model: Any) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    model.zero_grad(set_to_none=False)
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def peak(run: Callable[[], float]) -> tuple[float, float]:
    """The most memory held during a call, above what was held before, in MB (Linux), and the call's loss."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    loss = run()
    return (status("VmHWM") - before) / 1024, loss


def status(key: str) -> int:
    """A line of the kernel's account of this process, in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(key)).split()[1])


if __name__ == "__main__":
    torch.set_num_threads(1)  # processor seconds: threads that wait for each other would count
    sys.stdout.write(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]))) + "\n")
