"""HTML with positions: what a browser's parser builds from a text, and where each part of it is written."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import turbohtml

from rcca_cli.source.positions import Offsets, newlines_as_page

# Types of a script element that runs as a classic script; "module" makes it a module, any other is not code.
CLASSIC = re.compile(
    r"\s*(?:(?:text|application)/(?:x-)?(?:java|ecma)script|text/(?:javascript1\.[0-5]|(?:j|live)script))\s*", re.I
)
VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
VALUE = re.compile(r"[^=]*?\s*=\s*([\"']?)")  # what comes before an attribute's value


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute. `value` is decoded; `value_start:value_end` is its text as written, without quotes."""

    value: str
    start: int
    end: int
    value_start: int
    value_end: int


@dataclass(frozen=True, slots=True)
class Element:
    """One element: `start:start_tag_end` is its start tag, `start:end` all of it, in code points.

    `index` is its place in `Document.elements` and `parent` its parent's. `dom` is its place among
    `document.querySelectorAll("*")` of a page whose scripts have not run, None inside a template.
    The parser invents some elements (head, tbody): those are not `written`, and empty. One without an
    end tag (`end_tag_start` None) ends where the parser closes it.
    """

    tag: str
    start: int
    start_tag_end: int
    end_tag_start: int | None
    end: int
    attributes: dict[str, Attribute]
    parent: int | None
    index: int
    dom: int | None
    written: bool

    def attribute(self, name: str) -> str:
        """The value of an attribute, "" without it."""
        found = self.attributes.get(name)
        return found.value if found else ""


@dataclass(frozen=True, slots=True)
class Block:
    """Code in the document: `kind` is script, module, style or handler (an on… attribute), `element` whose it is."""

    start: int
    end: int
    kind: str
    element: int


@dataclass(frozen=True, slots=True)
class Document:
    """The elements in document order, the code in them, and the errors that only the end of the text showed."""

    text: str
    elements: list[Element]
    scripts: list[Block]
    styles: list[Block]
    handlers: list[Block]
    eof_errors: list[tuple[str, int]]  # the HTML standard's name, and the place

    def at(self, place: int) -> Element | None:
        """The innermost written element around a place."""
        around = [element for element in self.elements if element.written and element.start <= place < element.end]
        return max(around, key=lambda element: element.start, default=None)


def parse(text: str) -> Document:
    """The document that a browser with scripts on would make of `text`; any text makes one."""
    page, back = _as_page(text)
    tree = turbohtml.parse(page, source_locations=True, scripting=True)
    elements = _elements(list(tree.iter_elements()), page)
    errors = _eof_errors(tree.errors, page)
    if back is not None:
        elements = [_moved(element, back) for element in elements]
        errors = [(name, back[place]) for name, place in errors]
    blocks = _outermost([block for element in elements for block in _blocks(element, text)])
    scripts = [block for block in blocks if block.kind in ("script", "module")]
    styles = [block for block in blocks if block.kind == "style"]
    handlers = [block for block in blocks if block.kind == "handler"]
    return Document(text, elements, scripts, styles, handlers, errors)


def _as_page(text: str) -> tuple[str, list[int] | None]:
    """The text as a page sees it (newlines_as_page) and, if it differs, where each of its characters was."""
    if "\r" not in text and not text.startswith("\ufeff"):
        return text, None
    kept = [
        place
        for place, letter in enumerate(text)
        if not (letter == "\n" and text[place - 1 : place] == "\r") and not (place == 0 and letter == "\ufeff")
    ]
    return newlines_as_page(text), [*kept, len(text)]


def _eof_errors(errors: Iterable[Any], page: str) -> list[tuple[str, int]]:
    lines = Offsets(page)
    return [(e.code, min(lines.line_start(e.line - 1) + e.col, len(page))) for e in errors if e.code.startswith("eof-")]


def _elements(nodes: list[Any], page: str) -> list[Element]:
    parents, hidden = _parents(nodes)
    following = _following(nodes, parents, len(page))
    out: list[Element] = []
    limits: list[int] = []  # where the content of each element ends at the latest
    dom = 0
    for index, node in enumerate(nodes):
        parent = parents[index]
        limit = limits[parent] if parent is not None else len(page)
        element = _element(node, page, limit, following[index], (parent, index, None if hidden[index] else dom))
        dom += not hidden[index]
        out.append(element)
        inner = element.end if element.end_tag_start is None else element.end_tag_start
        limits.append(inner if element.written else limit)
    return out


