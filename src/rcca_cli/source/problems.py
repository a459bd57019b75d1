"""What makes a page's source invalid, part by part: the document, each script, each sheet, each handler.

A browser recovers from almost everything in HTML and CSS, and so does this check. An error is:
- HTML: the text ends inside a tag, a comment, or an element whose content is raw text (an unclosed script never runs);
- JavaScript: what a parser of the language's current edition rejects, in inline scripts, modules, on… attributes;
- CSS: a sheet that is not blank and in which not one rule can be read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rcca_cli.source import javascript
from rcca_cli.source.html import Block, Document, Element, parse

RAW_TEXT = frozenset(["script", "style", "textarea", "title", "iframe", "noscript", "xmp", "noembed", "noframes"])
LAST_TAG = re.compile(r"</html\s*>\s*\Z", re.I)
MARKUP = re.compile(r"<[a-z/!][^<>]*>?", re.I)
MARKUP_LINE = re.compile(rf"^[ \t]*({MARKUP.pattern})[ \t]*$", re.I | re.M)  # in a script, markup may be text


@dataclass(frozen=True, slots=True)
class Problem:
    """An invalid part: `part` is html, script, module, style or handler; `start:end` is where it went wrong."""

    part: str
    start: int
    end: int
    message: str
    block: int | None = None  # where the part begins, None for the document


def check(text: str) -> list[Problem]:
    """The problems of a page's source, in order; each part reports at most one.

    >>> [problem.message for problem in check("<script>let a = ;</script><p>fine")]
    ['the script does not parse: Unexpected token ; (line 1)']
    """
    document = parse(text)
    found = [*_unfinished(document)[:1], *_invalid_code(document), *_invalid_sheets(document)]
    return sorted(found, key=lambda problem: problem.start)


def count_parts(text: str) -> int:
    """How many parts `check` looks at: the document, and each script, sheet and handler in it."""
    document = parse(text)
    return 1 + len(document.scripts) + len(document.styles) + len(document.handlers)


def is_unfinished(document: Document) -> bool:
    """Whether the text ends inside a tag, a comment, or an element of raw text."""
    return bool(_unfinished(document))


def ends_as_page(text: str) -> bool:
    """Whether the last thing written is the end tag of a page. If that is inside a script, an end tag was forgotten."""
    return LAST_TAG.search(text) is not None


def _unfinished(document: Document) -> list[Problem]:
    size = len(document.text)
    open_elements = [
        element
        for element in document.elements
        if element.written and element.tag in RAW_TEXT and element.end_tag_start is None and element.end == size
    ]
    problems = []
    for element in open_elements:
        message = f"<{element.tag}> (line {_line(document.text, element.start)}) is never closed"
        problems.append(Problem("html", *_swallowed(document.text, element), message))
    end = len(document.text.rstrip())
    problems += [
        Problem("html", max(end - 1, 0), end, f"the page ends too early ({name})") for name, _ in document.eof_errors
    ]
    return problems


def _swallowed(text: str, element: Element) -> tuple[int, int]:
    """Where the end tag of an open element is missing: before the first markup in it, or at the end of the text."""
    if ends_as_page(text):
        kind, group = (MARKUP_LINE, 1) if element.tag == "script" else (MARKUP, 0)
        found = kind.search(text, element.start_tag_end)
        if found:
            return found.span(group)
    end = len(text.rstrip())
    return max(end - 1, 0), end


def _invalid_code(document: Document) -> Iterator[Problem]:
    for block in [*document.scripts, *document.handlers]:
        written = document.text[block.start : block.end]
        closed = block.kind == "handler" or document.elements[block.element].end_tag_start is not None
        code = _handler_code(document, block) if block.kind == "handler" else written
        wrong = javascript.fault(code, block.kind) if closed else None
        if wrong:
            exact = code == written  # a handler with character references is placed as a whole
            start = block.start + wrong.start if exact else block.start
            end = block.start + wrong.end if exact else block.end
            line = _line(document.text, start)
            message = f"the {block.kind} does not parse: {wrong.message} (line {line})"
            yield Problem(block.kind, start, end, message, block.start)


def _handler_code(document: Document, block: Block) -> str:
    attributes = document.elements[block.element].attributes.values()
    return next(attribute.value for attribute in attributes if attribute.value_start == block.start)


def _invalid_sheets(document: Document) -> Iterator[Problem]:
    import tinycss2

    for block in document.styles:
        if document.elements[block.element].end_tag_start is None:
            continue
        sheet = document.text[block.start : block.end]
        nodes = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
        if nodes and all(node.type == "error" for node in nodes):
            message = f"the style sheet has no rule that can be read (line {_line(document.text, block.start)})"
            yield Problem("style", block.start, block.end, message, block.start)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
