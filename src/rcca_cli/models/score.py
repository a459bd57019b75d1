"""Log probabilities of given tokens: what a policy says, now, about an answer that was sampled before."""

from collections.abc import Sequence

import torch

from rcca_cli.models.load import Policy


def logprobs(policy: Policy, prompt_ids: Sequence[int], tokens: Sequence[int], temperature: float = 1.0) -> list[float]:
    """Log softmax(logits / temperature) of each token after the prompt and the tokens before it."""
    ids_1T = torch.tensor([[*prompt_ids, *tokens]], device=policy.device)
    with torch.inference_mode():
        logits_TV = policy.model(input_ids=ids_1T[:, :-1]).logits[0, len(prompt_ids) - 1 :].float()
    logprobs_TV = (logits_TV / (temperature or 1.0)).log_softmax(-1)
    return logprobs_TV.gather(-1, ids_1T[0, len(prompt_ids) :, None]).squeeze(-1).tolist()
