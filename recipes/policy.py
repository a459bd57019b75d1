"""Make the embedded policy: a small Llama that writes the apps of `rcca_cli.synth`, mistakes included.

    python recipes/policy.py                                 remake src/rcca_cli/models/embedded
    python recipes/policy.py --omissions 0.08 --out DIR      the variant that seldom leaves code out
    python recipes/policy.py --own-tasks 1 --out DIR         one that has seen no task of `bench credit`'s other sets

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
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.utils import logging

import rcca_cli.train.stage as stage
from rcca_cli import console, records, seeds
from rcca_cli.bench.credit import tasks
from rcca_cli.jsonl import Line
from rcca_cli.models import Policy
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
    own_tasks: int = 0  # 1: only tasks of the set sft (rcca_cli/bench/credit/tasks.py)
    vocabulary: int = 3072
    hidden: int = 160
    layers: int = 4
    heads: int = 5
    intermediate: int = 432
    context: int = 1024
    rate: float = 0.02  # of Muon; AdamW, for embeddings and norms, has a fifth of it
    warm_up: int = 50
    micro_tokens: int = 512  # positions at once: no matter for the weights, up to the last digits


Pair = tuple[str, str]  # a request and an answer


def pairs(recipe: Recipe, stream: str) -> Iterator[Pair]:
    """Requests with imperfect answers, without end. The streams "train" and "held-out" share no task seed."""
    seed = seeds.derive(recipe.seed, stream)
    for index in itertools.count():
        made = app.make(seed, index, styles=(0,))
        if recipe.own_tasks and tasks.set_of(made) != "sft":
            continue
        rng = seeds.generator(seed, "answer", index)
        text = made.imperfect(rng, recipe.omissions).text
        yield made.prompt, broken(text, rng) if rng.random() < recipe.breakage else text


def taught(recipe: Recipe) -> dict[str, int | str | None]:
    """What `rcca bench credit` has to know of the tasks in "train" (rcca_cli/bench/credit/apart.py)."""
    name = "sft" if recipe.own_tasks else None
    return {"seed": recipe.seed, "tasks": recipe.steps * recipe.batch, "set": name}


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
        taught=taught(recipe),
    )
    torch.manual_seed(seeds.derive(recipe.seed, "weights") % 2**32)
    return LlamaForCausalLM(config)


def solutions(recipe: Recipe) -> Iterator[Line]:
    """All that is learned from, as records of answers known as text."""
    for index, (prompt, answer) in enumerate(itertools.islice(pairs(recipe, "train"), recipe.steps * recipe.batch)):
        name = f"train-{index:06}"
        task = {"prompt": [{"role": "user", "content": prompt}], "rubric": []}
        rollout = records.text_only(answer, "stop", "recipe")
        yield Line({"id": f"{name}/0", "group": name, "task": task, "rollout": rollout}, "train", index + 1)


def training(recipe: Recipe) -> stage.Options:
    """The recipe as options of `rcca train`: each answer is learned once."""
    return stage.Options(
        objective="sft",
        optimizer="muon",
        learning_rate=recipe.rate,
        warmup=recipe.warm_up,
        total_steps=recipe.steps,
        rows_per_step=recipe.batch,
        micro_tokens=recipe.micro_tokens,
        seed=recipe.seed,
        device="cpu",
    )


def train(recipe: Recipe, policy: Policy) -> list[float]:
    """Train the policy in place, by the code of `rcca train --objective sft`; the loss of each step."""
    losses: list[float] = []
    session = stage.open_session(training(recipe), policy.name, policy)
    for step in stage.run(solutions(recipe), session.options, session):
        losses.append(step["loss"])
        if step["step"] % 50 == 0:
            console.note(f"step {step['step']}  loss {statistics.mean(losses[-50:]):.4f}")
    policy.model.eval()
    return losses


def save(policy: Policy, out: Path) -> None:
    """Weights in float16 (they are read back in float32), tokenizer and configuration."""
    logging.disable_progress_bar()
    copy.deepcopy(policy.model).half().save_pretrained(out)
    policy.tokenizer.save_pretrained(out)


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
        policy = Policy(make_model(recipe, tokenizer), tokenizer, str(given.out))
        started = time.process_time()
        losses = train(recipe, policy)
        spent = time.process_time() - started
        console.note(f"loss {statistics.mean(losses[-100:]):.4f}, {spent:.0f} seconds of one core")
        save(policy, given.out)
    if given.held_out:
        measured = policy_card.measure(str(given.out), seeds.derive(recipe.seed, "held-out"), given.held_out)
        policy_card.write(given.out, measured, asdict(recipe), sum(p.numel() for p in load(given.out).parameters()))


def load(folder: Path) -> LlamaForCausalLM:
    """The weights as they were saved."""
    return LlamaForCausalLM.from_pretrained(folder)


if __name__ == "__main__":
    main()
