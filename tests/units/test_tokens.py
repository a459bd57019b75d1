from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.units import Tokens


def test_mass_is_spread_evenly_over_the_tokens_of_a_span():
    tokens = Tokens([[0, 2], [2, 4], [4, 5], [5, 5]], 5)
    assert tokens.spread([(0, 4), (4, 5)], np.array([0.6, 0.4])).tolist() == pytest.approx([0.3, 0.3, 0.4, 0])
    assert tokens.lengths([(0, 4), (4, 5)]).tolist() == [2, 1]


def test_a_token_across_two_spans_belongs_to_both_in_proportion():
    tokens = Tokens([[0, 4]], 4)
    assert [array.tolist() for array in tokens.shares([(0, 1), (1, 4)])] == [[0, 0], [0, 1], [0.25, 0.75]]
    assert tokens.spread([(0, 1), (1, 4)], np.array([0.5, 0.5])).tolist() == [1.0]


@pytest.mark.parametrize(
    "offsets",
    [
        [[0, 1], [1, 2], [1, 2], [1, 2], [1, 2], [2, 3]],  # as a server says it
        [[0, 1], [1, 1], [1, 1], [1, 1], [1, 2], [2, 3]],  # as a byte walk says it
    ],
)
def test_the_tokens_of_one_emoji_share_it(offsets):
    alpha = Tokens(offsets, 3).spread([(0, 1), (1, 3)], np.array([0.4, 0.6]))
    assert alpha.tolist() == pytest.approx([0.4, 0.12, 0.12, 0.12, 0.12, 0.12])


def test_the_end_of_the_text_takes_no_credit():
    assert Tokens([[0, 1], [1, 1]], 1).spread([(0, 1)], np.ones(1)).tolist() == [1, 0]


def test_a_span_without_tokens_has_no_length():
    tokens = Tokens([[0, 1], [3, 4]], 4)
    assert tokens.lengths([(1, 3), (0, 4)]).tolist() == [0, 2]
    assert tokens.spread([(1, 3)], np.zeros(1)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("offsets", "problem"),
    [
        ([[2, 3], [0, 1]], "offsets step back"),
        ([[2, 1]], "offsets step back"),
        ([[0, 9]], "offsets outside the text's 4 characters"),
    ],
)
def test_impossible_offsets_are_refused(offsets, problem):
    with pytest.raises(ValueError, match=problem):
        Tokens(offsets, 4)


@st.composite
def tokenised(draw):
    """(text, offsets): bytes cut anywhere; each token has all characters it holds a byte of, or those it completes."""
    text = draw(st.text(st.sampled_from("ab é漢😀👩‍🚀\n"), min_size=1, max_size=20))
    data = text.encode()
    cuts = sorted(draw(st.sets(st.integers(1, len(data)), max_size=12)) | {len(data)})
    of_byte = [index for index, letter in enumerate(text) for _ in letter.encode()] + [len(text)]
    walk = draw(st.booleans())
    offsets, start = [], 0
    for cut in cuts:
        complete = of_byte[cut]
        offsets.append([of_byte[start], complete if walk else of_byte[cut - 1] + 1])
        start = cut
    return text, [[min(one), max(one)] for one in offsets]


@given(tokenised(), st.data())
def test_mass_is_conserved_whatever_the_bytes(case, data):
    text, offsets = case
    tokens = Tokens(offsets, len(text))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=6)))
    spans = list(pairwise(cuts))
    mass = np.array(data.draw(st.lists(st.floats(0, 1), min_size=len(spans), max_size=len(spans))))
    assert (tokens.lengths(spans) > 0).all()
    alpha = tokens.spread(spans, mass)
    assert alpha.sum() == pytest.approx(mass.sum())
    assert (alpha >= 0).all()
