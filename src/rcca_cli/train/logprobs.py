"""A model and what it says of sampled tokens: the decoder on every position, the head on the scored ones."""

from typing import Any

import torch
from torch import Tensor

from rcca_cli.train import head
from rcca_cli.train.head import CHUNK, Objective
from rcca_cli.train.pack import Micro


class Scorer:
    """How one model's log-probabilities, and losses of them, are computed. It holds no state but the model."""

    def __init__(self, model: Any, bf16: bool = False, chunk: int = CHUNK) -> None:
        self.model = model
        self.bf16 = bf16  # the decoder's products; the head is never in less than float32
        self.chunk = chunk
        self.plain = has_plain_head(model)
        self.packs = can_pack(model)

    def logprobs(self, micro: Micro) -> Tensor:
        """log softmax(logits / temperature) of the scored tokens, without gradient: (N,)."""
        places = (micro.labels_N, micro.temperatures_N)
        with torch.no_grad():
            if not self.plain:
                return select(self.logits(micro), *places)
            return head.logprobs(self.hidden(micro), self.model.get_output_embeddings(), *places, self.chunk)

    def loss(self, micro: Micro, objective: Objective) -> tuple[Tensor, Tensor]:
        """The objective of the scored tokens, differentiable, and their log-probabilities (N,), which are not."""
        return self.loss_of(self.seen(micro), micro, objective)

    def seen(self, micro: Micro) -> Tensor:
        """One forward, differentiable, for any number of `loss_of`: hidden states (N, H), or log-probabilities (N,)."""
        return self.hidden(micro) if self.plain else select(self.logits(micro), micro.labels_N, micro.temperatures_N)

    def loss_of(self, seen_N: Tensor, micro: Micro, objective: Objective) -> tuple[Tensor, Tensor]:
        """What `loss` gives, of what was `seen` of the same rows."""
        if not self.plain:
            if objective.needs_rows:
                objective = objective.seeing(seen_N.detach())
            return objective(seen_N, slice(0, len(seen_N))), seen_N.detach()
        places, layer = (micro.labels_N, micro.temperatures_N), self.model.get_output_embeddings()
        if objective.needs_rows:
            objective = objective.seeing(head.logprobs(seen_N, layer, *places, self.chunk))
        return head.loss(seen_N, layer, *places, objective, self.chunk)

    def hidden(self, micro: Micro) -> Tensor:
        """The decoder's last hidden states at the scored positions: (N, H)."""
        with torch.autocast(micro.ids_T.device.type, torch.bfloat16, enabled=self.bf16):
            return decoded(self.model, micro.ids_T, micro.positions_T)[micro.places_N]

    def logits(self, micro: Micro) -> Tensor:
        """For a model that caps or scales its logits (Gemma 2, Cohere), by its own forward, all at once: (N, V)."""
        given = {} if micro.positions_T is None else {"position_ids": micro.positions_T[None]}
        with torch.autocast(micro.ids_T.device.type, torch.bfloat16, enabled=self.bf16):
            found = self.model(input_ids=micro.ids_T[None], use_cache=False, logits_to_keep=micro.places_N, **given)
        return found.logits[0]


def decoded(model: Any, ids_T: Tensor, positions_T: Tensor | None) -> Tensor:
    """Hidden states (T, H) of one sequence. Without positions there is no mask either: attention is plain causal."""
    given = {} if positions_T is None else {"position_ids": positions_T[None]}
    return model.get_decoder()(input_ids=ids_T[None], use_cache=False, **given).last_hidden_state[0]


def has_plain_head(model: Any) -> bool:
    """Whether the model's logits are its head applied to the decoder's last hidden state; tried on two tokens."""
    ids_T = torch.tensor([0, 1], device=model.device)
    with torch.no_grad():
        ours_TV = model.get_output_embeddings()(decoded(model, ids_T, None))
        return torch.allclose(ours_TV, model(input_ids=ids_T[None], use_cache=False).logits[0], rtol=1e-3, atol=1e-4)


def can_pack(model: Any) -> bool:
    """Whether rows one after the other, told apart by their positions, are read as each alone; tried on four tokens."""
    ids_T = torch.tensor([0, 1, 1, 0], device=model.device)
    positions_T = torch.tensor([0, 1, 0, 1], device=model.device)
    with torch.no_grad():
        alone_TH = torch.cat([decoded(model, part, None) for part in ids_T.split(2)])
        return torch.allclose(decoded(model, ids_T, positions_T), alone_TH, rtol=1e-3, atol=1e-4)


def select(logits_NV: Tensor, labels_N: Tensor, temperatures_N: Tensor) -> Tensor:
    """log softmax(logits / temperature) at the labels, in float32 at least."""
    scaled_NV = logits_NV.to(head.precise(logits_NV)) / temperatures_N[:, None]
    return scaled_NV.gather(1, labels_N[:, None]).squeeze(1) - scaled_NV.logsumexp(1)
