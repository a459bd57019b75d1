"""Make the embedded policy: a small Llama that writes the apps of `rcca_cli.synth`, mistakes included.

    python recipes/policy.py                                 remake src/rcca_cli/models/embedded
    python recipes/policy.py --omissions 0.08 --out DIR      the variant that seldom leaves code out

It learns from solutions in which each requirement holds only some of the time, so it has something to learn
by reinforcement. Work is counted in steps, never in seconds: same seed, threads and libraries, same weights.
"""

# ruff: noqa: TID253 - a script for those who make the policy, not a module of the package
import argparse
import copy
import itertools
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import policy_card
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from torch.nn import functional as F
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.utils import logging

from rcca_cli import console, seeds
from rcca_cli.synth import app

EMBEDDED = Path(__file__).parent.parent / "src/rcca_cli/models/embedded"
PAD, END, USER, ASSISTANT = "<|pad|>", "<|end|>", "<|user|>", "<|assistant|>"
TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'assistant' %}"
    f"{ASSISTANT}{{{{ message['content'] }}}}{END}"
    f"{{% else %}}{USER}{{{{ message['content'] }}}}{{% endif %}}{{% endfor %}}"
    f"{{% if add_generation_prompt %}}{ASSISTANT}{{% endif %}}"
)
# A token may be as long as a line but never crosses one, and digits stand alone: lines are what the apps
# share, and numbers are what the model must copy from the request.
PIECES = r"\d|[^\n\d]+\n?|\n"


@dataclass(frozen=True)
class Recipe:
    """Everything the weights depend on, the versions of the libraries apart."""

    seed: int = 0
    steps: int = 1200
    batch: int = 32
    omissions: float = 0.25  # share of the broken requirements whose code is left out
    breakage: float = 0.03  # share of answers that are not a working page at all
    vocabulary: int = 3072
    hidden: int = 160
    layers: int = 4
    heads: int = 5
    intermediate: int = 432
    context: int = 1024
    rate: float = 0.02  # of Muon, for the matrices
    rate_rest: float = 0.004  # of AdamW, for embeddings and norms
    warm_up: int = 50


Pair = tuple[str, str]  # a request and an answer


def pairs(recipe: Recipe, stream: str) -> Iterator[Pair]:
    """Requests with imperfect answers, without end. The streams "train" and "held-out" share no task seed."""
    seed = seeds.derive(recipe.seed, stream)
    for index in itertools.count():
        made = app.make(seed, index, styles=(0,))
        rng = seeds.generator(seed, "answer", index)
        text = made.imperfect(rng, recipe.omissions).text
        yield made.prompt, broken(text, rng) if rng.random() < recipe.breakage else text


def broken(text: str, rng: Random) -> str:
    """The answer as a page that does not work: a line lost, or the rest never written."""
    lines = text.splitlines(keepends=True)
    if rng.random() < 0.3:
        return "".join(lines[: rng.randrange(1, len(lines) - 4)])
    structure = [
        place for place, line in enumerate(lines) if "byId =" in line or line.strip() in ("}", "});", "</style>")
    ]
    lost = rng.choice(structure)
    return "".join(line for place, line in enumerate(lines) if place != lost)


