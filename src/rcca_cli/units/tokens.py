"""From spans of characters to the tokens that wrote them, and back: nothing is lost, nothing counts twice."""

from collections.abc import Sequence

import numpy as np


class Tokens:
    """The sampled tokens of one text, by the code points each of them covers.

    `offsets` are half-open, one a token, and never step back. A character whose bytes lie in several tokens is
    shared by them, whether each of their spans covers it (as most servers say it) or only the last one's does (as a
    byte walk says it). A token that covers nothing (the end of the text) takes no credit.
    """

    def __init__(self, offsets: Sequence[Sequence[int]], size: int) -> None:
        self.count = len(offsets)
        places = np.asarray(offsets, dtype=np.int64).reshape(self.count, 2)
        if (np.diff(places, axis=0) < 0).any() or (places[:, 0] > places[:, 1]).any():
            raise ValueError("offsets step back")
        if self.count and (places[0, 0] < 0 or places[-1, 1] > size):
            raise ValueError(f"offsets outside the text's {size} characters")
        self.starts, self.ends = places[:, 0].copy(), places[:, 1].copy()
        self._widen()
        covers = np.zeros(size + 1, dtype=np.int64)
        np.add.at(covers, self.starts, 1)
        np.add.at(covers, self.ends, -1)
        covers = np.cumsum(covers)[:size]
        self._sums = np.concatenate([[0.0], np.cumsum(1.0 / np.maximum(covers, 1) * (covers > 0))])
        self._weights = self._sums[self.ends] - self._sums[self.starts]  # (token,) the characters each one holds

    def _widen(self) -> None:
        """Give the tokens with the first bytes of a character, whose own span is empty, that character too."""
        for token in range(self.count - 2, -1, -1):
            following = token + 1
            empty = self.starts[token] == self.ends[token] == self.starts[following]
            if empty and self.ends[following] > self.starts[following]:
                self.ends[token] = self.starts[token] + 1

    def shares(self, spans: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(token, span, share) of each overlap: which part of the token's characters lies in the span."""
        starts = np.asarray([start for start, _ in spans], dtype=np.int64)
        ends = np.asarray([end for _, end in spans], dtype=np.int64)
        first = np.searchsorted(self.ends, starts, side="right")
        counts = np.maximum(np.searchsorted(self.starts, ends, side="left") - first, 0)
        span = np.repeat(np.arange(len(spans)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        token = np.repeat(first, counts) + within
        low, high = np.maximum(self.starts[token], starts[span]), np.minimum(self.ends[token], ends[span])
        overlap = self._sums[np.maximum(high, low)] - self._sums[low]
        kept = overlap > 0
        token, span, overlap = token[kept], span[kept], overlap[kept]
        return token, span, overlap / self._weights[token]

    def lengths(self, spans: Sequence[tuple[int, int]]) -> np.ndarray:
        """How many tokens long each span is; (span,)."""
        _, span, share = self.shares(spans)
        return np.bincount(span, weights=share, minlength=len(spans))

    def spread(self, spans: Sequence[tuple[int, int]], mass: np.ndarray) -> np.ndarray:
        """α: the mass (span,) of each span spread evenly over its tokens; (token,). Their sums are equal.

        A span without tokens cannot hold mass: give it none.
        """
        token, span, share = self.shares(spans)
        length = np.bincount(span, weights=share, minlength=len(spans))
        each = np.divide(mass, length, out=np.zeros(len(spans)), where=length > 0)
        return np.bincount(token, weights=each[span] * share, minlength=self.count)
