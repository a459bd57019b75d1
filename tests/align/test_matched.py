import doctest

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from rcca_cli.align import matched
from rcca_cli.align.matched import blocks

sequences = st.lists(st.sampled_from("abcdefghij"), max_size=40)


def test_the_worked_example():
    assert doctest.testmod(matched).failed == 0


@given(sequences, sequences, st.integers(1, 2000))
def test_blocks_are_equal_in_order_and_apart(here, there, cells):
    i = j = -1
    for first, second, size in blocks(here, there, cells):
        assert size > 0
        assert first >= max(i, 0)
        assert second >= max(j, 0)
        assert (first, second) != (i, j)
        assert here[first : first + size] == there[second : second + size]
        i, j = first + size, second + size


@given(sequences, sequences)
def test_of_short_sequences_it_is_all_that_they_have_in_common(here, there):
    assert sum(size for _, _, size in blocks(here, there)) == LCSseq.similarity(here, there)


def test_long_sequences_are_cut_at_what_is_there_once():
    here = [f"u{number}" for number in range(50)]
    there = [code if number % 10 else "new" for number, code in enumerate(here)]
    assert [size for _, _, size in blocks(here, there, cells=30)] == [9] * 5


def test_long_sequences_of_one_thing_are_cut_in_proportion():
    assert sum(size for _, _, size in blocks(["a"] * 1000, ["a"] * 990, cells=50)) > 900


def test_a_quarter_of_a_million_units_take_no_square_of_memory():
    here = [f"u{number}" for number in range(250_000)]  # 8 GB, if every unit were compared with every other
    there = [code if number % 3 else f"v{number}" for number, code in enumerate(here)]
    assert sum(size for _, _, size in blocks(here, there)) == 166_666
