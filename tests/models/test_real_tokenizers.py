"""The tokenizers of five large models: each character of an answer is held by tokens once; none is lost or doubled."""

import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rcca_cli import models
from rcca_cli.models.offsets import Pieces
from rcca_cli.units import Tokens

SCRIPT = Path(__file__).parents[2] / "scripts" / "tokenizers"
UNREACHABLE = 3
NAMES = ["qwen3", "llama3", "gemma3", "deepseek_v3", "gptoss"]
NASTY = {
    "emoji": "👩‍👩‍👧‍👦 👍🏽 🇩🇪🇫🇷 ❤️‍🔥 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "scripts": "日本語テキスト 𠮷野家 한국어 ไทย עברית العربية हिन्दी 𓀀𓀁 𝒳 𝔘",
    "combining": "e\u0301 vs é, \u1112\u1161\u11ab vs 한, A\u030a Å Å, x\u0323\u0307 x\u0307\u0323, ﬁ ① ½ ²",
    "line ends": "a\r\nb\rc\n\n\n\td\t\te\u2028f\u2029g\x85h\x0b\x0ci",
    "odd characters": "a\x00b\x10c\x7f \ufeff \u200b\u00ad\u00a0 \ufffd\ufffd \U0010ffff \ue000",
    "spaces": " a  b   c" + " " * 40 + "d\n" + " " * 17 + "e\n" + "\t" * 9 + "f \n \n  \n" + "\n" * 20 + "  ",
    "first space": " let x = 1",
    "no first space": "let x = 1",
    "entities": "<p title='a &amp;&quot;b&quot; &#x1F600; &nbsp;&copy'>1 &lt; 2 &amp;&amp; 3 &gt; 2</p>",
    "control tokens": "<|im_start|>a<|im_end|><|eot_id|><|end|><eos><bos><pad></s><end_of_turn><|endoftext|>"
    "<｜User｜><think>x</think><tool_call><0x0A><unused5>[multimodal]",
    "code": "if (x != y && n ?? 0) { return `${a} , ${b} .` } // it's  we'll\n    .then(r => r?.json())\n",
    "bars": "▁▂▃▄▅▆▇█ ▁▁",
}


@pytest.fixture(scope="session")
def folder():
    done = subprocess.run([SCRIPT], capture_output=True, text=True, check=False)
    if done.returncode == UNREACHABLE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module", params=NAMES)
def literal(request, folder):
    return load(folder / request.param)


@cache
def load(place):
    return models.load_tokenizer(str(place))


def spells(literal, text):
    """Gemma writes every space as ▁, so it cannot tell one from the other."""
    return "▁" not in text or literal.pieces.decode(literal.ids("▁")).text == "▁"


def assert_held_once(text, offsets):
    """Spans in order, without a gap or an overlap; by their shares, each character is held by tokens once."""
    edges = [0, *(end for _, end in offsets)]
    assert [start for start, _ in offsets] == edges[:-1]
    assert edges[-1] == len(text)
    tokens = Tokens(offsets, len(text))
    letters = [(place, place + 1) for place in range(len(text))]
    assert (tokens.lengths(letters) > 0).all()
    assert tokens.spread(letters, np.ones(len(text))).sum() == pytest.approx(len(text))


@pytest.mark.parametrize("kind", NASTY)
def test_each_character_of_a_nasty_text_is_held_by_tokens_once(literal, kind):
    text = NASTY[kind]
    split = literal.split(text)
    decoded = split and split[1]
    if spells(literal, text):
        assert decoded.text == text
        assert_held_once(text, decoded.offsets)
    else:
        assert decoded is None  # refused, never another text's tokens


@settings(max_examples=60)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_each_character_of_any_text_is_held_by_tokens_once(literal, text):
    split = literal.split(text)
    decoded = split and split[1]
    assert (decoded is not None) == spells(literal, text)
    if decoded is not None:
        assert_held_once(text, decoded.offsets)


def test_an_answer_cut_inside_a_character_keeps_all_before_it(literal):
    text = " ".join(NASTY[kind] for kind in ("emoji", "scripts", "combining"))
    ids = literal.ids(text)
    broken = 0
    for cut in range(len(ids) + 1):
        decoded = literal.pieces.decode(ids[:cut])
        assert_held_once(decoded.text, decoded.offsets)
        whole = decoded.text.rstrip("\ufffd")
        assert text.startswith(whole)
        broken += whole != decoded.text
    assert broken > 10


@settings(max_examples=60)
@given(data=st.data())
def test_any_sampled_ids_have_the_text_of_the_tokenizer_itself(literal, data):
    tokenizer = literal.pieces.tokenizer
    ids = data.draw(st.lists(st.integers(0, len(tokenizer) - 1), max_size=30))
    decoded = literal.pieces.decode(ids)
    assert len(decoded.offsets) == len(ids)
    assert_held_once(decoded.text, decoded.offsets)
    if "\ufffd" not in decoded.text:  # how many of them stand for bytes that are none is anyone's choice
        assert decoded.text == tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)


@pytest.mark.parametrize(
    ("name", "token"),
    [("qwen3", "<|im_end|>"), ("llama3", "<|eot_id|>"), ("gemma3", "<end_of_turn>"), ("gptoss", "<|channel|>")],
)
def test_a_sampled_control_token_is_no_text_whatever_its_role(folder, name, token):
    pieces = load(folder / name).pieces
    (index,) = pieces.tokenizer.convert_tokens_to_ids([token])
    assert pieces.one(index) == b""


def test_indentation_that_is_one_token_of_its_own_is_spaces(folder):
    pieces = load(folder / "gemma3").pieces
    (index,) = pieces.tokenizer.convert_tokens_to_ids(["▁▁▁▁"])
    assert index in pieces.added
    assert pieces.one(index) == b"    "


def test_an_ordinary_tokenizer_is_not_changed(folder):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "qwen3")
    ids = tokenizer.encode("e\u0301<|im_end|>")
    assert tokenizer.decode(ids) == "é<|im_end|>"
    assert Pieces(tokenizer).decode(ids).text == "é"
