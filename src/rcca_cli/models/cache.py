"""The way to decode that works for every causal model: transformers' own forward pass with its own cache."""

import copy
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional as F

from rcca_cli.errors import RccaError

# Layers of a cache that are understood: keys and values (rows, heads, places, width), states without places, or both.
KNOWN = frozenset(
    [
        "DynamicLayer",
        "DynamicSlidingWindowLayer",
        "LinearAttentionLayer",
        "LinearAttentionAndFullAttentionLayer",
        "LinearAttentionAndSlidingWindowAttentionLayer",
        "DummyLayer",
    ]
)


@dataclass(frozen=True)
class Prefix:
    """A prompt that was read: the model's cache after it, its length in tokens, and logits (vocabulary,)."""

    cache: Any
    length: int
    logits_V: torch.Tensor


class CachedModel:
    """Rows end at the same place: a shorter one has padding in front, which is masked and has no position.

    A prompt is read alone and without padding, because a model with a recurrent state would read that too.
    """

    def __init__(self, model: Any, rows: int) -> None:
        self.model = model
        self.device = next(model.parameters()).device
        inner = model.get_base_model() if hasattr(model, "get_base_model") else model  # behind adapters of peft
        self.takes = frozenset(inspect.signature(inner.forward).parameters)
        # transformers 5.24 renamed the argument and warns about the old name.
        self.name = "cache" if "cache" in self.takes else "past_key_values"
        self.cache: Any = None
        self.mask_BT = torch.zeros((0, 0), dtype=torch.long, device=self.device)  # 0 on padding
        self.lengths_B = torch.zeros(0, dtype=torch.long, device=self.device)

    def read(self, prompts: Sequence[Sequence[int]]) -> list[Prefix]:
        """Read prompts, each once for all the answers to it. RccaError if the model's state is of an unknown kind."""
        return [self._read(prompt) for prompt in prompts]

    def _read(self, prompt: Sequence[int]) -> Prefix:
        ids_1T = torch.tensor([list(prompt)], device=self.device)
        output = self._forward(ids_1T, torch.ones_like(ids_1T), torch.arange(len(prompt), device=self.device)[None])
        cache = getattr(output, self.name, None)
        if not all(type(layer).__name__ in KNOWN for layer in getattr(cache, "layers", [None])):
            kind = type(self.model).__name__
            raise RccaError(f"{kind} keeps its state in a way that cannot be shared (serve it, and give --base-url)")
        return Prefix(cache, len(prompt), output.logits[0, -1])

    def join(self, prefix: Prefix) -> None:
        """One more row, which goes on behind a prompt."""
        width = self.mask_BT.shape[1]
        longest = max(width, prefix.length)
        if self.cache is None:
            self.cache = copy.deepcopy(prefix.cache)
        else:
            for own, other in zip(self.cache.layers, prefix.cache.layers, strict=True):
                _append(own, other, longest)
        new_1T = F.pad(self.mask_BT.new_ones(1, prefix.length), (longest - prefix.length, 0))
        self.mask_BT = torch.cat([F.pad(self.mask_BT, (longest - width, 0)), new_1T])
        self.lengths_B = F.pad(self.lengths_B, (0, 1), value=prefix.length)

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits of the next."""
        self.mask_BT = F.pad(self.mask_BT, (0, 1), value=1)
        # States without places have no padding to be masked; Mamba would multiply one token by a mask of many.
        mask_BT = self.mask_BT if any(map(_has_places, self.cache.layers)) else None
        output = self._forward(tokens_B[:, None], mask_BT, self.lengths_B[:, None], **{self.name: self.cache})
        self.lengths_B = self.lengths_B + 1
        return output.logits[:, -1]

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only, without the padding that all of them have."""
        if not len(rows):
            self.cache, self.mask_BT, self.lengths_B = None, self.mask_BT[:0, :0], self.lengths_B[:0]
            return
        self.lengths_B = self.lengths_B[rows]
        longest = int(self.lengths_B.max())
        self.mask_BT = self.mask_BT[rows, self.mask_BT.shape[1] - longest :]
        for layer in self.cache.layers:
            _keep(layer, rows, longest)

    def _forward(
        self, ids_BT: torch.Tensor, mask_BT: torch.Tensor | None, positions_BT: torch.Tensor, **cache: Any
    ) -> Any:
        more = {"position_ids": positions_BT, "logits_to_keep": 1}
        taken = {name: value for name, value in more.items() if name in self.takes}
        return self.model(input_ids=ids_BT, attention_mask=mask_BT, use_cache=True, **taken, **cache)


def _append(layer: Any, other: Any, length: int) -> None:
    """Behind the rows of a layer that of another one, all of them brought to this length."""
    if _has_places(layer):
        for name in ("keys", "values"):
            both = [_sized(layer, getattr(one, name), length) for one in (layer, other)]
            setattr(layer, name, torch.cat(both))
        _tell(layer, length)
    for table, others in zip(_tables(layer), _tables(other), strict=True):
        for index, state in table.items():
            added = others[index]
            table[index] = None if state is None or added is None else torch.cat([state, added])


def _keep(layer: Any, rows: torch.Tensor, length: int) -> None:
    """These rows of a layer, at this length."""
    if _has_places(layer):
        for name in ("keys", "values"):
            setattr(layer, name, _sized(layer, getattr(layer, name), length).index_select(0, rows))
        _tell(layer, length)
    for table in _tables(layer):
        for index, state in table.items():
            table[index] = None if state is None else state.index_select(0, rows)


def _sized(layer: Any, states_BNTH: torch.Tensor, length: int) -> torch.Tensor:
    """States of so many places, of which a window keeps the last: padded or cut in front."""
    kept = min(length, layer.sliding_window - 1) if layer.is_sliding else length
    return F.pad(states_BNTH, (0, 0, kept - states_BNTH.shape[-2], 0))


def _tell(layer: Any, length: int) -> None:
    """What a window counts for itself."""
    if layer.is_sliding:
        layer.cumulative_length = length


def _has_places(layer: Any) -> bool:
    keys = getattr(layer, "keys", None)
    return keys is not None and keys.ndim == 4


def _tables(layer: Any) -> list[dict[int, torch.Tensor | None]]:
    """The states without places, by their number."""
    return [getattr(layer, name) for name in ("conv_states", "recurrent_states") if hasattr(layer, name)]
