"""Which names a page's scripts read, set and call, where, and which conditions decide whether code runs.

By name, with the functions that a name is declared in told apart; what passes through an object's fields is followed
by the field's name alone. That is less than a compiler knows, it is linear, and broken code has it too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tree_sitter import Node

from rcca_cli.source.grammar import Captures
from rcca_cli.source.html import parse
from rcca_cli.source.positions import Offsets

QUERY = """
(variable_declarator name: (identifier) @declared)
(variable_declarator name: (array_pattern (identifier) @declared))
(shorthand_property_identifier_pattern) @declared
(class_declaration name: (identifier) @declared)
[(function_declaration name: (identifier) @named) (generator_function_declaration name: (identifier) @named)]
(formal_parameters [
  (identifier) @parameter
  (assignment_pattern left: (identifier) @parameter)
  (rest_pattern (identifier) @parameter)
])
(arrow_function parameter: (identifier) @parameter)
(catch_clause parameter: (identifier) @parameter)
(for_in_statement left: (identifier) @declared)
(assignment_expression left: [
  (identifier) @set
  (member_expression property: (property_identifier) @set_field)
  (subscript_expression object: (identifier) @set)
  (subscript_expression object: (member_expression property: (property_identifier) @set_field))
])
(augmented_assignment_expression left: [
  (identifier) @stepped
  (member_expression property: (property_identifier) @stepped_field)
  (subscript_expression object: (identifier) @stepped)
  (subscript_expression object: (member_expression property: (property_identifier) @stepped_field))
])
(update_expression argument: [
  (identifier) @stepped
  (member_expression property: (property_identifier) @stepped_field)
])
(call_expression function: (identifier) @called)
(call_expression function: (member_expression property: (property_identifier) @method)) @call
(pair key: (property_identifier) @set_field)
(field_definition property: (property_identifier) @set_field)
(identifier) @read
(shorthand_property_identifier) @read
(member_expression property: (property_identifier) @field)
[(if_statement) (switch_statement) (while_statement) (for_statement) (for_in_statement) (do_statement)] @guard
[(if_statement consequence: (return_statement))
 (if_statement consequence: (statement_block (return_statement) .))] @leaving
[(function_declaration) (function_expression) (arrow_function) (method_definition)
 (generator_function) (generator_function_declaration)] @function
