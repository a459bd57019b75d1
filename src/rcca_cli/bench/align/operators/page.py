"""A page as the operators look at it: its elements, and the nodes of its scripts and style sheets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rcca_cli.source import Offsets, html
from rcca_cli.source.grammar import Captures

SCRIPT = (
    "call_expression",
    "assignment_expression",
    "augmented_assignment_expression",
    "update_expression",
    "binary_expression",
    "if_statement",
    "ternary_expression",
    "number",
    "string",
    "identifier",
    "member_expression",
    "expression_statement",
    "variable_declarator",
    "function_declaration",
)
SHEET = ("rule_set", "declaration", "selectors")
FUNCTIONS = frozenset(["function_declaration", "arrow_function", "function_expression", "method_definition"])


@dataclass(frozen=True)
class Edit:
    """`text[start:end]` becomes `new`: an insertion where start is end, a deletion where `new` is empty."""

    start: int
    end: int
    new: str


Edits = tuple[Edit, ...]


@dataclass(frozen=True)
class Code:
    """A node of a script or sheet, at its place in the page's text."""

    page: "Page"
    captures: Captures
    node: Any

    @property
    def kind(self) -> str:
        """The grammar's name for it."""
        return str(self.node.type)

    @cached_property
    def span(self) -> tuple[int, int]:
        """Where it is, in code points."""
        return self.captures.span(self.node)

    @property
    def text(self) -> str:
        """The node as written."""
        return self.page.text[slice(*self.span)]

    def part(self, name: str) -> "Code | None":
        """A named part of it, as `function` of a call."""
        found = self.node.child_by_field_name(name)
        return None if found is None else Code(self.page, self.captures, found)

    @property
    def parts(self) -> "list[Code]":
        """What it is made of, without punctuation."""
        return [Code(self.page, self.captures, child) for child in self.node.named_children]

    @property
    def around(self) -> "Iterator[Code]":
        """What it is in, from the inside out."""
        node = self.node.parent
        while node is not None:
            yield Code(self.page, self.captures, node)
            node = node.parent

    @property
    def runs_later(self) -> bool:
        """Whether it is inside a function or an attribute, so that an error there is not one of loading."""
        return self.captures in self.page.attributes or any(one.kind in FUNCTIONS for one in self.around)

    def becomes(self, new: str) -> Edits:
        """The edit that writes something else instead."""
        return (Edit(*self.span, new),)

    def without(self) -> Edits:
        """The edit that deletes it, with the line if it is all of it."""
        return (self.page.deletion(*self.span),)


class Page:
    """`text` is a whole answer; only the document in `text[start:end]` is looked at."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.document = html.parse(text[start:end])
        self.offsets = Offsets(text)

    @property
    def elements(self) -> list[html.Element]:
        """The written elements, in the document's own places (add `start`)."""
        return [element for element in self.document.elements if element.written]

    def place(self, start: int, end: int, new: str) -> Edit:
        """An edit of the document, given in its own places."""
        return Edit(self.start + start, self.start + end, new)

    @cached_property
    def scripts(self) -> list[Captures]:
        """The script elements."""
        return self._captured("javascript", SCRIPT, self.document.scripts)

    @cached_property
    def attributes(self) -> list[Captures]:
        """The scripts in on… attributes."""
        return self._captured("javascript", SCRIPT, self.document.handlers)

    @cached_property
    def sheets(self) -> list[Captures]:
        """The style elements."""
        return self._captured("css", SHEET, self.document.styles)

    def _captured(self, grammar: str, kinds: Sequence[str], blocks: Sequence[html.Block]) -> list[Captures]:
        query = "\n".join(f"({kind}) @{kind}" for kind in kinds)
        return [
            Captures(grammar, query, self.text, self.start + block.start, self.start + block.end, self.offsets)
            for block in blocks
        ]

    def code(self, kind: str) -> Iterator[Code]:
        """All script nodes of a kind."""
        for captures in [*self.scripts, *self.attributes]:
            yield from self._nodes(captures, kind)

    def style(self, kind: str) -> Iterator[Code]:
        """All nodes of a kind in style sheets."""
        for captures in self.sheets:
            yield from self._nodes(captures, kind)

    def _nodes(self, captures: Captures, kind: str) -> Iterator[Code]:
        """The nodes of a kind in the order of the text; a query gives them in any."""
        for node in sorted(captures[kind], key=lambda node: (node.start_byte, -node.end_byte)):
            yield Code(self, captures, node)

    def deletion(self, start: int, end: int) -> Edit:
        """Delete a place; all of its line (or lines) if there is nothing else on it."""
        low = self.text.rfind("\n", 0, start) + 1
        high = self.text.find("\n", end)
        high = len(self.text) if high < 0 else high + 1
        rest = self.text[low:start] + self.text[end:high]
        return Edit(low, high, "") if not rest.strip(" \t\n;") else Edit(start, end, "")


def applied(text: str, edits: Sequence[Edit]) -> tuple[str, list[tuple[int, int]]]:
    """The text after edits that do not overlap, and where each of them is in it.

    >>> applied("let n = 1;", [Edit(8, 9, "20"), Edit(0, 4, "")])
    ('n = 20;', [(0, 0), (4, 6)])
    """
    written: list[str] = []
    places: list[tuple[int, int]] = []
    done = size = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        written += [text[done : edit.start], edit.new]
        size += edit.start - done
        places.append((size, size + len(edit.new)))
        size += len(edit.new)
        done = edit.end
    return "".join([*written, text[done:]]), places
