"""The frame of every HTML page we write: offline, our own style and script and nothing else.

What a model wrote is hostile HTML. It enters a page only packed inside a data block, or as escaped text, and the
page's policy allows no script but ours (by hash), no markup made of strings, no network, no forms, no frames.
"""

import base64
import html
import re
import zlib
from hashlib import sha256
from importlib import resources
from typing import Any

from rcca_cli import jsonl

# Each becomes one visible character: a terminal's or an editor's control characters, those that turn the direction
# of text around, and those that end a line or take no room. (assets/text.js names them on the page.)
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_UNSEEN = [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x200B, 0x200C, 0x200E, 0x200F]
_UNSEEN += [*range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE0F), 0xFEFF, 0xFFA0]
_UNSEEN += [*range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080), *range(0xE0100, 0xE01F0)]
# Two that make one picture of several stay where they do so.
_PICTURE = "\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_JOINS = re.compile(f"(?<![{_PICTURE}\ufe0f])\u200d|\u200d(?![{_PICTURE}])|(?<![{_PICTURE}0-9#*])\ufe0f")
_CONTROLS |= dict.fromkeys([0x7F, *range(0x80, 0xA0), *_UNSEEN], 0xFFFD)
BLOCK = "application/x-rcca"  # a type that no browser runs or shows


def visible(text: str) -> str:
    r"""`text`, as long as before, with every control character but tab and newline made visible.

    >>> visible("a\x1b[31mb")
    'a␛[31mb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", _JOINS.sub("\ufffd", text).translate(_CONTROLS))


def escape(text: str) -> str:
    """`text` as it can stand between tags or in a quoted attribute."""
    return html.escape(visible(text))


def data_block(kind: str, value: dict[str, Any]) -> str:
    """`value` as JSON, packed (zlib) and in base64: a block of letters and digits, unpacked when it is opened."""
    packed = base64.b64encode(zlib.compress(jsonl.encode(value))).decode()
    return f'<script type="{BLOCK}" class="{kind}">{packed}</script>\n'


def asset(name: str) -> str:
    """A file of the folder assets (style, script) as text."""
    return resources.files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def source_hash(text: str) -> str:
    """What a content security policy calls the inline style or script `text`."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(style: str, script: str = "", pictures: bool = False) -> str:
    """The content security policy of a page with this style and script; pictures are data of the page itself."""
    allowed = source_hash(script) if script else "'none'"
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {source_hash(style)}",
            f"script-src {allowed}",
            *(["img-src data:"] if pictures else []),
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",  # a string given to innerHTML, or the like, is an error
            "trusted-types 'none'",
        ]
    )


def head(title: str, style: str, script: str = "", pictures: bool = False) -> str:
    """The page up to its body; `style` and `script` are the only ones that it will ever apply."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script, pictures)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def foot(script: str = "") -> str:
    """The page after its body."""
    return (f"<script>{script}</script>\n" if script else "") + "</body>\n</html>\n"
