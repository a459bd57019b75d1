import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import ByT5Tokenizer, CanineTokenizer

from rcca_cli.models.literal import Literal
from rcca_cli.models.offsets import Decoded, Pieces, decode
from tests.models import tiny

KINDS = {
    "byte-level": tiny.byte_level(),
    "prefix-space": tiny.byte_level(prefix_space=True),
    "sentencepiece": tiny.sentencepiece(),
    "metaspace": tiny.metaspace(),
}
LITERAL = {
    "byte-level": Literal(tiny.byte_level()),
    "prefix-space": Literal(tiny.byte_level(prefix_space=True)),
    "sentencepiece": Literal(tiny.sentencepiece()),
    "metaspace": Literal(tiny.metaspace()),
}
settings.register_profile("calm", deadline=None, max_examples=60)
settings.load_profile("calm")
ids = st.lists(st.integers(0, 339), max_size=60)
nasty_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=80) | st.sampled_from(tiny.NASTY)


def covers_once(decoded: Decoded) -> bool:
    """Each character of the text is in exactly one token's span, and spans never step back."""
    position = 0
    for start, end in decoded.offsets:
        if start != position or end < start:
            return False
        position = end
    return position == len(decoded.text)


@pytest.mark.parametrize("kind", KINDS)
@given(ids)
def test_any_ids_have_offsets_that_cover_their_text_once(kind, ids):
    ids = [index % len(KINDS[kind]) for index in ids]
    decoded = Pieces(KINDS[kind]).decode(ids)
    assert len(decoded.offsets) == len(ids)
    assert covers_once(decoded)


@pytest.mark.parametrize("kind", ["byte-level", "sentencepiece"])
@given(nasty_text)
def test_a_text_comes_back_from_its_own_ids_character_for_character(kind, text):
    ids = KINDS[kind].encode(text, add_special_tokens=False)
    decoded = Pieces(KINDS[kind]).decode(ids)
    space = " " if kind == "sentencepiece" and text else ""  # its normaliser puts one in front
    special = [word for word in tiny.SPECIAL if word in text]
    assert special or decoded.text == space + text
    assert covers_once(decoded)


@pytest.mark.parametrize("kind", ["byte-level", "prefix-space", "sentencepiece"])
@given(nasty_text)
def test_the_tokens_of_a_text_that_continues_something_spell_it_as_it_is(kind, text):
    decoded = LITERAL[kind].split(text)[1]
    assert decoded.text == text
    assert covers_once(decoded)


def test_a_text_that_a_tokenizer_cannot_spell_has_no_tokens():
    assert LITERAL["metaspace"].split("\x00") is None


@given(ids)
def test_the_text_is_what_the_tokenizer_itself_decodes(ids):
    tokenizer = KINDS["byte-level"]
    assert Pieces(tokenizer).decode(ids).text == tokenizer.decode(ids, skip_special_tokens=True)


@given(st.lists(st.binary(max_size=5), max_size=20))
def test_bytes_that_are_no_utf8_become_replacement_characters_and_keep_their_tokens(pieces):
    decoded = decode(pieces)
    assert decoded.text == b"".join(pieces).decode("utf-8", errors="replace")
    assert covers_once(decoded)


def test_a_character_belongs_to_the_token_that_completes_it():
    smile = "😀".encode()
    assert decode([b"a", smile[:1], smile[1:3], smile[3:] + b"b"]).offsets == [[0, 1], [1, 1], [1, 1], [1, 3]]


def test_an_answer_cut_inside_an_emoji_ends_in_a_replacement_character():
    assert decode([b"ok ", "😀".encode()[:2]]) == Decoded("ok \ufffd", [[0, 3], [3, 4]])


def test_a_broken_character_stays_with_its_own_token():
    assert decode([b"\xf0\x9f", b"b"]) == Decoded("\ufffdb", [[0, 1], [1, 2]])


def test_a_megabyte_of_broken_characters_takes_no_longer_than_it_is():
    decoded = decode([b"\xf0\x9f", b"a"] * 200_000)  # half an hour, if the rest were copied for each
    assert decoded.text == "\ufffda" * 200_000
    assert decoded.offsets[-2:] == [[399_998, 399_999], [399_999, 400_000]]


def test_a_written_replacement_character_is_three_bytes():
    assert decode([b"\xef\xbf", b"\xbd", b"\xef\xbf", b"\xef\xbf\xbd"]) == Decoded(
        "\ufffd\ufffd\ufffd", [[0, 0], [0, 1], [1, 2], [2, 3]]
    )


def test_composed_and_decomposed_letters_keep_their_own_offsets():
    tokenizer = KINDS["byte-level"]
    for word, length in (("é", 1), ("e\u0301", 2)):
        decoded = Pieces(tokenizer).decode(tokenizer.encode(word))
        assert (decoded.text, decoded.offsets[-1][1]) == (word, length)


def test_the_end_token_has_an_empty_span_at_the_end():
    tokenizer = KINDS["byte-level"]
    decoded = Pieces(tokenizer).decode([*tokenizer.encode("hi"), tokenizer.eos_token_id])
    assert (decoded.text, decoded.offsets[-1]) == ("hi", [2, 2])


def test_added_words_are_text_and_control_tokens_are_not():
    tokenizer = KINDS["byte-level"]
    words = ["<think>", "→Ω", "<|user|>"]
    decoded = Pieces(tokenizer).decode(tokenizer.convert_tokens_to_ids(words))
    assert (decoded.text, decoded.offsets) == ("<think>→Ω", [[0, 7], [7, 9], [9, 9]])


def test_a_space_in_front_of_the_first_token_is_text():
    tokenizer = KINDS["sentencepiece"]
    assert Pieces(tokenizer).decode(tokenizer.convert_tokens_to_ids(["▁the", "<0x0A>"])).text == " the\n"


def test_spaces_before_punctuation_are_not_cleaned_up():
    tokenizer = KINDS["byte-level"]
    assert Pieces(tokenizer).decode(tokenizer.encode("x != y , z .")).text == "x != y , z ."


def test_a_tokenizer_written_in_python_has_places_too():
    """Such a one tells no offsets at all; its tokens are letters, or bytes as letters."""
    text = "naïve 😀 x != y"
    for tokenizer in (CanineTokenizer(), ByT5Tokenizer()):
        decoded = Pieces(tokenizer).decode(tokenizer.encode(text, add_special_tokens=False))
        assert not tokenizer.is_fast
        assert decoded.text == text
        assert covers_once(decoded)
