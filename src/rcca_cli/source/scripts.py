"""The regions of a script: statements, functions, what registers handlers, and the pairs of long literals."""

import re
from collections.abc import Iterator

from rcca_cli.source.grammar import Captures
from rcca_cli.source.positions import Offsets
from rcca_cli.source.regions import Region

QUERY = """[
  (expression_statement) (lexical_declaration) (variable_declaration) (using_declaration) (return_statement)
  (if_statement) (switch_statement) (for_statement) (for_in_statement) (while_statement) (do_statement)
  (try_statement) (with_statement) (break_statement) (continue_statement) (throw_statement) (debugger_statement)
  (import_statement) (export_statement) (labeled_statement) (class_declaration) (field_definition)
] @statement
[(function_declaration) (generator_function_declaration) (method_definition)] @function
[(function_expression) (generator_function) (arrow_function)] @closure
[(for_statement) (for_in_statement)] @loop
[(array) (object) (pair) (ERROR)] @literal
(comment) @comment"""
LITERALS = frozenset(["array", "object", "pair"])
REGISTERS = re.compile(r"\.addEventListener\s*\(|\.on[a-z]+\s*=(?!=)")
DECLARES = re.compile(
    r"(?:export\s+(?:default\s+)?)?(?:(?:const|let|var|class)\s+|(?:async\s+)?function[\s*]+)([\w$]+)"
)
METHOD = re.compile(r"(?:(?:static|async|get|set)\s+)*+[*\s]*([\w$#]+)")
FUNCTION = re.compile(r"[^=;{]*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>\s*\{|[\w$]+\s*=>\s*\{)")
BIG = 300  # characters: the pairs of a longer literal are units of their own


def regions(text: str, start: int, end: int, offsets: Offsets) -> Iterator[Region]:
    """The regions of the JavaScript in `text[start:end]`.

    A node is only ever asked for its children: tree-sitter looks for a parent from the root down, which in deeply
    nested code makes the whole quadratic.
    """
    found = Captures("javascript", QUERY, text, start, end, offsets)
    yield Region(start, end, "statement", "", (start, end))  # what no statement holds: broken code
    for node in found["comment"]:
        yield Region(*found.span(node), "")
    for node in found["function"]:
        span = found.span(node)
        yield Region(
            *span, "function", _name(METHOD if node.type == "method_definition" else DECLARES, text, span), span
        )
    for node in found["closure"]:
        body = node.child_by_field_name("body")
        if body is not None and body.type == "statement_block":
            yield Region(*found.span(body), "statement", "", found.span(node))
        elif body is not None:  # the value of an arrow function
            yield Region(*found.span(body), "statement")
    heads = {part.id for loop in found["loop"] for part in loop.children if part != loop.child_by_field_name("body")}
    for node in found["statement"]:
        if node.id not in heads:
            yield _statement(text, *found.span(node))
    yield from _pairs(text, found)


def _statement(text: str, start: int, end: int) -> Region:
    head = text[start : min(end, start + BIG)]
    name = _name(DECLARES, text, (start, end))
    if name and FUNCTION.match(head):
        return Region(start, end, "function", name, (start, end))
    return Region(start, end, "handler" if REGISTERS.search(head.partition("{")[0]) else "statement", name)


def _pairs(text: str, found: Captures) -> Iterator[Region]:
    """The pairs of long literals: which answer of a quiz is right is not one decision with all the others."""
    sizes: dict[int, int] = {}  # of the outermost literal around each literal, itself included, by node
    for node in sorted(found["literal"], key=lambda node: (node.start_byte, -node.end_byte)):
        size = sizes.setdefault(node.id, node.end_byte - node.start_byte)
        sizes |= {part.id: size for part in node.children if part.type in LITERALS}
    for node in found["literal"]:
        if node.type == "pair" and sizes[node.id] > BIG:
            span = found.span(node)
            yield Region(*span, "statement", text[slice(*span)].partition(":")[0].strip(" \"'\n"))


def _name(pattern: re.Pattern[str], text: str, span: tuple[int, int]) -> str:
    found = pattern.match(text, span[0], min(span[1], span[0] + BIG))
    return found.group(1) if found else ""
