"""Short names for the steps and targets of the check language (docs/checks.md), so that a family reads well."""

from typing import Any

Target = dict[str, Any] | list[dict[str, Any]]
Step = dict[str, Any]


def check(cases: list[dict[str, Any]], *steps: Step) -> dict[str, Any]:
    """A check of these cases, each of which runs all the steps on a fresh page."""
    return {"cases": cases, "steps": list(steps)}


def drawn(values: dict[str, dict[str, Any]], *steps: Step) -> dict[str, Any]:
    """A check of two cases whose values are drawn when it is played."""
    return {"draw": values, "steps": list(steps)}


def button(name: str) -> dict[str, Any]:
    """The button with this name."""
    return {"role": "button", "name": name}


def field(label: str) -> Target:
    """The control with this label (or, failing that, this placeholder)."""
    return [{"label": label}, {"placeholder": label}]


def text(words: str) -> dict[str, Any]:
    """The innermost element with these words."""
    return {"text": words}


def click(target: Target, count: Any = 1) -> Step:
    """Press it, `count` times."""
    return {"do": "click", "target": target} | ({} if count == 1 else {"count": count})


def write(target: Target, words: Any) -> Step:
    """Clear the control and type into it."""
    return {"do": "type", "target": target, "text": words}


def choose(target: Target, option: str) -> Step:
    """Choose an option of a list."""
    return {"do": "select", "target": target, "option": option}


def tick(target: Target, on: Any = True) -> Step:
    """Switch a checkbox on or off."""
    return {"do": "check", "target": target, "on": on}


def slide(target: Target, value: Any) -> Step:
    """Set a slider."""
    return {"do": "set", "target": target, "value": value}


def wait(ms: Any) -> Step:
    """Let virtual time pass."""
    return {"do": "wait", "ms": ms}


def number(name: str, after: str) -> Step:
    """Remember the first number that the page shows after these words."""
    return {"do": "read", "as": name, "what": "number", "after": after}


def shows(words: str) -> Step:
    """Expect these words somewhere on the page."""
    return {"expect": "text", "contains": words}


def lacks(words: str) -> Step:
    """Expect these words nowhere on the page."""
    return {"expect": "text", "lacks": words}


def compare(left: Any, op: str, right: Any, plus: Any = 0) -> Step:
    """Expect `left op right + plus` of remembered or given numbers."""
    return {"expect": "number", "left": left, "op": op, "right": right} | ({} if plus == 0 else {"plus": plus})


def visible(target: Target) -> Step:
    """Expect it to be seen."""
    return {"expect": "visible", "target": target}


def hidden(target: Target) -> Step:
    """Expect it not to be seen."""
    return {"expect": "hidden", "target": target}


def holds(target: Target, value: Any) -> Step:
    """Expect the control to have this value."""
    return {"expect": "value", "target": target, "equals": value}


def styled(target: Target, name: str, value: Any) -> Step:
    """Expect this computed style."""
    return {"expect": "style", "target": target, "property": name, "equals": value}