"""
CHANGES = frozenset("push pop shift unshift splice sort reverse fill add set delete clear append assign".split())  # noqa: SIM905

DECLARES = ("declared", "parameter", "named")
LEVELS = 4_000  # of the code: this query holds a state for each that is open, and would take their square
DEEPEST = 64  # functions in functions: deeper than anybody nests them


class Use(NamedTuple):
    """One name at a place. `kind`: read, set, stepped (read and set), parameter, named or called (a function).

    `declared` is the function that the name is of, None for what no function around the place declares. A field's
    name begins with a dot.
    """

    start: int
    name: str
    kind: str
    declared: tuple[int, int] | None


@dataclass(frozen=True)
class Flow:
    """The uses of names in order of their places; `guards` (start, end): what begins at start decides what is inside.

    `functions` are the whole of each, by the name that calls it.
    """

    uses: list[Use]
    guards: list[tuple[int, int]]
    functions: dict[str, list[tuple[int, int]]]


def flow(text: str) -> Flow:
    """What the scripts and handlers of a page do with names."""
    document, offsets = parse(text), Offsets(text)
    found = Flow([], [], {})
    for block in [*document.scripts, *document.handlers]:
        captures = Captures("javascript", QUERY, text, block.start, block.end, offsets, deepest=LEVELS)
        _script(captures, text, found)
    found.uses.sort(key=lambda use: use.start)
    found.guards.sort()
    return found


def _script(captures: Captures, text: str, found: Flow) -> None:
    functions = sorted({captures.span(node) for node in captures["function"]}, key=lambda span: (span[0], -span[1]))
    for node in captures["function"]:
        name = _called_by(node)
        if name is not None:
            found.functions.setdefault(text[slice(*captures.span(name))], []).append(captures.span(node))
    found.guards.extend(captures.span(node) for node in captures["guard"])
    leaving = [captures.span(node)[0] for node in captures["leaving"]]
    found.guards.extend((start, span[1]) for start, span in _around(leaving, functions) if span is not None)
    found.uses.extend(_resolved(sorted(set(_named(captures, text))), functions))


def _called_by(function: Node) -> Node | None:
    """The name by which a function is called, if it has one of its own or is the value of a variable or field.

    Asked of the node before it, and not of its parent: tree-sitter looks for a parent from the root down.
    """
    name = function.child_by_field_name("name")
    if name is None:
        sign = function.prev_sibling
        name = sign.prev_sibling if sign is not None and sign.type in ("=", ":") else None
    if name is not None and name.type == "member_expression":
        name = name.child_by_field_name("property")
    return name if name is not None and name.type.endswith("identifier") else None


def _named(captures: Captures, text: str) -> Iterator[tuple[int, str, str]]:
    """(place, name, what is done with it) of each name, before it is known whose it is."""
    done: set[int] = set()
    for kind in ("declared", "parameter", "named", "set", "stepped", "called"):
        for node in captures[kind]:
            start, end = captures.span(node)
            done.add(start)
            yield start, text[start:end], kind
    for kind in ("set", "stepped"):
        for node in captures[f"{kind}_field"]:
            start, end = captures.span(node)
            done.add(start)
            yield start, f".{text[start:end]}", kind
    for node in captures["call"]:
        yield from _method(node.child_by_field_name("function"), captures, text)
    for capture, dot in (("read", ""), ("field", ".")):
        for node in captures[capture]:
            start, end = captures.span(node)
            if start not in done:
                yield start, dot + text[start:end], "read"


def _method(member: Node | None, captures: Captures, text: str) -> Iterator[tuple[int, str, str]]:
    """`list.push(x)` sets list; `app.render()` calls render."""
    target = member.child_by_field_name("object") if member is not None else None
    name = member.child_by_field_name("property") if member is not None else None
    if target is None or name is None:
        return
    start, end = captures.span(name)
    yield start, text[start:end], "called"
    if text[start:end] in CHANGES:
        if target.type == "member_expression":
            target = target.child_by_field_name("property")
        if target is not None and target.type in ("identifier", "property_identifier"):
            start, end = captures.span(target)
            yield start, ("." if target.type == "property_identifier" else "") + text[start:end], "set"


def _resolved(named: list[tuple[int, str, str]], functions: list[tuple[int, int]]) -> Iterator[Use]:
    """The uses, each with the innermost function around it that declares its name."""
    around = dict(_around([place for place, _, _ in named], functions))
    outer = dict(_around([start for start, _ in functions], functions, strictly=True))
    owners: dict[str, set[tuple[int, int]]] = {}
    for place, name, kind in named:
        inside = around[place]
        if inside is not None and kind == "named":  # a function's name is its outer function's
            around[place] = inside = outer[inside[0]]
        if inside is not None and kind in DECLARES:
            owners.setdefault(name, set()).add(inside)
    for place, name, kind in named:
        function, own = around[place], owners.get(name, ())
        for _ in range(DEEPEST):
            if function is None or function in own:
                break
            function = outer[function[0]]
        yield Use(place, name, "set" if kind == "declared" else kind, function)


def _around(
    places: list[int], spans: list[tuple[int, int]], strictly: bool = False
) -> Iterator[tuple[int, tuple[int, int] | None]]:
    """For each place the innermost of some nested spans around it, in one sweep; `strictly`: that begins before it."""
    stack: list[tuple[int, int]] = []
    upcoming = 0
    for place in sorted(set(places)):
        while upcoming < len(spans) and (spans[upcoming][0] < place or (not strictly and spans[upcoming][0] == place)):
            while stack and stack[-1][1] <= spans[upcoming][0]:
                stack.pop()
            stack.append(spans[upcoming])
            upcoming += 1
        while stack and stack[-1][1] <= place:
            stack.pop()
        yield place, (stack[-1] if stack else None)
