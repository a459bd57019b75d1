"""Code that does what the check looks at: shows or hides, writes a text, adds to a list, sets a style, draws."""

import re
from collections.abc import Iterator

from rcca_cli.align.case import Case
from rcca_cli.credit import Mark
from rcca_cli.units.showing import SHOWS

WRITES = (
    r"\.(?:textContent|innerText|innerHTML|outerHTML|nodeValue|data|value|valueAsNumber)\s*(?:[-+*/|&?]{0,2}=)(?!=)"
    r"|\.(?:text|html|val|write|insertAdjacent\w+|createTextNode)\("
)
BUILDS = (
    r"\.(?:append|appendChild|prepend|before|after|insertBefore|insertAdjacent\w+|replaceWith|replaceChildren|remove"
    r"|removeChild|createElement|cloneNode)\(|\.(?:innerHTML|outerHTML)\s*\+?="
)
STYLES = r"\.style\b|\.classList\b|\.className\b|\.setProperty\(|\.cssText\b|[\"'](?:style|class)[\"']"
DRAWS = r"\.(?:fill\w*|stroke\w*|arc\w*|rect|drawImage|moveTo|lineTo|putImageData|beginPath|clearRect)\b"
EFFECTS = {
    "visible": f"{SHOWS}|{BUILDS}",
    "hidden": f"{SHOWS}|{BUILDS}",
    "text": f"{WRITES}|{BUILDS}",
    "number": WRITES,
    "same": WRITES,
    "differs": WRITES,
    "count": f"{BUILDS}|{SHOWS}",
    "value": r"\.value\w*\s*[-+*/]?=(?!=)|\.(?:setAttribute|reset)\(",
    "enabled": r"\.disabled\b|[\"'](?:aria-)?disabled[\"']",
    "disabled": r"\.disabled\b|[\"'](?:aria-)?disabled[\"']",
    "checked": r"\.checked\b|[\"']aria-checked[\"']|\.classList\b",
    "attribute": r"\.setAttribute\(|\.toggleAttribute\(|\.removeAttribute\(|\.dataset\b|\.aria\w+|\.className\b",
    "style": STYLES,
    "focused": r"\.focus\(|\.blur\(|\.tabIndex\b|autofocus",
    "painted": DRAWS,
    "drawn": DRAWS,
}
OF_MARKUP = {"visible": r"\bhidden\b", "hidden": r"\bhidden\b", "checked": r"\bchecked\b", "disabled": r"\bdisabled\b"}


def marks(case: Case) -> Iterator[Mark]:
    """1 for each piece of script that can have the effect that a check expects; for markup that begins with it ½."""
    if not case.expected:
        return
    ways = [EFFECTS[one] for one in sorted(case.expected) if one in EFFECTS]
    ways += [rf"\.{in_script(name)}\s*=(?!=)" for name in sorted(case.properties)]
    does = re.compile("|".join(ways) or "(?!)")
    is_so = re.compile("|".join(OF_MARKUP[one] for one in sorted(case.expected) if one in OF_MARKUP) or "(?!)")
    for unit, language, code in zip(
        case.answer.units.units, case.answer.units.languages, case.answer.codes, strict=True
    ):
        if language == "script" and does.search(code):
            yield Mark(unit.start, unit.end, "effect", 1.0, "effect")
        elif unit.kind == "tag" and is_so.search(code):
            yield Mark(unit.start, unit.end, "effect", 0.5, "effect")


def in_script(name: str) -> str:
    """A property's name as scripts write it.

    >>> in_script("background-color")
    'backgroundColor'
    """
    head, *rest = name.split("-")
    return re.escape(head + "".join(part.capitalize() for part in rest))
