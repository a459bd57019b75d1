"""The way to decode that works for every causal model: transformers' own forward pass with its own cache."""

import inspect
from collections.abc import Sequence
from typing import Any

import torch


class CachedModel:
    """Prompts are padded on the left, so that every row writes at the same place."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.device = next(model.parameters()).device
        self.cache: Any = None
        # transformers 5.24 renamed the argument and warns about the old name.
        self.name = "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"
        self.mask_BT = torch.empty(0)
        self.positions_B = torch.empty(0)

    def read(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], room: int) -> torch.Tensor:
        """Logits (rows, vocabulary) of each answer's first token."""
        longest = max(len(prompt) for prompt in prompts)
        ids_GT = torch.zeros((len(prompts), longest), dtype=torch.long)
        mask_GT = torch.zeros_like(ids_GT)
        for row, prompt in enumerate(prompts):
            ids_GT[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask_GT[row, longest - len(prompt) :] = 1
        positions_GT = (mask_GT.cumsum(-1) - 1).clamp(min=0)
        output = self.model(
            input_ids=ids_GT.to(self.device),
            attention_mask=mask_GT.to(self.device),
            position_ids=positions_GT.to(self.device),
            use_cache=True,
            logits_to_keep=1,
        )
        owner = torch.repeat_interleave(torch.arange(len(prompts)), torch.tensor(copies))
        self.cache = output[self.name]
        self.mask_BT = mask_GT.to(self.device)
        self.positions_B = positions_GT[:, -1].to(self.device)
        self.keep(owner.to(self.device))
        return output.logits[owner.to(self.device), -1]

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits of the next."""
        self.mask_BT = torch.nn.functional.pad(self.mask_BT, (0, 1), value=1)
        self.positions_B = self.positions_B + 1
        output = self.model(
            input_ids=tokens_B[:, None],
            attention_mask=self.mask_BT,
            position_ids=self.positions_B[:, None],
            use_cache=True,
            **{self.name: self.cache},
        )
        return output.logits[:, -1]

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only; a row may be named several times, to copy it."""
        self.cache.batch_select_indices(rows)
        self.mask_BT = self.mask_BT[rows]
        self.positions_B = self.positions_B[rows]
