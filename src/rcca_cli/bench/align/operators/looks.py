"""Wrong looks: style rules, classes and what is shown and hidden."""

import re
from collections.abc import Iterator

from rcca_cli.bench.align.operators.page import Edits, Page

VALUES = {"none": "block", "block": "none", "bold": "normal", "underline": "none", "line-through": "none"}
SIZE = re.compile(r"(\d+)(px|rem|em|%)")
NAMED = re.compile(r"\b(red|green|blue|orange|teal|navy|crimson|gold|tomato|white|black)\b")
CLASS = re.compile(r"([#.])([A-Za-z][\w-]*)")


def dropped_declaration(page: Page) -> Iterator[Edits]:
    """Leaves a declaration out."""
    for declaration in page.style("declaration"):
        yield declaration.without()


def wrong_declaration(page: Page) -> Iterator[Edits]:
    """Another value."""
    for declaration in page.style("declaration"):
        name, _, value = declaration.text.rstrip(";").partition(":")
        new = VALUES.get(value.strip()) or SIZE.sub(lambda size: f"{int(size[1]) // 2}{size[2]}", value)
        new = NAMED.sub("gray", new)
        if new.strip() != value.strip():
            yield declaration.becomes(f"{name}: {new.strip()};")


def wrong_property(page: Page) -> Iterator[Edits]:
    """A property that there is not."""
    for declaration in page.style("declaration"):
        name, _, value = declaration.text.rstrip(";").partition(":")
        yield declaration.becomes(f"{name}s: {value.strip()};")


def renamed_selector(page: Page) -> Iterator[Edits]:
    """A rule for a class or an id that no element has."""
    for selector in page.style("selectors"):
        found = CLASS.search(selector.text)
        if found:
            new = selector.text[: found.start()] + f"{found[1]}{found[2]}-item" + selector.text[found.end() :]
            yield selector.becomes(new)


def dropped_rule(page: Page) -> Iterator[Edits]:
    """Leaves a rule out."""
    for rule in page.style("rule_set"):
        yield rule.without()


def unseen(page: Page) -> Iterator[Edits]:
    """A rule that hides what it is for."""
    for rule in page.style("rule_set"):
        place = rule.text.find("{")
        selector = rule.text[:place].strip()
        if place > 0 and CLASS.search(selector) and "hidden" not in rule.text:
            start = rule.span[0] + place + 1
            yield (page.place(start - page.start, start - page.start, " opacity: 0; z-index: -1;"),)


def hidden(page: Page) -> Iterator[Edits]:
    """Markup that hides an element, or no longer does."""
    for element in page.elements:
        attribute = element.attributes.get("hidden")
        if attribute is not None:
            yield (page.place(attribute.start - 1, attribute.end, ""),)
        elif element.tag in ("p", "button", "span", "div", "output", "strong", "li", "b", "h2", "td", "svg"):
            place = element.start + 1 + len(element.tag)
            yield (page.place(place, place, " hidden"),)


def renamed_class(page: Page) -> Iterator[Edits]:
    """An element without the class that its rule is for."""
    for element in page.elements:
        attribute = element.attributes.get("class")
        if attribute and attribute.value_start < attribute.value_end:
            yield (page.place(attribute.value_end, attribute.value_end, "-item"),)


def toggled_class(page: Page) -> Iterator[Edits]:
    """A script that sets another class than the one with the rule."""
    for call in page.code("call_expression"):
        function, arguments = call.part("function"), call.part("arguments")
        if function is None or arguments is None or ".classList." not in function.text or not arguments.parts:
            continue
        name = arguments.parts[0]
        if name.kind == "string":
            yield name.becomes(name.text[:-1] + "-item" + name.text[-1])


def script_style(page: Page) -> Iterator[Edits]:
    """A script that sets another style, or nothing."""
    for assignment in page.code("assignment_expression"):
        left, right = assignment.part("left"), assignment.part("right")
        name = left.part("property") if left is not None else None
        if left is None or right is None or name is None:
            continue
        if re.search(r"\b(?:style|look)\b", left.text):
            yield name.becomes("outline" if name.text != "outline" else "color")
            yield right.becomes('""')
        elif name.text in ("className", "hidden"):
            yield right.becomes('""' if name.text == "className" else "false")
