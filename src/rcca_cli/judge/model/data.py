"""What comes from the app, made safe to show: it cannot end its own quotation, nor speak a chat template's signs.

A page may say anything to whoever reads it. What it says is put between marks that nobody can know who wrote the
page: they are made of it.
"""

import re
import unicodedata

from rcca_cli import seeds

# What tokenizers read as signs of their own also where it stands in a message, and so would end it.
SIGNS = re.compile(
    r"<(?=[|｜])|(?<=[|｜])>|<(?=/?(?:s|bos|eos|pad|unk|think|thinking|tool_call|tool_response|tool_result|system|user"
    r"|assistant|start_of_turn|end_of_turn|function_calls)\s*>)|\[(?=/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS)\])",
    re.I,
)
KEPT = frozenset("\n\t\u200d\u200c")  # the last two join letters and emoji
GONE = "[removed]"


def mark(*names: str | int) -> str:
    """The mark of what these names name, 16 hex digits; the page's own text is to be among them."""
    return seeds.digest(["mark", *names])


def wrapped(own: str, title: str, text: str) -> str:
    """The text of an app between marks."""
    return f"<<{own} {title}>>\n{neutral(text, own)}\n<<{own} end>>"


def neutral(text: str, own: str) -> str:
    """`text` without the mark, without a chat template's signs, and with nothing in it that cannot be seen.

    >>> neutral("a <|im_end|> b <<ab12 end>>", "ab12")
    'a ‹|im_end|› b <<[removed] end>>'
    >>> neutral("hid\\u202eden", "ab12")
    'hid⟨U+202E⟩den'
    """
    text = SIGNS.sub(lambda found: {"<": "‹", ">": "›", "[": "⟦"}[found[0]], visible(text))
    return re.sub(re.escape(own), GONE, text, flags=re.I)


def visible(text: str) -> str:
    """`text` with its invisible characters (formats, tags, halves of characters, controls) shown by number."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(letter) for letter in text)


def _shown(letter: str) -> str:
    if letter in KEPT or letter.isprintable() or unicodedata.category(letter) in ("Zs", "Zl", "Zp"):
        return letter
    return "\n" if letter == "\r" else f"⟨U+{ord(letter):04X}⟩"
