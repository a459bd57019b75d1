from hypothesis import given
from hypothesis import strategies as st

from rcca_cli.source import Offsets, newlines_as_page

NASTY = st.text(st.sampled_from("a\n\ré😀\u2028\ufeff\x00漢"), max_size=30)


def test_positions_worked_out_by_hand() -> None:
    offsets = Offsets("a\r\n😀é\nx")
    assert [offsets.utf16(cp) for cp in range(8)] == [0, 1, 1, 2, 4, 5, 6, 7]
    assert [offsets.byte(cp) for cp in range(8)] == [0, 1, 2, 3, 7, 9, 10, 11]
    assert [offsets.line_column(cp) for cp in (0, 3, 4, 6)] == [(0, 0), (1, 0), (1, 2), (2, 0)]
    assert offsets.cp_from_utf16(3) == 3  # the second half of the emoji
    assert offsets.cp_from_line_column(1, 2) == 4


def test_places_outside_the_text_are_clamped() -> None:
    for text in ("ab", "éa"):
        offsets = Offsets(text)
        assert offsets.utf16(99) == offsets.cp_from_utf16(99) == offsets.cp_from_byte(99) == 2
        assert offsets.cp_from_line_column(7, 0) == 2
        assert offsets.cp_from_utf16(-1) == offsets.cp_from_byte(-1) == 0


def test_a_byte_order_mark_is_not_part_of_the_page() -> None:
    offsets = Offsets("\ufeff<p>")
    assert offsets.utf16(1) == 0
    assert offsets.byte(1) == 3


@given(NASTY)
def test_every_conversion_comes_back(text: str) -> None:
    offsets = Offsets(text)
    page = newlines_as_page(text)
    units = page.encode("utf-16-le", "surrogatepass")
    for cp in range(len(text) + 1):
        if (text[cp - 1 : cp] == "\r" and text[cp : cp + 1] == "\n") or (cp == 1 and text[0] == "\ufeff"):
            continue  # between two characters that are one for the page
        place = offsets.utf16(cp)
        assert units[: 2 * place].decode("utf-16-le") == newlines_as_page(text[:cp])
        assert offsets.byte(cp) == len(text[:cp].encode())
        assert offsets.cp_from_byte(offsets.byte(cp)) == cp
        if not (cp == 0 and text.startswith("\ufeff")):
            assert offsets.cp_from_utf16(place) == cp
            assert offsets.cp_from_line_column(*offsets.line_column(cp)) == cp
        line, column = offsets.line_column(cp)
        assert len(page.split("\n")[line].encode("utf-16-le")) >= 2 * column
