"""A lean decoder for small Llama models: the same weights and arithmetic as transformers, less around them.

At batch 32 and two million parameters most of a step of `generate` is bookkeeping. Here a step is a
handful of matrix products over a cache of fixed size. It reads the model's weights and owns none.
Axes: B rows, T positions, N heads that hold keys, Q queries a key head, H width of a head, D width of the model.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as F

LARGEST = 50_000_000  # parameters; beyond, the products take the time, and the copies of weights too much memory


def fits(model: Any) -> bool:
    """Is this a small plain Llama (no biases, plain rotary positions) on a CPU? Elsewhere transformers is as fast."""
    config = model.config
    rope = getattr(config, "rope_parameters", None) or {}
    return (
        type(model).__name__ == "LlamaForCausalLM"
        and not getattr(model, "peft_config", None)  # adapters that are not merged
        and next(model.parameters()).device.type == "cpu"
        and sum(weight.numel() for weight in model.parameters()) <= LARGEST
        and not (config.attention_bias or config.mlp_bias)
        and config.hidden_act == "silu"
        and rope.get("rope_type", "default") == "default"
    )


class Layer:
    """The weights of one block, with those that meet the same input side by side."""

    def __init__(self, block: Any) -> None:
        attention, mlp = block.self_attn, block.mlp
        self.qkv = torch.cat([attention.q_proj.weight, attention.k_proj.weight, attention.v_proj.weight]).T
        self.out = attention.o_proj.weight.T
        self.gate_up = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]).T
        self.down = mlp.down_proj.weight.T
        self.norm_before_attention = block.input_layernorm.weight
        self.norm_before_mlp = block.post_attention_layernorm.weight
        self.keys_BNTH = torch.empty(0)
        self.values_BNTH = torch.empty(0)


class Decoder:
    """Prompts are padded on the left, so that every row writes at the same place of the cache."""

    def __init__(self, model: Any) -> None:
        config = model.config
        self.layers = [Layer(block) for block in model.model.layers]
        self.embedding = model.model.embed_tokens.weight
        self.norm = model.model.norm.weight
        self.head = model.lm_head.weight.T
        self.rotary = model.model.rotary_emb
        self.epsilon = config.rms_norm_eps
        self.key_heads = config.num_key_value_heads
        self.queries = config.num_attention_heads // self.key_heads
        self.width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.length = 0  # how much of the cache is written
        self.pad_B = torch.empty(0)  # how many places in front of each row are padding
        self.bias_BT = torch.empty(0)  # 0 where a row may look, -inf on its padding
        self.cosine_TH = self.sine_TH = torch.empty(0)

    def read(self, prompts: Sequence[Sequence[int]], copies: Sequence[int], room: int) -> torch.Tensor:
        """Logits (rows, vocabulary) of each answer's first token."""
        longest = max(len(prompt) for prompt in prompts)
        rows = sum(copies)
        self._prepare(rows, longest + room)
        logits_GV = []
        first = 0
        for prompt, count in zip(prompts, copies, strict=True):
            start = longest - len(prompt)
            logits_GV.append(
                self._read_one(prompt, slice(first, first + count), slice(start, longest)).expand(count, -1)
            )
            self.pad_B[first : first + count] = start
            first += count
        places_T = torch.arange(longest + room)
        self.bias_BT = torch.zeros(rows, longest + room).masked_fill(places_T < self.pad_B[:, None], -torch.inf)
        self.length = longest
        return torch.cat(logits_GV)

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits of the next."""
        rows = len(tokens_B)
        place = self.length
        self.length = end = place + 1
        positions_B = place - self.pad_B
        cosine_B1H, sine_B1H = self.cosine_TH[positions_B, None], self.sine_TH[positions_B, None]
        bias_B11T = self.bias_BT[:, None, None, :end]
        hidden_BD = self.embedding[tokens_B]
        for layer in self.layers:
            query, key, value = self._projected(layer, hidden_BD)
            query_BNQH = self._rotated(query, cosine_B1H, sine_B1H).view(rows, self.key_heads, self.queries, self.width)
            layer.keys_BNTH[:, :, place] = self._rotated(key, cosine_B1H, sine_B1H)
            layer.values_BNTH[:, :, place] = value
            scores_BNQT = query_BNQH @ layer.keys_BNTH[:, :, :end].transpose(-1, -2) * self.width**-0.5
            mixed_BNQH = (scores_BNQT + bias_B11T).softmax(-1) @ layer.values_BNTH[:, :, :end]
            hidden_BD = self._through(layer, hidden_BD, mixed_BNQH.reshape(rows, -1))
        return self._normed(hidden_BD, self.norm) @ self.head

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only."""
        for layer in self.layers:
            layer.keys_BNTH = layer.keys_BNTH[rows]
            layer.values_BNTH = layer.values_BNTH[rows]
        self.pad_B = self.pad_B[rows]
        self.bias_BT = self.bias_BT[rows]

    def _prepare(self, rows: int, size: int) -> None:
        for layer in self.layers:
            layer.keys_BNTH = torch.zeros(rows, self.key_heads, size, self.width)
            layer.values_BNTH = torch.zeros(rows, self.key_heads, size, self.width)
        cosine_1TH, sine_1TH = self.rotary(self.embedding, torch.arange(size)[None])
        self.cosine_TH, self.sine_TH = cosine_1TH[0], sine_1TH[0]
        self.pad_B = torch.zeros(rows, dtype=torch.long)

    def _read_one(self, prompt: Sequence[int], rows: slice, places: slice) -> torch.Tensor:
        """Fill the cache of all rows of one group with its prompt; logits (1, vocabulary) after it."""
        length = len(prompt)
        cosine_T1H, sine_T1H = self.cosine_TH[:length, None], self.sine_TH[:length, None]
        hidden_TD = self.embedding[torch.tensor(prompt)]
        for layer in self.layers:
            query, key, value = self._projected(layer, hidden_TD)
            query_NQTH = self._rotated(query, cosine_T1H, sine_T1H).transpose(0, 1)
            key_NTH = self._rotated(key, cosine_T1H, sine_T1H).transpose(0, 1)
            value_NTH = value.transpose(0, 1)
            layer.keys_BNTH[rows, :, places] = key_NTH
            layer.values_BNTH[rows, :, places] = value_NTH
            mixed_NQTH = F.scaled_dot_product_attention(
                query_NQTH[None], key_NTH[None], value_NTH[None], is_causal=True, enable_gqa=True
            )[0]
            hidden_TD = self._through(layer, hidden_TD, mixed_NQTH.transpose(0, 1).reshape(length, -1))
        return self._normed(hidden_TD[-1:], self.norm) @ self.head

    def _projected(self, layer: Layer, hidden_XD: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Queries, keys and values of each row X: (X, heads, width)."""
        heads = self.key_heads * self.queries
        all_XH = self._normed(hidden_XD, layer.norm_before_attention) @ layer.qkv
        split = all_XH.view(len(hidden_XD), heads + 2 * self.key_heads, self.width)
        return split[:, :heads], split[:, heads : heads + self.key_heads], split[:, heads + self.key_heads :]

    def _through(self, layer: Layer, hidden_XD: torch.Tensor, mixed_XD: torch.Tensor) -> torch.Tensor:
        """The rest of a block, after attention has mixed the values."""
        hidden_XD = torch.addmm(hidden_XD, mixed_XD, layer.out)
        gate, up = (self._normed(hidden_XD, layer.norm_before_mlp) @ layer.gate_up).chunk(2, dim=-1)
        return torch.addmm(hidden_XD, F.silu(gate) * up, layer.down)

    def _normed(self, hidden_XD: torch.Tensor, weight_D: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(hidden_XD, weight_D.shape, weight_D, self.epsilon)

    def _rotated(self, heads_XNH: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
        first, second = heads_XNH.chunk(2, dim=-1)
        return heads_XNH * cosine + torch.cat([-second, first], dim=-1) * sine
