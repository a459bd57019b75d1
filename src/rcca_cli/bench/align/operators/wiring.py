"""Broken wiring: what should react to the user no longer hears of it."""

import re
from collections.abc import Iterator

from rcca_cli.bench.align.operators.page import Code, Edits, Page

EVENTS = {"click": "clicked", "input": "inputs", "change": "changes", "submit": "send", "keydown": "keypressed"}
CONTROLS = ("button", "input", "select", "textarea")
HANDLER = re.compile(r"on[a-z]+")
QUERY = re.compile(r"[\"'`]([#.]?)([A-Za-z][\w-]*)[\"'`]")


def registrations(page: Page) -> Iterator[Code]:
    """The calls of addEventListener."""
    for call in page.code("call_expression"):
        function = call.part("function")
        if function is not None and function.text.endswith(".addEventListener"):
            yield call


def properties(page: Page) -> Iterator[Code]:
    """The `onclick` of assignments to an element's handler."""
    for assignment in page.code("assignment_expression"):
        left = assignment.part("left")
        name = left.part("property") if left is not None else None
        if name is not None and HANDLER.fullmatch(name.text):
            yield name


def event_name(page: Page) -> Iterator[Edits]:
    """Listens for an event that never comes."""
    for call in registrations(page):
        arguments = call.part("arguments")
        event = arguments.parts[0] if arguments is not None and arguments.parts else None
        if event is not None and event.kind == "string":
            name = event.text[1:-1]
            yield event.becomes(event.text[0] + EVENTS.get(name, f"on{name}") + event.text[-1])


def handler_name(page: Page) -> Iterator[Edits]:
    """Sets a handler under a name that nothing calls."""
    for name in properties(page):
        yield name.becomes(f"on{name.text[2:].capitalize()}")


def unlistened(page: Page) -> Iterator[Edits]:
    """Leaves out the statement that registers a handler."""
    found = [*registrations(page), *properties(page)]
    for one in found:
        statement = next((outer for outer in one.around if outer.kind.endswith("statement")), None)
        if statement is not None and statement.kind == "expression_statement" and len(statement.text) < 400:
            yield statement.without()


def inline_handler(page: Page) -> Iterator[Edits]:
    """Writes an on… attribute under a name that is none."""
    for element in page.elements:
        for name, attribute in element.attributes.items():
            if name.startswith("on"):
                yield (page.place(attribute.start, attribute.start + len(name), f"on-{name[2:]}"),)


def no_inline_handler(page: Page) -> Iterator[Edits]:
    """Leaves an on… attribute out."""
    for element in page.elements:
        for name, attribute in element.attributes.items():
            if name.startswith("on"):
                start = attribute.start - (page.text[page.start + attribute.start - 1] == " ")
                yield (page.place(start, attribute.end, ""),)


def disabled(page: Page) -> Iterator[Edits]:
    """A control that cannot be used."""
    for element in page.elements:
        if element.tag in CONTROLS and "disabled" not in element.attributes:
            place = element.start + 1 + len(element.tag)
            yield (page.place(place, place, " disabled"),)


def other_target(page: Page) -> Iterator[Edits]:
    """Looks up another element of the page than the one that is meant."""
    by_tag: dict[str, list[str]] = {}
    tags = {}
    for element in page.elements:
        if name := element.attribute("id"):
            by_tag.setdefault(element.tag, []).append(name)
            tags[name] = element.tag
    for string in page.code("string"):
        found = QUERY.fullmatch(string.text)
        if found and found[1] != "." and found[2] in tags:
            for other in by_tag[tags[found[2]]]:
                if other != found[2]:
                    yield string.becomes(string.text.replace(found[2], other))


def renamed_id(page: Page) -> Iterator[Edits]:
    """Gives an element another id than its script looks for."""
    for element in page.elements:
        attribute = element.attributes.get("id")
        if attribute and attribute.value in page.text[page.start + element.start_tag_end :]:
            for new in other_names(attribute.value):
                yield (page.place(attribute.value_start, attribute.value_end, new),)


def other_names(name: str) -> list[str]:
    """What somebody might call it elsewhere.

    >>> other_names("total-sum"), other_names("items")
    (['totalSum', 'total-sum-box', 'total-sums'], ['items-box', 'item'])
    """
    head, *rest = name.split("-")
    found = [head + "".join(word.capitalize() for word in rest)] if rest else []
    return [*found, f"{name}-box", name[:-1] if name.endswith("s") else f"{name}s"]
