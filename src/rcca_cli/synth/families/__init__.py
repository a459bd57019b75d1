"""The families: each is one file with its NAME and `make(rng) -> Feature`."""

from types import ModuleType

from rcca_cli.synth.families import counter, todo

FAMILIES: dict[str, ModuleType] = {module.NAME: module for module in (counter, todo)}
