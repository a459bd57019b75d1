"""Text and character offsets of sampled tokens, from the bytes that each token stands for.

The ids are the truth and the text follows from them; nothing is ever tokenised again, because a text has
many tokenisations and only one was sampled. Nothing is normalised, trimmed or "cleaned up" on the way.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

REPLACEMENT = 0xFFFD
METASPACE = "▁"
BYTES = 256
BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True)
class Decoded:
    """`text`, and for each token its half-open span of code points in it."""

    text: str
    offsets: list[list[int]]


def decode(pieces: Sequence[bytes]) -> Decoded:
    """The text of tokens that stand for `pieces`, with offsets that cover it once and never step back.

    A character whose bytes lie in several tokens belongs to the one that completes it; the others have an
    empty span there. Bytes that are not UTF-8 (a sample that ended inside an emoji) become U+FFFD.

    >>> decode([b"a", bytes([0xF0, 0x9F]), bytes([0x98, 0x80]), b"b", b""])
    Decoded(text='a😀b', offsets=[[0, 1], [1, 1], [1, 2], [2, 3], [3, 3]])
    """
    text = b"".join(pieces).decode("utf-8", errors="replace")
    complete = _characters_complete(b"".join(pieces))
    offsets = []
    position = 0
    for piece in pieces:
        start = complete[position]
        position += len(piece)
        offsets.append([start, complete[position]])
    return Decoded(text, offsets)


def _characters_complete(data: bytes) -> Sequence[int]:
    """How many characters of the decoded text lie wholly in `data[:i]`, for i from 0 to len(data)."""
    if data.isascii():
        return range(len(data) + 1)
    points = np.frombuffer(data.decode("utf-8", errors="replace").encode("utf-32-le"), dtype="<u4")
    widths = 1 + (points > 0x7F).astype(np.int64) + (points > 0x7FF) + (points > 0xFFFF)
    starts = np.cumsum(widths) - widths
    shift = 0  # what the broken characters so far are shorter than U+FFFD
    for place in np.flatnonzero(points == REPLACEMENT):
        widths[place] = _width(data, int(starts[place]) + shift)
        shift += int(widths[place]) - 3
    counts = np.zeros(len(data) + 1, dtype=np.int64)
    counts[np.cumsum(widths)] = 1
    return np.cumsum(counts).tolist()


def _width(data: bytes, start: int) -> int:
    """How many bytes at `start` became one U+FFFD: three if it is written there, fewer where they are broken."""
    try:
        data[start : start + 4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end if error.start == 0 else 3
    return 3


class Pieces:
    """The bytes that each token id of a tokenizer stands for.

    Control tokens (special ones: end of text, turn markers) stand for nothing, as in a server's reply.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.added = {index: token for token, index in tokenizer.get_added_vocab().items()}
        # Those that have no role in the configuration too: Llama 3 names 2 of its 256.
        marked = {index for index, token in tokenizer.added_tokens_decoder.items() if token.special}
        self.special = frozenset(tokenizer.all_special_ids) | marked
        self.known: dict[int, bytes] = {}

    def of(self, ids: Sequence[int]) -> list[bytes]:
        """The bytes of each token, in order; their concatenation is the whole text."""
        return [self.one(index) for index in ids]

    def one(self, index: int) -> bytes:
        """The bytes of one token."""
        if index not in self.known:
            self.known[index] = self._bytes(index)
        return self.known[index]

    def decode(self, ids: Sequence[int]) -> Decoded:
        """Text and offsets of `ids`."""
        return decode(self.of(ids))

    def _bytes(self, index: int) -> bytes:
        if index in self.special:
            return b""
        if index in self.added and self._reader is byte_level:
            return self.added[index].encode()  # never byte-mapped; elsewhere they are written like any token
        token = self.tokenizer.convert_ids_to_tokens(index)
        return b"" if token is None else self._reader(token)  # ids of padding rows have no token

    @cached_property
    def _reader(self) -> Callable[[str], bytes]:
        decoders = _decoders(self.tokenizer)
        if "ByteLevel" in decoders or hasattr(self.tokenizer, "byte_decoder"):
            return byte_level
        if "WordPiece" in decoders:
            return word_piece
        if getattr(self.tokenizer, "_utf_vocab_size", None) == BYTES:  # ByT5's: each token is a byte, as a character
            return lambda token: token.encode("latin-1")
        return metaspace


def _decoders(tokenizer: Any) -> set[str]:
    """The kinds of decoder in a fast tokenizer; none for one written in Python."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or backend.decoder is None:
        return set()
    state = json.loads(backend.decoder.__getstate__())
    return {part["type"] for part in [state, *state.get("decoders", [])]}


def byte_level(token: str) -> bytes:
    """The bytes of a byte-level token, in which each character stands for one byte ("Ġ" for a space)."""
    table = _byte_of_character()
    if all(character in table for character in token):
        return bytes(table[character] for character in token)
    return token.encode()


def metaspace(token: str) -> bytes:
    """The bytes of a sentencepiece token: "▁" is a space, "<0x0A>" a byte.

    A space in front of the first token is kept: after a prompt it is text like any other.
    """
    if byte := BYTE_TOKEN.fullmatch(token):
        return bytes([int(byte[1], 16)])
    return token.replace(METASPACE, " ").encode()


def word_piece(token: str) -> bytes:
    """The bytes of a WordPiece token: words are apart, "##" joins."""
    return token.removeprefix("##").encode() if token.startswith("##") else b" " + token.encode()


def _byte_of_character() -> dict[str, int]:
    """GPT-2's table: printable bytes stand for themselves, the others for characters from U+0100 on."""
    if not _TABLE:
        printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
        others = [byte for byte in range(256) if byte not in printable]
        _TABLE.update({chr(byte): byte for byte in printable})
        _TABLE.update({chr(256 + place): byte for place, byte in enumerate(others)})
    return _TABLE


_TABLE: dict[str, int] = {}
