"""A policy without its weights, for those who only read and write its tokens: loaded in a moment, whatever its size."""

from dataclasses import dataclass
from typing import Any

from rcca_cli.models.load import Policy, _base, _place, _quiet, refused


@dataclass(frozen=True)
class Weightless:
    """What a model says of itself before it has any weights."""

    config: Any
    generation_config: Any


def load_reader(name: str) -> Policy:
    """The policy called `name` as far as it reads and writes ids: it can neither sample nor learn.

    Its `model` is no more than a configuration. RccaError as of `load`.
    """
    place = _place(name)
    with _quiet():
        from transformers import AutoConfig, AutoTokenizer, GenerationConfig

        with refused(f"cannot load model {name!r}"):
            tokenizer, config = AutoTokenizer.from_pretrained(place), AutoConfig.from_pretrained(_base(place))
        try:
            generation = GenerationConfig.from_pretrained(_base(place))
        except OSError:
            generation = GenerationConfig.from_model_config(config)
    return Policy(Weightless(config, generation), tokenizer, name)
