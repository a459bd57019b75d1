"""Sums of gradients in a file, so that a long estimate that was cut off goes on where it was."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rcca_cli import jsonl
from rcca_cli.bench.credit.sums import Sums


def write(path: Path, sums: Sequence[Sums]) -> None:
    """The file, whole or as it was before, also if the machine stops in the middle."""
    partial = jsonl.partial_path(str(path))
    with open(partial, "wb") as stream:
        np.savez(
            stream,
            count=[one.count for one in sums],
            total=[one.total for one in sums],
            squares=[one.squares for one in sums],
            cosines=[one.cosines for one in sums],
        )
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(partial, path)


def read(path: Path) -> list[Sums]:
    """What was written; nothing where there is no file."""
    if not path.exists():
        return []
    with np.load(path) as found:
        rows = zip(found["count"], found["total"], found["squares"], found["cosines"], strict=True)
        return [Sums(int(count), total, float(squares), cosines.tolist()) for count, total, squares, cosines in rows]
