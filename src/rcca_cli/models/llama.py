"""A lean decoder for models of Llama's kind on a CPU: the weights and arithmetic of transformers, less around them.

At batch 32 and two million parameters most of a step of `generate` is bookkeeping. Here a step is a handful of matrix
products over a cache that is written in place. What multiplies the same input lies side by side, a norm's weights are
part of the matrix behind it, and the dimensions that a rotary position turns together are neighbours.
Axes: B rows, T positions, N heads that hold keys, Q queries a key head, H width of a head, D width of the model.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional as F

KINDS = frozenset(["LlamaForCausalLM", "MistralForCausalLM", "Qwen2ForCausalLM", "Qwen3ForCausalLM"])
ROPES = frozenset(["default", "linear", "llama3", "yarn"])  # those whose angles do not change with the length
LARGEST = 400_000_000  # weights of all MLPs' first half; beyond, copies take too much memory for what they save
HEAD = 100_000_000  # weights of a head that is copied too
ROOM = 256  # tokens that the cache grows by, at least
TOGETHER = 4096  # tokens of prompts that are read at once


def fits(model: Any) -> bool:
    """Is this a Llama, Mistral, Qwen2 or Qwen3 in float32 on a CPU that attends to all positions?"""
    config = model.config
    rope = getattr(config, "rope_parameters", None) or {}
    weight = next(model.parameters())
    return (
        type(model).__name__ in KINDS
        and not getattr(model, "peft_config", None)  # adapters that are not merged
        and weight.device.type == "cpu"
        and weight.dtype == torch.float32
        and config.hidden_act == "silu"
        and rope.get("rope_type", "default") in ROPES
        and rope.get("partial_rotary_factor", 1.0) == 1.0
        and not _slides(config)
        and 2 * sum(layer.mlp.gate_proj.weight.numel() for layer in model.model.layers) <= LARGEST
    )


def _slides(config: Any) -> bool:
    types = getattr(config, "layer_types", None)
    if types is not None:
        return set(types) != {"full_attention"}
    return getattr(config, "sliding_window", None) is not None


@dataclass(frozen=True)
class Prefix:
    """A prompt that was read: keys and values of each layer (T, 2N, H), and logits (vocabulary,) after it."""

    states: list[torch.Tensor]
    logits_V: torch.Tensor

    @property
    def length(self) -> int:
        """Tokens of the prompt."""
        return len(self.states[0])


class Layer:
    """The weights of one block."""

    def __init__(self, block: Any, width: int, order_H: torch.Tensor, scale: float) -> None:
        attention, mlp = block.self_attn, block.mlp
        turned = [_reordered(part, width, order_H) for part in (attention.q_proj, attention.k_proj)]
        weights, biases = zip(*turned, (attention.v_proj.weight, attention.v_proj.bias), strict=True)
        self.qkv = (torch.cat(weights) * block.input_layernorm.weight * scale).T.contiguous()
        self.qkv_bias = None if biases[0] is None else torch.cat(biases)
        self.out, self.out_bias = attention.o_proj.weight.T.contiguous(), attention.o_proj.bias
        together = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight])
        self.gate_up = (together * block.post_attention_layernorm.weight * scale).T.contiguous()
        self.gate_up_bias = None if mlp.gate_proj.bias is None else torch.cat([mlp.gate_proj.bias, mlp.up_proj.bias])
        self.down, self.down_bias = mlp.down_proj.weight.T.contiguous(), mlp.down_proj.bias
        self.head_norms: torch.Tensor | None = None  # Qwen3's, of each query and key head (heads, H)
        if getattr(attention, "q_norm", None) is not None:
            norms = [attention.q_norm] * (len(weights[0]) // width) + [attention.k_norm] * (len(weights[1]) // width)
            self.head_norms = torch.stack([norm.weight[order_H] for norm in norms]) * width**0.5
        self.cache_BTXH = torch.empty(0)  # X: the key heads, then the value heads


def _reordered(projection: Any, width: int, order_H: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """A projection whose heads have their dimensions in another order: queries and keys agree on any."""
    weight_XHD = projection.weight.view(-1, width, projection.weight.shape[-1])
    bias = projection.bias
    return weight_XHD[:, order_H].flatten(0, 1), None if bias is None else bias.view(-1, width)[:, order_H].flatten()


class Decoder:
    """Rows of different lengths, each written from the left; what a row has not reached yet is masked."""

    def __init__(self, model: Any, rows: int) -> None:
        config = model.config
        self.width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        self.key_heads = config.num_key_value_heads
        self.queries = config.num_attention_heads // self.key_heads
        self.turned = config.num_attention_heads + self.key_heads
        # transformers turns dimension i together with i + H/2.
        order_H = torch.arange(self.width).view(2, -1).T.flatten()
        # Norms below divide by the length of a vector, not by the root of its mean square: hence this factor.
        scale = config.hidden_size**0.5
        self.layers = [Layer(block, self.width, order_H, scale) for block in model.model.layers]
        self.embedding = model.model.embed_tokens.weight
        head = model.lm_head.weight.T
        self.head, self.head_bias = head.contiguous() if head.numel() <= HEAD else head, model.lm_head.bias
        self.norm_D = model.model.norm.weight * scale
        self.epsilon_root = torch.tensor((config.rms_norm_eps * config.hidden_size) ** 0.5)
        self.head_epsilon_root = torch.tensor((config.rms_norm_eps * self.width) ** 0.5)
        rotary = model.model.rotary_emb
        self.frequencies, self.attention_scaling = rotary.inv_freq.float(), float(rotary.attention_scaling)
        self.turns_TH = torch.empty(0)  # the rotation of each position, as complex numbers (T, H/2)
        self.lengths_B = torch.zeros(0, dtype=torch.long)
        self.mask_BT = torch.empty(rows, 0)  # 0 where a row may look, -inf elsewhere; the cache too has all the rows

    def read(self, prompts: Sequence[Sequence[int]]) -> list[Prefix]:
        """Read prompts, each once for all the answers to it."""
        return [prefix for batch in _batches(prompts) for prefix in self._read(batch)]

    def _read(self, prompts: Sequence[Sequence[int]]) -> list[Prefix]:
        """Prompts one behind the other, without padding; each attends to itself alone."""
        sizes = [len(prompt) for prompt in prompts]
        self._turn(max(sizes))
        turns_T1H = torch.cat([self.turns_TH[:size] for size in sizes])[:, None]
        hidden_TD = self.embedding[torch.tensor([token for prompt in prompts for token in prompt])]
        states: list[list[torch.Tensor]] = [[] for _ in prompts]
        for layer in self.layers:
            each = self._projected(layer, hidden_TD, turns_T1H).split(sizes)
            for heads_TXH, kept in zip(each, states, strict=True):
                kept.append(heads_TXH[:, self.turned - self.key_heads :].clone())
            mixed_TD = torch.cat([self._attended(heads_TXH) for heads_TXH in each])
            hidden_TD = self._through(layer, hidden_TD, mixed_TD)
        logits_GV = self._logits(hidden_TD[torch.tensor(sizes).cumsum(0) - 1])
        return [Prefix(*one) for one in zip(states, logits_GV, strict=True)]

    def _attended(self, heads_TXH: torch.Tensor) -> torch.Tensor:
        """Values mixed by causal attention in one prompt. (T, heads · H)"""
        parts = heads_TXH.split([self.turned - self.key_heads, self.key_heads, self.key_heads], 1)
        query_XTH, key_NTH, value_NTH = (part.transpose(0, 1)[None] for part in parts)
        mixed = F.scaled_dot_product_attention(query_XTH, key_NTH, value_NTH, is_causal=True, enable_gqa=True)
        return mixed[0].transpose(0, 1).flatten(1)

    def join(self, prefix: Prefix) -> None:
        """One more row, which goes on behind a prompt."""
        row = len(self.lengths_B)
        self.lengths_B = F.pad(self.lengths_B, (0, 1), value=prefix.length)
        self._make_room(prefix.length)
        for layer, state_TXH in zip(self.layers, prefix.states, strict=True):
            layer.cache_BTXH[row, : prefix.length] = state_TXH
        self.mask_BT[row, : prefix.length] = 0

    def write(self, tokens_B: torch.Tensor) -> torch.Tensor:
        """Append one token to each row; logits (rows, vocabulary) of the next."""
        rows = len(tokens_B)
        longest = int(self.lengths_B.max())
        self._make_room(longest + 1)
        rows_B = torch.arange(rows)
        self.mask_BT[rows_B, self.lengths_B] = 0
        mask_B11T = self.mask_BT[:rows, None, None, : longest + 1]
        turns_B1H = self.turns_TH[self.lengths_B, None]
        hidden_BD = self.embedding[tokens_B]
        for layer in self.layers:
            heads_BXH = self._projected(layer, hidden_BD, turns_B1H)
            layer.cache_BTXH[rows_B, self.lengths_B] = heads_BXH[:, self.turned - self.key_heads :]
            seen_BXTH = layer.cache_BTXH[:rows, : longest + 1].transpose(1, 2)
            query_BNQH = heads_BXH[:, : self.turned - self.key_heads].view(rows, self.key_heads, -1, self.width)
            keys_BNTH, values_BNTH = seen_BXTH[:, : self.key_heads], seen_BXTH[:, self.key_heads :]
            mixed_BNQH = F.scaled_dot_product_attention(query_BNQH, keys_BNTH, values_BNTH, attn_mask=mask_B11T)
            hidden_BD = self._through(layer, hidden_BD, mixed_BNQH.reshape(rows, -1))
        self.lengths_B = self.lengths_B + 1
        return self._logits(hidden_BD)

    def keep(self, rows: torch.Tensor) -> None:
        """Go on with these rows only."""
        longest = int(self.lengths_B.max())
        for layer in self.layers:
            kept = layer.cache_BTXH[rows, :longest]
            layer.cache_BTXH[: len(rows), :longest] = kept
        mask_BT = self.mask_BT[rows]
        self.mask_BT.fill_(-torch.inf)
        self.mask_BT[: len(rows)] = mask_BT
        self.lengths_B = self.lengths_B[rows]

    def _make_room(self, length: int) -> None:
        """A cache up to this length; it grows by an eighth, so that copies of it stay rare."""
        rows, size = self.mask_BT.shape
        if length <= size:
            return
        grown = max(length, size * 9 // 8) + ROOM
        self._turn(grown)
        self.mask_BT = F.pad(self.mask_BT, (0, grown - size), value=-torch.inf)
        for layer in self.layers:
            old = layer.cache_BTXH.view(rows, size, 2 * self.key_heads, self.width)
            layer.cache_BTXH = F.pad(old, (0, 0, 0, 0, 0, grown - size))

    def _turn(self, length: int) -> None:
        """Rotations of so many positions."""
        if length > len(self.turns_TH):
            angles_TH = torch.arange(length)[:, None] * self.frequencies
            self.turns_TH = torch.polar(torch.full_like(angles_TH, self.attention_scaling), angles_TH)

    def _projected(self, layer: Layer, hidden_XD: torch.Tensor, turns_X1H: torch.Tensor) -> torch.Tensor:
        """Queries, keys and values of each row X: (X, heads, width), the first two turned to their positions."""
        all_XH = _times(self._normed(hidden_XD), layer.qkv, layer.qkv_bias)
        heads_XYH = all_XH.view(len(hidden_XD), self.turned + self.key_heads, self.width)
        turned_XYH = heads_XYH[:, : self.turned]
        if layer.head_norms is not None:
            sizes_XY1 = torch.hypot(torch.linalg.vector_norm(turned_XYH, dim=-1, keepdim=True), self.head_epsilon_root)
            turned_XYH.div_(sizes_XY1).mul_(layer.head_norms)
        torch.view_as_complex(turned_XYH.unflatten(-1, (-1, 2))).mul_(turns_X1H)
        return heads_XYH

    def _through(self, layer: Layer, hidden_XD: torch.Tensor, mixed_XD: torch.Tensor) -> torch.Tensor:
        """The rest of a block, after attention has mixed the values."""
        hidden_XD = _onto(hidden_XD, mixed_XD, layer.out, layer.out_bias)
        gate, up = _times(self._normed(hidden_XD), layer.gate_up, layer.gate_up_bias).chunk(2, dim=-1)
        return _onto(hidden_XD, F.silu(gate) * up, layer.down, layer.down_bias)

    def _normed(self, hidden_XD: torch.Tensor) -> torch.Tensor:
        """x / sqrt(|x|² + D·ε); with the factor √D in the matrix behind it, that is x over its root mean square."""
        return hidden_XD / torch.hypot(torch.linalg.vector_norm(hidden_XD, dim=-1, keepdim=True), self.epsilon_root)

    def _logits(self, hidden_XD: torch.Tensor) -> torch.Tensor:
        return _times(self._normed(hidden_XD) * self.norm_D, self.head, self.head_bias)


def _batches(prompts: Sequence[Sequence[int]]) -> Iterator[list[Sequence[int]]]:
    """Prompts in their order, so many at a time as make TOGETHER tokens."""
    batch: list[Sequence[int]] = []
    for prompt in prompts:
        if batch and sum(map(len, batch)) + len(prompt) > TOGETHER:
            yield batch
            batch = []
        batch.append(prompt)
    if batch:
        yield batch


def _times(rows: torch.Tensor, matrix: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    return rows @ matrix if bias is None else torch.addmm(bias, rows, matrix)


def _onto(rows: torch.Tensor, added: torch.Tensor, matrix: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    total = torch.addmm(rows, added, matrix)
    return total if bias is None else total + bias
