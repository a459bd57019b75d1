"""How each expectation judges what was seen: in words what is wrong, or None. The table is in expectations.py."""

from collections.abc import Mapping
from typing import Any

import regex

from rcca_cli.checks import words
from rcca_cli.checks.page import Seen
from rcca_cli.checks.targets import phrase

Step = Mapping[str, Any]
Memory = Mapping[str, Any]
NOTHING = "nothing that matches"
PATIENCE = 0.5  # seconds; every other page waits meanwhile


def text(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The visible text contains, equals, lacks or matches this.

    Case and spacing do not matter; words and numbers are whole ("Count: 1" is not in "Count: 12").
    """
    found = words.plain(seen["text"] or "")
    if not seen["found"] and step["lacks"] is None:
        return f"expected {_wanted(step)} in {phrase(step['target'])}, found {NOTHING}"
    met = (
        (step["contains"] is not None and words.holds(found, step["contains"]))
        or (step["equals"] is not None and found == words.plain(step["equals"]))
        or (step["lacks"] is not None and not words.holds(found, step["lacks"]))
        or (step["matches"] is not None and _matches(step["matches"], found))
    )
    if met:
        return None
    return f"expected {_wanted(step)} in {phrase(step['target'], seen['alternative'])}, found {quoted(seen['text'])}"


def _matches(pattern: str, found: str) -> bool:
    """Whether the pattern is in the text; one that the app's text sends astray for PATIENCE seconds is not."""
    try:
        return regex.search(pattern, found, regex.IGNORECASE, timeout=PATIENCE) is not None
    except TimeoutError:
        return False


def _wanted(step: Step) -> str:
    if step["lacks"] is not None:
        return f"no “{step['lacks']}”"
    if step["matches"] is not None:
        return f"a match of /{step['matches']}/"
    return f"“{step['contains'] if step['contains'] is not None else step['equals']}”"


def quoted(value: str | None, limit: int = 80) -> str:
    """What was found, short enough for one line.

    >>> quoted("a  b"), quoted("")
    ('“a b”', 'no text')
    """
    flat = " ".join((value or "").split())
    return f"“{flat[:limit]}{'…' if len(flat) > limit else ''}”" if flat else "no text"


def count(seen: Seen, step: Step, memory: Memory) -> str | None:
    """This many visible elements match the target."""
    return _many(seen["visible"], phrase(step["target"]), step)


def _many(n: int, of: str, step: Step) -> str | None:
    for key, met, wanted in (
        ("equals", n == step["equals"], "{}"),
        ("at_least", n >= (step["at_least"] or 0), "at least {}"),
        ("at_most", n <= (step["at_most"] or 0), "at most {}"),
    ):
        if step[key] is not None and not met:
            return f"expected {wanted.format(step[key])} of {of}, found {n}"
    return None


def value(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The field holds this value."""
    wanted = f"“{step['equals'] if step['equals'] is not None else step['contains']}”"
    if not seen["found"]:
        return f"expected {wanted} in {phrase(step['target'])}, found {NOTHING}"
    found = seen["value"] or ""
    if step["equals"] is not None and words.plain(found) == words.plain(step["equals"]):
        return None
    if step["contains"] is not None and words.holds(found, step["contains"]):
        return None
    return f"expected {wanted} in {phrase(step['target'], seen['alternative'])}, found {quoted(found)}"


def visible(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The target can be seen."""
    if seen["visible"]:
        return None
    found = "it is hidden" if seen["found"] else f"found {NOTHING}"
    return f"expected {phrase(step['target'], seen['alternative'])} to be visible, {found}"


def hidden(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The target cannot be seen, or is not there."""
    if not seen["visible"]:
        return None
    return f"expected {phrase(step['target'], seen['alternative'])} to be hidden, it is visible"


def state(wanted: str, holds: Any) -> Any:
    def judge(seen: Seen, step: Step, memory: Memory) -> str | None:
        if not seen["found"]:
            return f"expected {phrase(step['target'])} to be {wanted}, found {NOTHING}"
        return (
            None if holds(seen) else f"expected {phrase(step['target'], seen['alternative'])} to be {wanted}, it is not"
        )

    judge.__doc__ = f"The target is {wanted}."
    return judge


def checked(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The checkbox, switch or radio button is on, or off with `is` false."""
    wanted = "on" if step["is"] else "off"
    if not seen["found"]:
        return f"expected {phrase(step['target'])} to be {wanted}, found {NOTHING}"
    if seen["checked"] is step["is"]:
        return None
    found = "is neither on nor off" if seen["checked"] is None else f"is {'on' if seen['checked'] else 'off'}"
    return f"expected {phrase(step['target'], seen['alternative'])} to be {wanted}, it {found}"


def attribute(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The attribute `name` equals or contains this, or is `present` (true or false)."""
    found, name = seen["attribute"], step["name"]
    where = f"the attribute {name} of {phrase(step['target'], seen['alternative'])}"
    if not seen["found"]:
        return f"expected {where}, found {NOTHING}"
    if step["present"] is not None:
        return None if (found is not None) is step["present"] else f"expected {where} {_presence(step['present'])}"
    if step["equals"] is not None and words.plain(found or "") == words.plain(step["equals"]) and found is not None:
        return None
    if step["contains"] is not None and words.holds(found or "", step["contains"]):
        return None
    wanted = step["equals"] if step["equals"] is not None else step["contains"]
    return f"expected “{wanted}” in {where}, found {'none' if found is None else quoted(found)}"


def _presence(present: bool) -> str:
    return "to be there, it is not" if present else "not to be there, it is"


def style(seen: Seen, step: Step, memory: Memory) -> str | None:
    """The computed value of a CSS property equals this, differs from it, or is one of these (colours as colours)."""
    where = f"the {step['property']} of {phrase(step['target'], seen['alternative'])}"
    if not seen["found"]:
        return f"expected {where}, found {NOTHING}"
    met = any(seen["same"]) is (step["differs"] is None)
    if met:
        return None
    wanted = "not " + step["differs"] if step["differs"] is not None else " or ".join(style_values(step))
    return f"expected {where} to be {wanted}, found {seen['style'] or 'none'}"


def style_values(step: Step) -> list[str]:
    single = step["equals"] if step["equals"] is not None else step["differs"]
    return list(step["one_of"]) if single is None else [single]


def painted(seen: Seen, step: Step, memory: Memory) -> str | None:
    """Something can be seen on the canvas: it has more than one colour."""
    if seen["painted"]:
        return None
    where = f"expected something on {phrase(step['target'], seen['alternative'])}"
    return f"{where}, it is empty" if seen["painted"] is False else f"{where}, {_no_canvas(seen)}"


def drawn(seen: Seen, step: Step, memory: Memory) -> str | None:
    """So many things of this `shape` and `colour` are drawn on the canvas and can be seen there."""
    where = f"{shapes(step)} on {phrase(step['target'], seen['alternative'])}"
    if seen["drawn"] is None:
        return f"expected {where}, {_no_canvas(seen)}"
    return _many(seen["drawn"]["count"], where, step)


def shapes(step: Step) -> str:
    """The shapes that a step is about, in words.

    >>> shapes({"shape": "circle", "colour": "red"}), shapes({"shape": "any", "colour": None})
    ('red circle', 'thing')
    """
    return f"{step['colour'] or ''} {'thing' if step['shape'] == 'any' else step['shape']}".strip()


def _no_canvas(seen: Seen) -> str:
    if not seen["found"]:
        return f"found {NOTHING}"
    return "no canvas that can be read" if seen["visible"] else "it is hidden"


def number(seen: Seen | None, step: Step, memory: Memory) -> str | None:
    """`left` compares with `right` + `plus` this way; each is a remembered name or a number."""
    left, right = (memory[one] if isinstance(one, str) else one for one in (step["left"], step["right"]))
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return f"expected two numbers, found {left!r} and {right!r}"
    right = right + step["plus"]
    if compare(left, step["op"], right, step["tolerance"]):
        return None
    told = step["left"] if isinstance(step["left"], str) else "a number"
    return f"expected {told} {step['op']} {right:g}, found {left:g}"


def compare(left: float, op: str, right: float, tolerance: float) -> bool:
    """The comparison, with equality meaning within the tolerance.

    >>> compare(0.1 + 0.2, "==", 0.3, 1e-6), compare(1, "<", 1.0000001, 1e-6)
    (True, False)
    """
    equal = abs(left - right) <= tolerance
    below, above = left < right and not equal, left > right and not equal
    return {"==": equal, "!=": not equal, "<": below, ">": above, "<=": not above, ">=": not below}[op]


def same(seen: Seen | None, step: Step, memory: Memory) -> str | None:
    """Two remembered readings are equal."""
    left, right = memory[step["left"]], memory[step["right"]]
    return None if left == right else f"expected {step['left']} to stay {_plain(left)}, found {_plain(right)}"


def differs(seen: Seen | None, step: Step, memory: Memory) -> str | None:
    """Two remembered readings are not equal."""
    left, right = memory[step["left"]], memory[step["right"]]
    return None if left != right else f"expected {step['right']} to differ from {step['left']}, both are {_plain(left)}"


def _plain(reading: Any) -> str:
    return quoted(reading) if isinstance(reading, str) else f"{reading:g}"
