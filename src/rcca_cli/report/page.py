"""The frame of every HTML page we write: offline, our own style and script and nothing else.

What a model wrote is hostile HTML. It enters a page only as JSON inside a data block, or as escaped text,
and the page's policy allows no script but ours (by hash), no network, no forms, no frames.
"""

import base64
import html
import re
from hashlib import sha256
from importlib import resources
from typing import Any

from rcca_cli import jsonl

# Each becomes one visible character, so that offsets into the text stay true: a terminal's or an editor's
# control characters, and those that turn the direction of text around.
_CONTROLS = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_CONTROLS |= dict.fromkeys([0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)


def visible(text: str) -> str:
    r"""`text`, as long as before, with every control character but tab and newline made visible.

    >>> visible("a\x1b[31mb")
    'a␛[31mb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", text.translate(_CONTROLS))


def clean(value: Any) -> Any:
    """`value` with every string in it made `visible`."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {visible(key): clean(item) for key, item in value.items()}
    return value


def escape(text: str) -> str:
    """`text` as it can stand between tags or in a quoted attribute."""
    return html.escape(visible(text))


def data_block(kind: str, value: dict[str, Any]) -> str:
    """`value` as a block that a browser does not run: no `<` in it, so it cannot end early."""
    text = jsonl.encode(clean(value)).decode().rstrip("\n").replace("<", "\\u003c")
    return f'<script type="application/json" class="{kind}">{text}</script>\n'


def asset(name: str) -> str:
    """A file of this folder (style, script) as text."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def source_hash(text: str) -> str:
    """What a content security policy calls the inline style or script `text`."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def head(title: str, style: str, script: str = "") -> str:
    """The page up to its body; `style` and `script` are the only ones that it will ever apply."""
    allowed = source_hash(script) if script else "'none'"
    policy = (
        f"default-src 'none'; style-src {source_hash(style)}; script-src {allowed}; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def foot(script: str = "") -> str:
    """The page after its body."""
    return (f"<script>{script}</script>\n" if script else "") + "</body>\n</html>\n"
