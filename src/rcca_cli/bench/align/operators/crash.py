"""Crashes: the code throws when it is used."""

from collections.abc import Iterator

from rcca_cli.bench.align.operators.page import Edits, Page
from rcca_cli.bench.align.operators.wiring import QUERY


def method_typo(page: Page) -> Iterator[Edits]:
    """Calls a method that there is not."""
    for call in page.code("call_expression"):
        function = call.part("function")
        name = function.part("property") if function is not None and function.kind == "member_expression" else None
        if name is not None and call.runs_later and len(name.text) > 3:
            yield name.becomes(misspelt(name.text))


def property_typo(page: Page) -> Iterator[Edits]:
    """Reads a property that there is not, and goes on from it."""
    for member in page.code("member_expression"):
        inner, name = member.part("object"), None
        if inner is not None and inner.kind == "member_expression" and member.runs_later:
            name = inner.part("property")
        if name is not None and len(name.text) > 3:
            yield name.becomes(misspelt(name.text))


def name_typo(page: Page) -> Iterator[Edits]:
    """Calls a function under a name that there is not."""
    for call in page.code("call_expression"):
        function = call.part("function")
        if function is not None and function.kind == "identifier" and call.runs_later and len(function.text) > 3:
            yield function.becomes(misspelt(function.text))


def variable_typo(page: Page) -> Iterator[Edits]:
    """Uses a variable under a name that there is not."""
    for name in page.code("identifier"):
        parent = next(name.around, None)
        used = parent is not None and parent.kind in ("arguments", "binary_expression", "assignment_expression")
        if used and name.runs_later and len(name.text) > 3:
            yield name.becomes(misspelt(name.text))


def null_query(page: Page) -> Iterator[Edits]:
    """Looks for an element that there is not."""
    for string in page.code("string"):
        found = QUERY.fullmatch(string.text)
        parent = next(string.around, None)
        if found and parent is not None and parent.kind == "arguments" and _is_lookup(page, parent.span[0]):
            yield string.becomes(string.text[0] + found[1] + misspelt(found[2]) + string.text[-1])


def _is_lookup(page: Page, place: int) -> bool:
    before = page.text[max(0, place - 16) : place]
    return before.endswith(("byId", "getElementById", "querySelector", "$"))


def misspelt(name: str) -> str:
    """The name with two letters in each other's place, or one left out.

    >>> misspelt("append"), misspelt("book")
    ('appedn', 'bok')
    """
    changed = name[:-2] + name[-1] + name[-2]
    return changed if changed != name else name[:-2] + name[-1]
