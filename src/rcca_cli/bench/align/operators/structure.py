"""What is missing: an element or a whole block of a feature, with the code that needs it."""

import re
from collections.abc import Iterator

from rcca_cli.bench.align.operators.page import Edit, Edits, Page

KEPT = frozenset(["html", "head", "body", "script", "style", "title", "meta", "main", "link"])
PUTS = re.compile(r"\.(?:append|appendChild|prepend|before|after|replaceChildren)\(")
LARGEST = 600  # characters of an element that is left out


def element(page: Page) -> Iterator[Edits]:
    """Leaves an element out, and the statements that look for it."""
    for one in page.elements:
        if one.tag in KEPT or one.end - one.start > LARGEST:
            continue
        cut = page.deletion(page.start + one.start, page.start + one.end)
        inner = page.document.text[one.start : one.end]
        names = re.findall(r"\bid\s*=\s*[\"']?([\w-]+)", inner)
        yield (cut, *_code_for(page, names, cut))


def markup(page: Page) -> Iterator[Edits]:
    """Leaves an element out that no script looks for."""
    for one in page.elements:
        if one.tag in KEPT or one.end - one.start > LARGEST or "id=" in page.document.text[one.start : one.end]:
            continue
        yield (page.deletion(page.start + one.start, page.start + one.end),)


def label(page: Page) -> Iterator[Edits]:
    """A control without its name."""
    for one in page.elements:
        end = one.end if one.end_tag_start is None else one.end_tag_start
        inner = page.document.text[one.start_tag_end : end]
        if one.tag in ("button", "label", "option", "legend") and inner.strip():
            words = re.match(r"[^<]+", inner)
            if words and words[0].strip():
                yield (page.place(one.start_tag_end, one.start_tag_end + len(words[0]), ""),)


def added_element(page: Page) -> Iterator[Edits]:
    """Leaves out the call that puts what a script made into the page."""
    for statement in page.code("expression_statement"):
        if PUTS.search(statement.text) and len(statement.text) < 200:
            yield statement.without()


def _code_for(page: Page, names: list[str], cut: Edit) -> list[Edit]:
    """The deletion of the statements that name one of some ids."""
    if not names:
        return []
    pattern = re.compile("|".join(rf"[\"'`#]{re.escape(name)}[\"'`]" for name in names))
    found: list[Edit] = []
    for statement in page.code("expression_statement"):
        if pattern.search(statement.text.partition("{")[0]):
            edit = page.deletion(*statement.span)
            if all(edit.end <= other.start or edit.start >= other.end for other in [cut, *found]):
                found.append(edit)
    return found
