"""Code that shows or hides, and whether it could be meant for an element: by the element's names, as far as they go."""

import re
from collections.abc import Iterable, Set

SHOWS = (
    r"\.hidden\b|\.style\b|\.classList\b|\.className\b|\.open\b|\.showModal\(|\.close\(|\.toggle\w*\(|\.show\(|\.hide\("
    r"|[\"'](?:hidden|open|aria-hidden|style|class)[\"']"
)
_SHOWS = re.compile(SHOWS)
_PARTS = re.compile(r"[^;\n]{1,400}")  # statements or so; bounded, for looking in one takes the square of its length
HIDES = "hides"  # ends the detail of the evidence on an element that hides what was looked for
HOPS = 2  # from an element's id to a variable that holds it, and from there to that of a loop


def can_show(scripts: Iterable[str], ran: Iterable[str], names: Set[str]) -> bool:
    """Whether code that ran shows or hides something, or a statement of any script does so to what has these names.

    >>> can_show(['const box = byId("tip"); box.hidden = false'], [], {"tip"})
    True
    >>> can_show(['byId("tip").textContent = "5"; other.hidden = false'], [], {"tip"})
    False
    """
    if any(_SHOWS.search(code) for code in ran):
        return True
    parts = [part for script in scripts for part in _PARTS.findall(script)]
    known = _called(parts, names)
    return any(_SHOWS.search(part) and known.search(part) for part in parts)


def _called(parts: Iterable[str], names: Set[str]) -> re.Pattern[str]:
    """What finds the names and those of variables that hold what has them."""
    known = set(names)
    for _ in range(HOPS):
        told = _any(known)
        known |= {name for part in parts for name in _holders(part, told)}
    return re.compile(_any(known))


def _any(names: Set[str]) -> str:
    return rf"(?<![\w$-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w$-])"


def _holders(part: str, told: str) -> Iterable[str]:
    if not re.search(told, part):
        return
    for pattern in (
        rf"([\w$]+)\s*=[^=>].*?{told}",
        rf"([\w$]+)\s+of\s.*?{told}",
        rf"{told}.*?\(\(?\s*([\w$]+)[\s\w$,]*\)?\s*=>",
    ):
        yield from re.findall(pattern, part)
