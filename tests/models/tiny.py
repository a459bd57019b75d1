"""Tokenizers and models small enough to be made in a test; real ones, of every kind whose bytes we must know."""

from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from rcca_cli.models.load import Policy

NASTY = [
    "let n = 0; // naïve café, cafe\u0301, Ångström Å",
    "<p>👩‍👩‍👧‍👦 🇩🇪 日本語テキスト 한국어 \u1112\u1161\u11ab</p>\r\n\tx != y , z .",
    "  two  spaces\u00a0nbsp\u200b zero\u2028line \x10 … \ufeff ﬁ ① ½ 𝔘",
    "if (a < b && c > d) { return `${x}` }\n\n\n    }",
]
SPECIAL = ["<|pad|>", "<|end|>", "<|user|>", "<|assistant|>"]


def wrapped(raw: Tokenizer) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="<|pad|>",
        eos_token="<|end|>",
        additional_special_tokens=["<|user|>", "<|assistant|>"],
        clean_up_tokenization_spaces=False,
    )


def byte_level(vocabulary: int = 340, prefix_space: bool = False) -> PreTrainedTokenizerFast:
    """Like GPT-2's: most emoji and CJK characters take several tokens."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    raw.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    raw.train_from_iterator(NASTY, trainer)
    raw.add_tokens([AddedToken("<think>", normalized=False), AddedToken("→Ω", normalized=False)])
    return wrapped(raw)


def sentencepiece() -> PreTrainedTokenizerFast:
    """Like Llama 2's: "▁" for spaces, bytes for what the vocabulary lacks, a normaliser that leaves text alone."""
    pieces = [*SPECIAL, "<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *"abcdehinoprstuxyz<>/=;{}()é日"]
    merges = [("t", "h"), ("th", "e"), ("▁", "the")]
    words = [*pieces, *("".join(pair) for pair in merges)]
    raw = Tokenizer(
        models.BPE({word: i for i, word in enumerate(words)}, merges, byte_fallback=True, unk_token="<unk>")
    )
    raw.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    raw.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    raw.add_special_tokens([AddedToken(word, normalized=False) for word in SPECIAL])
    return wrapped(raw)


def metaspace() -> PreTrainedTokenizerFast:
    """Like T5's: "▁" before each word."""
    raw = Tokenizer(
        models.Unigram([("<unk>", 0.0), *((word, -1.0) for word in [*SPECIAL, "▁", *set("".join(NASTY))])], 0)
    )
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    raw.decoder = decoders.Metaspace()
    raw.add_special_tokens([AddedToken(word, normalized=False) for word in SPECIAL])
    return wrapped(raw)


def llama(vocabulary: int, key_heads: int = 1, **more: Any) -> LlamaForCausalLM:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=key_heads,
        max_position_embeddings=64,
        bos_token_id=None,
        eos_token_id=1,
        pad_token_id=0,
        **more,
    )
    return livelier(LlamaForCausalLM(config))


def gpt2(vocabulary: int) -> GPT2LMHeadModel:
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=vocabulary, n_positions=64, n_embd=32, n_layer=2, n_head=4, bos_token_id=1, eos_token_id=1
    )
    return livelier(GPT2LMHeadModel(config))


def livelier(model: Any) -> Any:
    """Fresh weights are so small that every token is equally likely; these have opinions."""
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.mul_(6)
    return model.eval()


def policy(model: Any = None, tokenizer: PreTrainedTokenizerFast | None = None) -> Policy:
    tokenizer = tokenizer or byte_level()
    return Policy(model or llama(len(tokenizer)), tokenizer, "tiny")


LEAN = frozenset(["qwen2", "qwen3", "mistral", "llama3"])
SIZES: dict[str, Any] = {
    "vocab_size": 100, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 64, "bos_token_id": None, "eos_token_id": 1,
    "pad_token_id": 0,
}  # fmt: skip
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "qwen2": ("Qwen2", {}),
    "qwen3": ("Qwen3", {}),
    "mistral": ("Mistral", {"sliding_window": None}),
    "llama3": (
        "Llama",
        {
            "attention_bias": True,
            "rope_parameters": {
                "rope_type": "llama3", "rope_theta": 1e4, "factor": 4.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 16,
            },
        },
    ),
    "a sliding window": ("Mistral", {"sliding_window": 6}),
    "windows and whole": (
        "Gemma3Text",
        {"sliding_window": 6, "layer_types": ["sliding_attention", "full_attention"], "query_pre_attn_scalar": 8},
    ),
    "convolutions": ("Lfm2", {"layer_types": ["conv", "full_attention"], "conv_L_cache": 3}),
    "positions by distance": ("Bloom", {"n_layer": 2, "n_head": 4}),
    "states alone": ("Mamba", {"state_size": 8, "intermediate_size": 64}),
}  # fmt: skip


def other(kind: str) -> Any:
    """A tiny model of another kind."""
    import transformers

    name, more = OTHERS[kind]
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(**(SIZES | more))
    model = getattr(transformers, f"{name.removesuffix('Text')}ForCausalLM")(config)
    return livelier(model)
