"""The scripts that run in a page: the clock in its own world, the eyes in ours."""

from functools import cache
from importlib import resources
from string import Template

FRESH = "https://fresh.test/"  # the referrer of a load that starts with nothing stored
START = 1_767_603_600_000  # 2026-01-05T09:00:00Z
EYES = (
    "words",
    "elements",
    "sight",
    "ink",
    "names",
    "targets",
    "canvas",
    "reading",
    "acting",
    "dragging",
    "resting",
    "snapshot",
    "veils",
)


@cache
def _text(*path: str) -> str:
    return resources.files(__package__).joinpath(*path).read_text(encoding="utf-8")


def clock(secret: str, seed: int, canvas: bool) -> str:
    """What runs before a page's first script; `secret` names the events by which it is asked.

    `canvas`: whether to note what the page draws, which costs a tenth of a small page's load.
    """
    values = {"SECRET": secret, "SEED": str(seed & 0x7FFFFFFF), "START": str(START), "FRESH": FRESH}
    return Template(_text("clock.js") + (_text("canvas.js") if canvas else "")).safe_substitute(values)


@cache
def eyes(secret: str) -> str:
    """What finds, reads and aims: an expression that defines `rcca`."""
    parts = "\n".join(_text("eyes", f"{name}.js") for name in EYES)
    return f'(() => {{\nconst SECRET = "{secret}";\n{parts}\n}})();\n'


def skeleton() -> str:
    """What notes, before a replay, the elements that the parser makes."""
    return _text("eyes", "skeleton.js")
