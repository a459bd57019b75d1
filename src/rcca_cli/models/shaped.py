"""Models with the shape of a known one and random weights, to measure speed and memory without a download."""

import torch

from rcca_cli.models.load import Policy, _quiet


def qwen3(width: int, layers: int, vocabulary: int, heads: tuple[int, int] | None = None, seed: int = 0) -> Policy:
    """A Qwen3 of that width (a multiple of 64), heads of 64, tied embeddings.

    `heads` are those of queries and of keys; else as many as the width has room for, and half of these.

    Its tokenizer knows as many words as tests and rivals need of one; the ids beyond have no text.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    queries, keys = heads or (width // 64, max(1, width // 128))
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=queries,
        num_key_value_heads=keys,
        head_dim=64,
        max_position_embeddings=1 << 16,
        tie_word_embeddings=True,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=0,
    )
    words = Tokenizer(models.WordLevel({"<pad>": 0, "<end>": 1, "w": 2}, unk_token="w"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    with _quiet():
        torch.manual_seed(seed)
        model = Qwen3ForCausalLM(config).eval()
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<end>")
    return Policy(model, tokenizer, f"qwen3 {layers}x{width}x{vocabulary}")
