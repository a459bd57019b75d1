"""What makes a page's source invalid, part by part: the document, each script, each sheet, each handler.

A browser recovers from almost everything in HTML and CSS, and so does this check. An error is:
- HTML: the text ends inside a tag, a comment, or an element whose content is raw text (an unclosed script never runs);
- JavaScript: what a parser of the language's current edition rejects, in inline scripts, modules, on… attributes;
- CSS: a sheet that is not blank and in which not one rule can be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import tinycss2

from rcca_cli.source import javascript
from rcca_cli.source.html import Block, Document, parse

RAW_TEXT = frozenset(["script", "style", "textarea", "title", "iframe", "noscript", "xmp", "noembed", "noframes"])


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


def _unfinished(document: Document) -> list[Problem]:
    size = len(document.text)
    end = len(document.text.rstrip())
    start = max(end - 1, 0)
    problems = [
        Problem("html", start, end, f"<{element.tag}> (line {_line(document.text, element.start)}) is never closed")
        for element in document.elements
        if element.written and element.tag in RAW_TEXT and element.end_tag_start is None and element.end == size
    ]
    problems += [Problem("html", start, end, f"the page ends too early ({name})") for name, _ in document.eof_errors]
    return problems


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
