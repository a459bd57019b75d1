"""Sums of gradients in a file, so that a long estimate that was cut off goes on where it was."""

import os
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from rcca_cli import jsonl
from rcca_cli.bench.credit.sums import Sums
from rcca_cli.errors import RccaError


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
    """What was written; nothing where there is no file. RccaError for one that is torn."""
    if not path.exists():
        return []
    try:
        with open(path, "rb") as stream, np.load(stream) as found:  # np.load leaves one open that is no archive
            rows = zip(found["count"], found["total"], found["squares"], found["cosines"], strict=True)
            return [Sums(int(count), total, float(square), cosines.tolist()) for count, total, square, cosines in rows]
    except OSError as error:
        raise RccaError(f"{path}: {error.strerror or 'torn'} (remove it, and its sums are made anew)") from None
    except (ValueError, EOFError, KeyError, TypeError, IndexError, BadZipFile):
        raise RccaError(f"{path}: torn (remove it, and its sums are made anew)") from None