def make_tokenizer(recipe: Recipe, texts: Sequence[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE whose tokens are up to a line long; any text can be written in it."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=recipe.vocabulary,
        max_token_length=48,
        special_tokens=[PAD, END, USER, ASSISTANT],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    raw.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[USER, ASSISTANT],
        chat_template=TEMPLATE,
        clean_up_tokenization_spaces=False,
        model_max_length=recipe.context,
    )


def make_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Fresh weights, drawn from the recipe's seed."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=recipe.hidden,
        intermediate_size=recipe.intermediate,
        num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads,
        num_key_value_heads=1,
        max_position_embeddings=recipe.context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(seeds.derive(recipe.seed, "weights") % 2**32)
    return LlamaForCausalLM(config)


@dataclass(frozen=True)
class Batch:
    """Requests and answers as ids, and which ids are of the answer. (rows, longest)"""

    ids_BT: torch.Tensor
    answer_BT: torch.Tensor


def batches(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> Iterator[Batch]:
    """Batches of answers of about one length, so that little of them is padding; in an order of no meaning."""
    source = pairs(recipe, "train")
    rng = seeds.generator(recipe.seed, "batches")
    while True:
        pool = [encoded(tokenizer, *next(source)) for _ in range(8 * recipe.batch)]
        pool.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        chunks = [pool[start : start + recipe.batch] for start in range(0, len(pool), recipe.batch)]
        rng.shuffle(chunks)
        yield from map(padded, chunks)


def encoded(tokenizer: PreTrainedTokenizerFast, prompt: str, answer: str) -> tuple[list[int], list[int]]:
    """The ids up to where the answer begins, and those of the answer."""
    raw = tokenizer.backend_tokenizer
    head = raw.encode(f"{USER}{prompt}{ASSISTANT}").ids
    return head, [*raw.encode(answer).ids, tokenizer.eos_token_id]


def padded(rows: Sequence[tuple[list[int], list[int]]]) -> Batch:
    """The rows on the left of a rectangle."""
    longest = max(len(head) + len(answer) for head, answer in rows)
    ids_BT = torch.zeros((len(rows), longest), dtype=torch.long)
    answer_BT = torch.zeros((len(rows), longest), dtype=torch.bool)
    for row, (head, answer) in enumerate(rows):
        ids_BT[row, : len(head) + len(answer)] = torch.tensor([*head, *answer])
        answer_BT[row, len(head) : len(head) + len(answer)] = True
    return Batch(ids_BT, answer_BT)


def loss_of(model: LlamaForCausalLM, batch: Batch) -> torch.Tensor:
    """Mean cross-entropy of the answers' tokens. Padding lies behind, where causal attention never looks."""
    hidden_BTD = model.model(input_ids=batch.ids_BT[:, :-1]).last_hidden_state
    wanted_BT = batch.answer_BT[:, 1:]
    logits_NV = hidden_BTD[wanted_BT] @ model.lm_head.weight.T
    return F.cross_entropy(logits_NV, batch.ids_BT[:, 1:][wanted_BT])


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal, in float32 (torch's own casts to bfloat16, which is slow on a CPU)."""

    def __init__(self, matrices: Sequence[torch.nn.Parameter], lr: float) -> None:
        super().__init__(matrices, {"lr": lr, "momentum": 0.95})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Move each matrix by its orthogonalised momentum."""
        for group in self.param_groups:
            for matrix in group["params"]:
                momentum = self.state[matrix].setdefault("momentum", torch.zeros_like(matrix))
                momentum.lerp_(matrix.grad, 1 - group["momentum"])
                update = orthogonal(matrix.grad.lerp(momentum, group["momentum"]))
                scale = max(1, matrix.shape[0] / matrix.shape[1]) ** 0.5
                matrix.add_(update, alpha=-group["lr"] * scale)


def orthogonal(matrix: torch.Tensor) -> torch.Tensor:
    """About U V^T of the matrix's singular value decomposition, by five Newton-Schulz iterations."""
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.T
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x if wide else x.T


def train(recipe: Recipe, tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM) -> float:
    """Train the model in place; the mean loss of the last hundred steps."""
    matrices = [weight for name, weight in model.named_parameters() if weight.ndim == 2 and "embed" not in name]
    rest = [weight for name, weight in model.named_parameters() if weight.ndim != 2 or "embed" in name]
    optimizers = [
        Muon(matrices, recipe.rate),
        torch.optim.AdamW(rest, recipe.rate_rest, betas=(0.9, 0.95), weight_decay=0.0),
    ]
    schedules = [torch.optim.lr_scheduler.LambdaLR(one, lambda step: height(recipe, step)) for one in optimizers]
    losses: list[float] = []
    started, tokens = time.perf_counter(), 0
    model.train()
    for step, batch in enumerate(itertools.islice(batches(recipe, tokenizer), recipe.steps), 1):
        loss = loss_of(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(rest, 1.0)
        for optimizer, schedule in zip(optimizers, schedules, strict=True):
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
        losses.append(loss.item())
        tokens += batch.ids_BT.numel()
        if step % 50 == 0:
            speed = tokens / (time.perf_counter() - started)
            console.note(f"step {step}  loss {statistics.mean(losses[-50:]):.4f}  {speed:.0f} tokens/s")
    model.eval()
    return statistics.mean(losses[-100:])


def height(recipe: Recipe, step: int) -> float:
    """The learning rate's share of its peak: a short rise, then a long straight way down."""
    return min(1.0, (step + 1) / recipe.warm_up) * max(0.0, 1 - step / recipe.steps)


def save(model: LlamaForCausalLM, tokenizer: PreTrainedTokenizerFast, out: Path) -> None:
    """Weights in float16 (they are read back in float32), tokenizer and configuration."""
    logging.disable_progress_bar()
    copy.deepcopy(model).half().save_pretrained(out)
    tokenizer.save_pretrained(out)


def parsed() -> argparse.Namespace:
    """The command line: every number of the recipe is an option."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, default=EMBEDDED)
    options.add_argument("--threads", type=int, default=1, help="two threads on two busy cores are slower than one")
    options.add_argument("--held-out", type=int, default=200, help="tasks to measure it on; 0: no model card")
    options.add_argument(
        "--measure-only", action="store_true", help="only measure what is in --out, and write its card"
    )
    for name, default in asdict(Recipe()).items():
        options.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    return options.parse_args()


def main() -> None:
    """Make the policy, measure it and write its card."""
    given = parsed()
    torch.set_num_threads(given.threads)
    recipe = Recipe(**{name: getattr(given, name) for name in asdict(Recipe())})
    if not given.measure_only:
        texts = [text for pair in itertools.islice(pairs(recipe, "train"), 6000) for text in pair]
        tokenizer = make_tokenizer(recipe, texts)
        model = make_model(recipe, tokenizer)
        started = time.process_time()
        loss = train(recipe, tokenizer, model)
        console.note(f"loss {loss:.4f}, {time.process_time() - started:.0f} seconds of one core")
        save(model, tokenizer, given.out)
    if given.held_out:
        measured = policy_card.measure(str(given.out), seeds.derive(recipe.seed, "held-out"), given.held_out)
        policy_card.write(given.out, measured, asdict(recipe), sum(p.numel() for p in load(given.out).parameters()))


def load(folder: Path) -> LlamaForCausalLM:
    """The weights as they were saved."""
    return LlamaForCausalLM.from_pretrained(folder)


if __name__ == "__main__":
    main()
