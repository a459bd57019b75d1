"""What a step can expect (`EXPECTATIONS`). To add one: a judgement in judging.py, an entry here."""

from collections.abc import Mapping
from typing import Any

from rcca_cli.checks import fields as kinds
from rcca_cli.checks import judging
from rcca_cli.checks.actions import ANY, COLOUR, SHAPE, TARGET
from rcca_cli.checks.fields import Entry, Field
from rcca_cli.checks.page import Query

Step = Mapping[str, Any]


def _look(step: Step) -> Query:
    return {"target": step["target"]}


def _look_text(step: Step) -> Query:
    return {"target": step["target"], "text": True}


def _look_attribute(step: Step) -> Query:
    return {"target": step["target"], "attribute": step["name"]}


def _look_drawn(step: Step) -> Query:
    return {"target": step["target"], "shape": step["shape"], "colour": step["colour"]}


def _look_pixels(step: Step) -> Query:
    return {"target": step["target"], "pixels": True}


def _look_style(step: Step) -> Query:
    return {"target": step["target"], "property": step["property"], "values": judging.style_values(step)}


CONTAINS, EQUALS = Field("contains", kinds.words, None), Field("equals", kinds.string, None)
LEFT, RIGHT = Field("left", kinds.reading), Field("right", kinds.reading)
HOW_MANY = tuple(Field(name, kinds.integer, None) for name in ("equals", "at_least", "at_most"))
NAMES = (Field("left", kinds.name), Field("right", kinds.name))

EXPECTATIONS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "text",
            judging.text,
            (ANY, CONTAINS, EQUALS, Field("lacks", kinds.words, None), Field("matches", kinds.pattern, None)),
            query=_look_text,
            one_of=("contains", "equals", "lacks", "matches"),
        ),
        Entry(
            "count",
            judging.count,
            (TARGET, *HOW_MANY),
            query=_look,
            one_of=tuple(field.name for field in HOW_MANY),
        ),
        Entry("value", judging.value, (TARGET, EQUALS, CONTAINS), query=_look, one_of=("equals", "contains")),
        Entry("visible", judging.visible, (TARGET,), query=_look),
        Entry("hidden", judging.hidden, (TARGET,), query=_look),
        Entry("enabled", judging.state("enabled", lambda seen: seen["enabled"]), (TARGET,), query=_look),
        Entry("disabled", judging.state("disabled", lambda seen: not seen["enabled"]), (TARGET,), query=_look),
        Entry("checked", judging.checked, (TARGET, Field("is", kinds.boolean, True)), query=_look),
        Entry(
            "attribute",
            judging.attribute,
            (TARGET, Field("name", kinds.string), EQUALS, CONTAINS, Field("present", kinds.boolean, None)),
            query=_look_attribute,
            one_of=("equals", "contains", "present"),
        ),
        Entry(
            "style",
            judging.style,
            (
                TARGET,
                Field("property", kinds.string),
                EQUALS,
                Field("differs", kinds.string, None),
                Field("one_of", kinds.strings, None),
            ),
            query=_look_style,
            one_of=("equals", "differs", "one_of"),
        ),
        Entry("focused", judging.state("focused", lambda seen: seen["focused"]), (TARGET,), query=_look),
        Entry(
            "number",
            judging.number,
            (
                LEFT,
                Field("op", kinds.choice("==", "!=", "<", "<=", ">", ">=")),
                RIGHT,
                Field("plus", kinds.number, 0),
                Field("tolerance", kinds.number, 1e-6),
            ),
            readings=("left", "right"),
        ),
        Entry("painted", judging.painted, (TARGET,), query=_look_pixels),
        Entry(
            "drawn",
            judging.drawn,
            (TARGET, SHAPE, COLOUR, *HOW_MANY),
            query=_look_drawn,
            one_of=tuple(field.name for field in HOW_MANY),
        ),
        Entry("same", judging.same, NAMES, readings=("left", "right")),
        Entry("differs", judging.differs, NAMES, readings=("left", "right")),
    )
}
