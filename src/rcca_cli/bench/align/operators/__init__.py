"""The operators: each a pure function from a page to the ways in which it can be broken."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rcca_cli.bench.align.operators import crash, logic, looks, structure, wiring
from rcca_cli.bench.align.operators.page import Edit, Edits, Page, applied

__all__ = ["OPERATORS", "Edit", "Edits", "Operator", "Page", "applied"]


@dataclass(frozen=True)
class Operator:
    """`breaks` gives every place where it can be used; `expected` is the kind of failure that it is meant to make."""

    name: str
    group: str
    expected: str
    breaks: Callable[[Page], Iterator[Edits]]


GROUPS: dict[tuple[str, str], tuple[Callable[[Page], Iterator[Edits]], ...]] = {
    ("wiring", "dead"): (
        wiring.event_name,
        wiring.handler_name,
        wiring.unlistened,
        wiring.inline_handler,
        wiring.no_inline_handler,
        wiring.other_target,
        wiring.renamed_id,
        wiring.disabled,
    ),
    ("logic", "silent"): (
        logic.operator,
        logic.negation,
        logic.off_by_one,
        logic.wrong_variable,
        logic.dropped_update,
        logic.dropped_call,
        logic.method,
        logic.swapped,
        logic.wrong_text,
        logic.wrong_value,
    ),
    ("shared", "silent"): (logic.first_state, logic.dropped_shared_call),
    ("crash", "exception"): (
        crash.method_typo,
        crash.property_typo,
        crash.name_typo,
        crash.variable_typo,
        crash.null_query,
    ),
    ("looks", "visual"): (
        looks.dropped_declaration,
        looks.wrong_declaration,
        looks.wrong_property,
        looks.renamed_selector,
        looks.dropped_rule,
        looks.unseen,
        looks.hidden,
        looks.renamed_class,
        looks.toggled_class,
        looks.script_style,
    ),
    ("structure", "absent"): (structure.element, structure.markup, structure.label, structure.added_element),
}
OPERATORS: dict[str, Operator] = {
    function.__name__: Operator(function.__name__, group, expected, function)
    for (group, expected), functions in GROUPS.items()
    for function in functions
}
