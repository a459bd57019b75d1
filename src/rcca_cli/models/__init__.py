"""Language models behind one door: load, sample, score. The only importer of transformers."""

from rcca_cli.models.load import Policy, load

__all__ = ["Policy", "load"]
