"""A policy small enough to be made in a test, and records it could have written."""

import random
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from rcca_cli.jsonl import Line
from rcca_cli.models import Policy
from rcca_cli.models.save import save

VOCABULARY = 40

# Threads that wait for each other cost more than these small products, above all on a busy machine.
torch.set_num_threads(1)


def tiny_model(seed: int = 0, vocabulary: int = VOCABULARY) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=128,
        tie_word_embeddings=True,
        initializer_range=0.3,  # so that log-probabilities differ visibly
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=0,
    )
    return LlamaForCausalLM(config).eval()


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    words = ["<pad>", "<end>", *(f"w{number}" for number in range(VOCABULARY - 2))]
    inner = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<pad>"))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.decoder = decoders.WordPiece()
    return PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<end>")


def tiny_policy(seed: int = 0) -> Policy:
    return Policy(tiny_model(seed), tiny_tokenizer(), "tiny")


def saved_policy(folder: Path, seed: int = 0) -> str:
    """The folder of a tiny policy, loadable by name."""
    save(tiny_policy(seed), folder)
    return str(folder)


def logprobs(model, prompt, tokens, temperature=1.0):
    """log softmax(logits / temperature) of the tokens, worked out one row at a time by the model's own forward."""
    with torch.no_grad():
        logits = model(torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1]
    return (logits / temperature).log_softmax(-1)[range(len(tokens)), tokens].tolist()


def record(group, index, advantages, *, prompt=(2, 3), tokens=None, old=None, model="tiny", **changes):
    """One aligned record; `changes` go into the part that has the key."""
    count = len(advantages) if advantages is not None else 3
    tokens = list(tokens or range(4, 4 + count))
    parts = {
        "task": {"prompt": [{"role": "user", "content": "w0 w1"}], "rubric": []},
        "rollout": {
            "text": "",
            "prompt_ids": list(prompt),
            "tokens": tokens,
            "offsets": [[0, 0] for _ in tokens],
            "logprobs": old if old is not None else [],
            "logprobs_basis": None if old is None else "temperature",
            "finish_reason": "stop",
            "model": model,
            "sampling": {"temperature": 1.0},
        },
        "judge": {"level": "functional", "reward": 0.5, "artifact": None, "gates": [], "verdicts": []},
        "align": {
            "advantage": None if advantages is None else sum(advantages) / count,
            "advantages": advantages,
            "weights": None if advantages is None else [1.0] * count,
            "spans": [],
            "unmatched": 0,
            "mode": "uniform",
        },
    }
    for key, value in changes.items():
        part = next(part for part in parts.values() if key in part)
        part[key] = value
    return {"schema": "rcca/1", "id": f"{group}/{index}", "group": group, **parts}


def line(value):
    return Line(value, "aligned.jsonl", 1)


def lines(records):
    return [Line(value, "aligned.jsonl", number) for number, value in enumerate(records, 1)]


def random_records(groups=4, size=4, seed=0, model=None, name="tiny", uneven=True):
    """Groups of rollouts with credit of both signs; old log-probabilities of `model`, if given."""
    rng = random.Random(seed)
    found = []
    for group in range(groups):
        prompt = [rng.randrange(2, VOCABULARY) for _ in range(rng.randint(2, 5))]
        for index in range(size):
            tokens = [rng.randrange(2, VOCABULARY) for _ in range(rng.randint(3, 12) if uneven else 8)]
            advantages = [rng.gauss(0, 1) for _ in tokens]
            old = None if model is None else logprobs(model, prompt, tokens)
            found.append(
                record(f"g{seed}-{group}", index, advantages, prompt=prompt, tokens=tokens, old=old, model=name)
            )
    return found
