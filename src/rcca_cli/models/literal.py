"""Tokens for a text of which none are known: those that spell it as it is written.

A tokenizer's own `encode` may compose letters (NFC), put a space in front, or read `<|im_end|>` in a page as the end
of the turn. The model that wrote the text did none of this, so neither does this.
"""

import json
from typing import Any

from tokenizers import normalizers, pre_tokenizers

from rcca_cli.models.offsets import Decoded, Pieces

REWRITES = frozenset(["NFC", "NFD", "NFKC", "NFKD", "Prepend"])  # normalisers that change what is written


class Literal:
    """The tokenizer of a model, for texts that continue something. It belongs to this from now on, and is changed.

    `digest` is that of the model's own tokenizer, as `rollout.tokenizer` has it.
    """

    def __init__(self, tokenizer: Any, digest: str | None = None) -> None:
        self.digest = digest
        self.pieces = Pieces(tokenizer)
        self._tokenizer = tokenizer
        tokenizer.model_max_length = 10**30  # no model has to read the text: no advice about its length
        backend = getattr(tokenizer, "backend_tokenizer", None)  # None for one written in Python
        if backend is not None:
            _set(backend, "normalizer", normalizers.Sequence([]), "normalizers", _kept)
            _set(backend, "pre_tokenizer", pre_tokenizers.Sequence([]), "pretokenizers", _without_space)

    def split(self, text: str) -> tuple[list[int], Decoded] | None:
        """The tokens of a text, and their offsets in it; None if the tokenizer cannot spell the text."""
        ids = self.ids(text)
        decoded = self.pieces.decode(ids)
        return (ids, decoded) if decoded.text == text else None

    def ids(self, text: str) -> list[int]:
        """The tokens of a text, all of it content: no control token, whatever it says."""
        return self._tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)


def _set(backend: Any, name: str, empty: Any, key: str, change: Any) -> None:
    """Change the parts of a backend's normaliser or pre-tokeniser."""
    now = getattr(backend, name)
    if now is None:
        return
    state = json.loads(now.__getstate__())
    parts = change(state[key] if state["type"] == "Sequence" else [state])
    empty.__setstate__(json.dumps({"type": "Sequence", key: parts}).encode())
    setattr(backend, name, empty if parts else None)


def _kept(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for part in parts if part["type"] not in REWRITES]


def _without_space(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    changes: dict[str, dict[str, Any]] = {
        "Metaspace": {"prepend_scheme": "never"},
        "ByteLevel": {"add_prefix_space": False},
    }
    return [part | changes.get(part["type"], {}) for part in parts]