def _parents(nodes: list[Any]) -> tuple[list[int | None], list[bool]]:
    """Each node's parent by number, and whether it is inside a template."""
    number = {node: index for index, node in enumerate(nodes)}
    parents: list[int | None] = []
    hidden: list[bool] = []
    template = None
    for index, node in enumerate(nodes):
        parent = number.get(node.parent)
        if parent is None and index:
            parent = template  # the contents of a template hang on a fragment of their own, right behind it
        hidden.append(parent is not None and (hidden[parent] or nodes[parent].tag == "template"))
        parents.append(parent)
        template = index if node.tag == "template" else template
    return parents, hidden


def _following(nodes: list[Any], parents: list[int | None], size: int) -> list[int]:
    """For each node, where the next written one begins: after its descendants, or at all if it is invented."""
    sizes = [1] * len(nodes)
    starts = [size] * (len(nodes) + 1)  # of the first written node from here on
    for index in range(len(nodes) - 1, -1, -1):
        where, parent = nodes[index].source_location, parents[index]
        starts[index] = starts[index + 1] if where is None else where.start_tag.start_offset
        if parent is not None:
            sizes[parent] += sizes[index]
    return [starts[i] if nodes[i].source_location is None else starts[i + sizes[i]] for i in range(len(nodes))]


def _element(node: Any, page: str, limit: int, following: int, tree: tuple[int | None, int, int | None]) -> Element:
    """The element of a node; `tree` is its parent, index and dom.

    Without an end tag it ends where the next element begins (`following`) or its parent's content does (`limit`).
    """
    where = node.source_location
    if where is None:
        return Element(node.tag, following, following, None, following, {}, *tree, False)
    start, tag_end = where.start_tag.start_offset, where.start_tag.end_offset
    closed = node.tag in VOID or (page[tag_end - 2 : tag_end] == "/>" and node.namespace.name != "HTML")
    end_tag = None
    if where.end_tag is not None:
        end_tag, end = where.end_tag.start_offset, where.end_tag.end_offset
    elif closed:
        end = tag_end
    else:  # an element may stand after the end tag of the parent that the parser puts it in
        end = max(tag_end, min(following, limit if limit > start else len(page)))
    values = node.attrs  # decoded, by the name as the parser spells it (viewBox)
    attributes = {
        name: _attribute(page, span.start_offset, span.end_offset, values.get(name))
        for name, span in where.attrs.items()
    }
    return Element(node.tag, start, tag_end, end_tag, end, attributes, *tree, True)


def _attribute(page: str, start: int, end: int, value: str | list[str] | None) -> Attribute:
    if isinstance(value, list):  # the parser takes those apart that hold several words (class, rel)
        value = " ".join(value)
    before = VALUE.match(page, start, end)
    if before is None:
        return Attribute("", start, end, end, end)
    first, last = before.end(), end - len(before.group(1))
    return Attribute(page[first:last] if value is None else value, start, end, first, last)


def _moved(element: Element, back: list[int]) -> Element:
    """The same element, with its places in the text that had other line ends."""
    attributes = {
        name: Attribute(a.value, back[a.start], back[a.end], back[a.value_start], back[a.value_end])
        for name, a in element.attributes.items()
    }
    end_tag = None if element.end_tag_start is None else back[element.end_tag_start]
    return replace(
        element,
        start=back[element.start],
        start_tag_end=back[element.start_tag_end],
        end_tag_start=end_tag,
        end=back[element.end],
        attributes=attributes,
    )


def _blocks(element: Element, text: str) -> Iterable[Block]:
    """The code that an element holds: in itself, and in its on… attributes."""
    content = element.start_tag_end, element.end if element.end_tag_start is None else element.end_tag_start
    if element.tag == "style" and element.written:
        yield Block(*content, "style", element.index)
    if element.tag == "script" and element.written and "src" not in element.attributes:
        kind = _script_kind(element)
        if kind is not None:
            yield Block(*content, kind, element.index)
    for name, attribute in element.attributes.items():
        if name.startswith("on") and text[attribute.value_start : attribute.value_end].strip():
            yield Block(attribute.value_start, attribute.value_end, "handler", element.index)


def _outermost(blocks: Iterable[Block]) -> list[Block]:
    """Without those inside another: in SVG a script can hold scripts, each of them open up to the page's end."""
    kept: list[Block] = []
    ends = {True: 0, False: 0}  # of the last handler, and of the last other code
    for block in blocks:
        is_handler = block.kind == "handler"
        if is_handler or block.start >= ends[is_handler]:
            kept.append(block)
            ends[is_handler] = block.end
    return kept


def _script_kind(element: Element) -> str | None:
    """How a browser runs a script element: as a script, as a module, or not at all."""
    declared, language = element.attribute("type"), element.attribute("language")
    if "type" not in element.attributes and language:
        declared = f"text/{language}"
    if declared.lower() == "module":
        return "module"
    runs = (not declared or CLASSIC.fullmatch(declared)) and "nomodule" not in element.attributes
    return "script" if runs else None
