"""The sources of attribution: each a pure function from a case to marks on the answer's text."""

from collections.abc import Callable, Iterator

from rcca_cli.align.case import Case
from rcca_cli.align.sources import (
    coverage,
    css,
    decision,
    effect,
    element,
    lexical,
    listener,
    prose,
    quote,
    sibling,
    slice,
    stack,
)
from rcca_cli.credit import Mark

SOURCES: dict[str, Callable[[Case], Iterator[Mark]]] = {
    "quote": quote.marks,
    "stack": stack.marks,
    "coverage": coverage.marks,
    "listener": listener.marks,
    "css": css.marks,
    "element": element.marks,
    "effect": effect.marks,
    "slice": slice.marks,
    "decision": decision.marks,
    "lexical": lexical.marks,
    "prose": prose.marks,
    "sibling": sibling.marks,
}
OF_ONE_FEATURE = frozenset(
    ["stack", "listener", "effect", "slice", "decision", "lexical"]
)  # which has the source's name
