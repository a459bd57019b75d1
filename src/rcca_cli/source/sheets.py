"""The regions of a style sheet: selectors, declarations, and the heads of at-rules."""

from collections.abc import Iterator

from rcca_cli.source.grammar import Captures
from rcca_cli.source.positions import Offsets
from rcca_cli.source.regions import Region

QUERY = """[
  (rule_set) (media_statement) (supports_statement) (keyframes_statement) (keyframe_block) (at_rule)
  (scope_statement) (import_statement) (charset_statement) (namespace_statement) (postcss_statement)
] @rule
(selectors) @selector
(declaration) @declaration
(comment) @comment"""


def regions(text: str, start: int, end: int, offsets: Offsets) -> Iterator[Region]:
    """The regions of the CSS in `text[start:end]`."""
    found = Captures("css", QUERY, text, start, end, offsets)
    yield Region(start, end, "rule", "", (start, end))  # what no rule holds: broken code
    for node in found["comment"]:
        yield Region(*found.span(node), "")
    for node in found["rule"]:
        span = found.span(node)
        kind = "selector" if node.type == "keyframe_block" else "rule"
        yield Region(*span, kind, text[slice(*span)].partition("{")[0].strip(), span)
    for node in found["selector"]:
        span = found.span(node)
        yield Region(*span, "selector", text[slice(*span)])
    yield from _declarations(text, found)


def attribute_regions(text: str, start: int, end: int, offsets: Offsets) -> Iterator[Region]:
    """The declarations of a style attribute's value, `text[start:end]`."""
    yield from _declarations(text, Captures("css", QUERY, text, start, end, offsets, before="a{", after="}"))


def _declarations(text: str, found: Captures) -> Iterator[Region]:
    for node in found["declaration"]:
        span = found.span(node)
        yield Region(*span, "declaration", text[slice(*span)].partition(":")[0].strip())
