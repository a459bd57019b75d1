"""A page's source in units: JavaScript statements and functions, CSS selectors and declarations, HTML tags and text."""

from collections.abc import Iterator

from rcca_cli.source import scripts, sheets
from rcca_cli.source.html import Block, Document, Element, parse
from rcca_cli.source.positions import Offsets
from rcca_cli.source.regions import Region, Unit, leaves

JSX = frozenset(["text/babel", "text/jsx"])  # what a library in the page compiles; the grammar knows it
SMALL = 300  # characters: all of a smaller element is the scope of its tag and text


def units(text: str) -> list[Unit]:
    """The leaf units of a page, in order; none overlaps another.

    Every character is in one but for blanks, comments, end tags, the doctype, and brackets and separators that stand
    alone: none of these decides anything by itself. What no parser understands is in a unit of what is around it.

    The units of a statement are what the blocks and functions inside it leave of it. Kinds: statement, function (its
    head), handler (what registers a listener; an on… attribute), selector, declaration, rule (the head of an
    at-rule), tag (a start tag), text. Broken and unfinished code has units too.

    >>> [(unit.kind, unit.name) for unit in units("<p class='x'>Hi</p><script>if (a) { let b = 1 }</script>")]
    [('tag', 'p'), ('text', 'p'), ('tag', 'script'), ('statement', ''), ('statement', 'b')]
    """
    document = parse(text)
    offsets = Offsets(text)
    first = int(text.startswith("\ufeff"))
    regions = [Region(first, len(text), "text", "")]  # what no written element holds
    compiled = _compiled(document)
    code = {block.element for block in [*document.scripts, *document.styles, *compiled]}
    for element in document.elements:
        if element.written:
            regions += _markup(document, element, element.index in code, offsets)
    for block in [*document.scripts, *compiled]:
        regions += scripts.regions(text, block.start, block.end, offsets)
    for block in document.styles:
        regions += sheets.regions(text, block.start, block.end, offsets)
    return leaves(text, regions)


def _compiled(document: Document) -> list[Block]:
    """The scripts that no browser runs as they are, but a compiler in the page."""
    return [
        Block(element.start_tag_end, element.end_tag_start or element.end, "script", element.index)
        for element in document.elements
        if element.tag == "script" and element.attribute("type").lower() in JSX and "src" not in element.attributes
    ]


def _markup(document: Document, element: Element, is_code: bool, offsets: Offsets) -> Iterator[Region]:
    """An element's tags and content, and the code in its attributes."""
    content_end = element.end if element.end_tag_start is None else element.end_tag_start
    small = element.end - element.start <= SMALL
    scope = element.start, element.end if small else element.start_tag_end
    yield Region(element.start, element.start_tag_end, "tag", element.tag, scope)
    yield Region(element.start_tag_end, content_end, "" if is_code else "text", element.tag, scope)
    yield Region(content_end, element.end, "")
    for name, attribute in element.attributes.items():
        if name.startswith("on"):
            yield Region(attribute.value_start, attribute.value_end, "handler", name)
        elif name == "style":
            yield from sheets.attribute_regions(document.text, attribute.value_start, attribute.value_end, offsets)
