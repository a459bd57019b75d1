"""Wrong logic: the code runs and does something else."""

import re
from collections.abc import Iterator

from rcca_cli.bench.align.operators.page import FUNCTIONS, Code, Edits, Page

SWAPS = {
    "===": "!==",
    "!==": "===",
    "==": "!=",
    "!=": "==",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "*",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
}
METHODS = {
    "push": "unshift",
    "unshift": "push",
    "min": "max",
    "max": "min",
    "floor": "ceil",
    "ceil": "floor",
    "every": "some",
    "some": "every",
    "add": "remove",
    "remove": "add",
    "append": "prepend",
    "includes": "startsWith",
    "toLowerCase": "trim",
}
NAME = re.compile(r"[A-Za-z_$][\w$]*")


def operator(page: Page) -> Iterator[Edits]:
    """Another operator of the same kind."""
    for kind in ("binary_expression", "augmented_assignment_expression"):
        for expression in page.code(kind):
            sign = expression.part("operator")
            if sign is not None and sign.text in SWAPS:
                yield sign.becomes(SWAPS[sign.text])


def negation(page: Page) -> Iterator[Edits]:
    """A condition turned round."""
    for kind in ("if_statement", "ternary_expression"):
        for one in page.code(kind):
            condition = one.part("condition")
            if condition is not None:
                inner = condition.text.removeprefix("(").removesuffix(")") if kind == "if_statement" else condition.text
                yield condition.becomes(f"(!({inner}))")


def off_by_one(page: Page) -> Iterator[Edits]:
    """A number one too large or too small."""
    for number in page.code("number"):
        if number.text.isdigit():
            value = int(number.text)
            yield number.becomes(str(value + 1))
            if value:
                yield number.becomes(str(value - 1))


def wrong_variable(page: Page) -> Iterator[Edits]:
    """Another variable of the same function."""
    for name in page.code("identifier"):
        outer = next((one for one in name.around if one.kind in FUNCTIONS), None)
        parent = next(name.around, None)
        if (
            outer is None
            or parent is None
            or parent.kind not in ("arguments", "binary_expression", "template_substitution")
        ):
            continue
        for other in _variables(outer):
            if other != name.text:
                yield name.becomes(other)


def _variables(function: Code) -> list[str]:
    """The parameters of a function and what it declares."""
    found: dict[str, None] = {}
    head = function.part("parameters") or function.part("parameter")
    if head is not None:
        found |= dict.fromkeys(NAME.findall(head.text.partition("=")[0]))
    for declared in re.findall(r"\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)", function.text):
        found[declared] = None
    return list(found)


def dropped_update(page: Page) -> Iterator[Edits]:
    """Leaves out a statement that changes the state."""
    yield from _left_out(page, ("assignment_expression", "augmented_assignment_expression", "update_expression"))


def dropped_call(page: Page) -> Iterator[Edits]:
    """Leaves out a call: what was changed is not shown, kept or passed on."""
    yield from _left_out(page, ("call_expression",))


def _left_out(page: Page, kinds: tuple[str, ...]) -> Iterator[Edits]:
    for statement in page.code("expression_statement"):
        inner = statement.parts[0] if statement.parts else None
        if inner is not None and inner.kind in kinds and statement.runs_later and len(statement.text) < 200:
            yield statement.without()


def method(page: Page) -> Iterator[Edits]:
    """A method that does the like, or the opposite."""
    for call in page.code("call_expression"):
        function = call.part("function")
        name = function.part("property") if function is not None and function.kind == "member_expression" else None
        if name is not None and name.text in METHODS:
            yield name.becomes(METHODS[name.text])


def swapped(page: Page) -> Iterator[Edits]:
    """The two values of a conditional expression, each in the other's place."""
    for one in page.code("ternary_expression"):
        first, second = one.part("consequence"), one.part("alternative")
        if first is not None and second is not None and len(one.text) < 160:
            between = page.text[first.span[1] : second.span[0]]
            start, end = first.span[0], second.span[1]
            yield (page.place(start - page.start, end - page.start, second.text + between + first.text),)


def wrong_text(page: Page) -> Iterator[Edits]:
    """Words of another element than those asked for."""
    found = []
    for element in page.elements:
        end = element.end if element.end_tag_start is None else element.end_tag_start
        inner = page.document.text[element.start_tag_end : end]
        if element.tag not in ("script", "style", "title") and inner.strip() and "<" not in inner and len(inner) < 60:
            found.append((element.start_tag_end, end, inner))
    for (start, end, inner), (_, _, other) in zip(found, found[1:] + found[:1], strict=True):
        if inner != other:
            yield (page.place(start, end, other),)


def wrong_value(page: Page) -> Iterator[Edits]:
    """Another first value of a control."""
    for element in page.elements:
        attribute = element.attributes.get("value")
        if attribute and attribute.value and attribute.value_start < attribute.value_end:
            new = attribute.value + "0" if attribute.value.isdigit() else attribute.value[:-1]
            yield (page.place(attribute.value_start, attribute.value_end, new),)


def first_state(page: Page) -> Iterator[Edits]:
    """Another first value of what many items share."""
    for declared in page.code("variable_declarator"):
        value = declared.part("value")
        if value is None or declared.runs_later:
            continue
        if value.text.isdigit():
            yield value.becomes(str(int(value.text) + 1))
        elif value.text in ("true", "false"):
            yield value.becomes("false" if value.text == "true" else "true")
        elif value.kind == "string" and len(value.text) > 2:
            yield value.becomes(value.text[0] + value.text[-1])


def dropped_shared_call(page: Page) -> Iterator[Edits]:
    """Leaves out a statement of a function that several others call."""
    for function in page.code("function_declaration"):
        name = function.part("name")
        if name is None or len(re.findall(rf"\b{re.escape(name.text)}\b", page.text)) < 4:
            continue
        start, end = function.span
        for edits in [*dropped_call(page), *dropped_update(page)]:
            if start < edits[0].start and edits[0].end < end:
                yield edits
