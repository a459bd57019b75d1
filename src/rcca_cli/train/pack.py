"""From rows to tensors: rows one after the other, without a token of padding."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from rcca_cli.train.batch import Row


@dataclass(frozen=True)
class Micro:
    """Rows that go through the model together, as one sequence of T positions, and its N scored tokens.

    `positions_T` begins at 0 in every row, which is how transformers knows that no row may look at another; it is
    None for a row alone, which needs no mask at all.
    """

    ids_T: Tensor
    positions_T: Tensor | None
    places_N: Tensor  # of ids_T: where the next token is a scored one
    labels_N: Tensor  # that token
    temperatures_N: Tensor
    rows_N: Tensor  # which of the rows it is of, from 0

    def to(self, device: torch.device | str) -> "Micro":
        """The same on another device."""
        return Micro(*(None if part is None else part.to(device) for part in vars(self).values()))  # type: ignore[arg-type]


def micro_batches(rows: Iterable[Row], budget: int) -> list[list[Row]]:
    """The rows in batches of at most `budget` positions; a longer row, or with budget 0 every row, stands alone.

    The longest come first: if memory does not suffice, that shows at once. Rows of equal length keep their order.
    """
    batches: list[list[Row]] = []
    room = 0
    for row in sorted(rows, key=lambda row: -row.length):
        if batches and row.length <= room:
            batches[-1].append(row)
            room -= row.length
        else:
            batches.append([row])
            room = budget - row.length
    return batches


def tensors(rows: Sequence[Row], device: torch.device | str = "cpu") -> Micro:
    """The rows as one sequence; the scored tokens row after row."""
    ids: list[int] = []
    positions: list[int] = []
    places: list[int] = []
    labels: list[int] = []
    for row in rows:
        first = len(ids) + len(row.prompt) - 1
        ids += row.prompt + row.tokens[:-1]
        positions += range(row.length)
        places += [first + index for index in row.scored]
        labels += [row.tokens[index] for index in row.scored]
    return Micro(
        torch.tensor(ids),
        torch.tensor(positions) if len(rows) > 1 else None,
        torch.tensor(places),
        torch.tensor(labels),
        per_token(rows, [row.temperature for row in rows]),
        per_token(rows, range(len(rows))).long(),
    ).to(device)


def per_token(rows: Sequence[Row], values: Sequence[float]) -> Tensor:
    """One value a row, repeated for each of its scored tokens: shape (N,)."""
    return torch.tensor(values, dtype=torch.float32).repeat_interleave(torch.tensor([len(row.scored) for row in rows]))


def flat(rows: Sequence[Row], key: str) -> Tensor:
    """A list of the rows with one number a token, at the scored tokens: (N,). NaN where a row has no such list."""
    numbers: list[float] = []
    for row in rows:
        values = getattr(row, key)
        numbers += [torch.nan] * len(row.scored) if values is None else [values[index] for index in row.scored]
    return torch.tensor(numbers, dtype=torch.float32)


def split(values_N: Tensor, rows: Sequence[Row]) -> list[list[float]]:
    """One list a row of the numbers of its scored tokens."""
    ends = [0]
    for row in rows:
        ends.append(ends[-1] + len(row.scored))
    numbers = values_N.tolist()
    return [numbers[start:end] for start, end in pairwise(ends)]
