"""What our sampler is timed against: `generate` of transformers, and models of a known shape to time both on."""

from collections.abc import Iterator, Sequence

import torch

from rcca_cli.models import shaped
from rcca_cli.models.load import Policy, _few_threads, _quiet

VOCABULARY = 151_936  # Qwen3's


def generated(policy: Policy, prompts: Sequence[Sequence[int]], batch: int, tokens: int) -> Iterator[list[int]]:
    """The likeliest answer to each prompt, so many at a time, as its user would have it: padded on the left."""
    ends = sorted(policy.end_ids) or None
    for first in range(0, len(prompts), batch):
        chosen = prompts[first : first + batch]
        longest = max(map(len, chosen))
        ids_BT = torch.zeros((len(chosen), longest), dtype=torch.long)
        mask_BT = torch.zeros_like(ids_BT)
        for row, prompt in enumerate(chosen):
            ids_BT[row, longest - len(prompt) :] = torch.tensor(prompt)
            mask_BT[row, longest - len(prompt) :] = 1
        with _quiet(), torch.inference_mode():
            written_BT = policy.model.generate(
                input_ids=ids_BT,
                attention_mask=mask_BT,
                do_sample=False,
                max_new_tokens=tokens,
                eos_token_id=ends,
                pad_token_id=0,
            )
        for row in written_BT[:, longest:].tolist():
            end = next((place + 1 for place, token in enumerate(row) if token in policy.end_ids), len(row))
            yield row[:end]


def random_qwen3(width: int) -> Policy:
    """A Qwen3 of this width with four layers and random weights, which ends no answer."""
    policy = endless(shaped.qwen3(width, 4, VOCABULARY, heads=(8, 2)))
    _few_threads(policy)
    return policy


def endless(policy: Policy) -> Policy:
    """The policy, but no token ends an answer: all are as long as they may be."""
    other = Policy(policy.model, _NoEnd(), policy.name, policy.device)
    other.__dict__["end_ids"] = frozenset()
    return other


class _NoEnd:
    eos_token_id = None
