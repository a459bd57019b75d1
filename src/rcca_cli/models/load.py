"""A causal language model and its tokenizer, from the package, a folder or the hub."""

import contextlib
import json
import logging
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import torch

from rcca_cli.errors import RccaError
from rcca_cli.models import lora, thought
from rcca_cli.models.literal import Literal
from rcca_cli.models.offsets import Decoded, Pieces

EMBEDDED = Path(__file__).parent / "embedded"
PROMPT_END = 16  # tokens, in which a template may open the reasoning
SMALL = 50_000_000  # parameters; below, threads only get in each other's way


@dataclass
class Policy:
    """A model that writes answers: what samples them, and what `train` updates in place."""

    model: Any
    tokenizer: Any
    name: str  # as the user wrote it, for rollout.model
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @cached_property
    def digest(self) -> str:
        """Of the tokenizer: two policies with the same digest read and write the same ids."""
        return digest(self.tokenizer)

    @cached_property
    def context(self) -> int | None:
        """The most tokens, prompt and answer together, that the model was built for; None if it does not say."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)

    @cached_property
    def end_ids(self) -> frozenset[int]:
        """The tokens that end an answer."""
        told = [self.tokenizer.eos_token_id, getattr(self.model.generation_config, "eos_token_id", None)]
        found: set[int] = set()
        for ids in told:
            found.update(ids if isinstance(ids, list) else [] if ids is None else [ids])
        return frozenset(found)

    @cached_property
    def pieces(self) -> Pieces:
        """The bytes of each token."""
        return Pieces(self.tokenizer)

    def decode(self, ids: Sequence[int]) -> Decoded:
        """Text and offsets of sampled `ids`."""
        return self.pieces.decode(ids)

    def thought_end(self, prompt_ids: Sequence[int], ids: Sequence[int], decoded: Decoded) -> int:
        """Where the reasoning ends in the text of sampled `ids`, its tags included; 0 if there is none."""
        names = [self.tokenizer.convert_ids_to_tokens(one) if one in self.pieces.special else None for one in ids]
        prompt = self.tokenizer.decode(prompt_ids[-PROMPT_END:], skip_special_tokens=False)
        return thought.end_in_text(names, decoded.offsets, decoded.text, prompt)

    def prompt_ids(self, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        """The tokens of a conversation, up to where the answer begins.

        The tokenizer's own chat template, or, if it has none, "role\\ncontent\\n" a message and "assistant\\n".
        RccaError if the template will not have such a conversation, or makes nothing of it.
        """
        if self.tokenizer.chat_template:
            with refused(f"the chat template of {self.name}"):
                text = self.tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
                ids = self.tokenizer.encode(text, add_special_tokens=False)
                if not ids:
                    raise ValueError("makes no token of it")
                return ids
        text = "".join(f"{message['role']}\n{message['content']}\n" for message in messages)
        return self.tokenizer.encode(text + "assistant\n")


def digest(tokenizer: Any) -> str:
    """Of all that a tokenizer does."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    text = backend.to_str() if backend is not None else repr(sorted(tokenizer.get_vocab().items()))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def load(name: str, device: str = "cpu", apart: bool = False) -> Policy:
    """The policy called `name`: "embedded", a folder that transformers can read, or a name on the hub.

    RccaError if it cannot be had, with what to do. The weights are in float32 on a CPU, elsewhere as stored;
    device "auto" is the graphics card if there is one. A folder of adapters is loaded with its model; they are
    merged into its weights, or, with `apart`, stay beside them to be trained.
    """
    place = _place(name)
    base = _base(place)
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    with _quiet():
        from transformers import AutoModelForCausalLM, AutoTokenizer

        dtype = torch.float32 if device == "cpu" else "auto"
        with refused(f"cannot load model {name!r}"):
            tokenizer = AutoTokenizer.from_pretrained(place)
            loaded: Any = AutoModelForCausalLM.from_pretrained(base, dtype=dtype, output_loading_info=True)
            model, told = loaded
            if lacking := sorted(told["missing_keys"]):
                more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
                raise ValueError(f"its files lack the weight {lacking[0]}{more}")
            if base != place:
                lora.attach(model, place)
    network: Any = model.eval()
    if base != place and not apart:
        lora.merge(network)
    with refused(f"cannot use device {device!r}"):
        if torch.device(device).type == "meta":
            raise ValueError("it holds no numbers")
        network.to(device)
    policy = Policy(network, tokenizer, name, torch.device(device))
    _few_threads(policy)
    return policy


def load_tokenizer(name: str) -> Literal:
    """Only what splits texts as the model called `name` does; a folder needs no weights. RccaError as of `load`."""
    place = _place(name, "tokenizer_config.json")
    with _quiet():
        from transformers import AutoTokenizer

        with refused(f"cannot load the tokenizer of {name!r}"):
            tokenizer = AutoTokenizer.from_pretrained(place)
            return Literal(tokenizer, digest(tokenizer))


def _few_threads(policy: Policy) -> None:
    """One thread for a small model on a CPU, so that a busy machine does not make it crawl.

    Threads that share small products wait for each other by spinning: with a browser beside them on two cores
    an update was seen to take eight times as long with two threads as with one. It is done here, and not where
    the model is used, so that sampling and training see the same last digits in one process and in several.
    """
    small = sum(weight.numel() for weight in policy.model.parameters()) < SMALL
    if small and policy.device.type == "cpu":
        torch.set_num_threads(1)


def _place(name: str, needed: str = "config.json") -> str:
    """Where a model is; `needed` is the file that a folder must have."""
    if name == "embedded":
        if not (EMBEDDED / "config.json").exists():
            raise RccaError("the embedded policy is missing from this installation (run `just policy`)")
        return str(EMBEDDED)
    path = Path(name)
    if path.is_dir() and not any((path / file).exists() for file in (needed, lora.ADAPTERS)):
        raise RccaError(f"{name}: no {needed} there, so not a model folder")
    if not path.exists() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise RccaError(f"{name}: no such folder")
    return name


def _base(place: str) -> str:
    """Where the weights are: there too, or, if it holds adapters, with the model that they belong to."""
    adapters = Path(place) / lora.ADAPTERS
    return _place(json.loads(adapters.read_text())["base_model_name_or_path"]) if adapters.exists() else place


@contextlib.contextmanager
def refused(what: str) -> Iterator[None]:
    """RccaError, `what` and the reason in one line, for whatever a library raises inside."""
    try:
        yield
    except RccaError:
        raise
    except Exception as error:  # noqa: BLE001 - files that are torn or not theirs make libraries raise anything
        raise RccaError(f"{what}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """The first sentence of what a library says at length, with the hub's usual cause in plain words."""
    words = " ".join(str(error).split())
    if any(sign in words for sign in ("couldn't connect", "offline", "Connection", "resolve")):
        return "not a folder here, and the hub cannot be reached (give a folder, or go online once)"
    return words.split(". ")[0][:300] or type(error).__name__


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars, advice or warnings from the libraries while a model loads."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers.utils import logging as chatter

    level = chatter.get_verbosity()
    hub = logging.getLogger("huggingface_hub")
    hub_level = hub.level
    chatter.set_verbosity_error()
    chatter.disable_progress_bar()
    hub.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        chatter.set_verbosity(level)
        hub.setLevel(hub_level)
