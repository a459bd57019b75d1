"""Language models behind one door: load, sample, score. The only importer of transformers."""

from rcca_cli.models.layers import blocks
from rcca_cli.models.load import Policy, load, load_tokenizer
from rcca_cli.models.reader import load_reader

__all__ = ["Policy", "blocks", "load", "load_reader", "load_tokenizer"]
