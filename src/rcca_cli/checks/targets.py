"""Targets: how a step names what it is about, the way a user would."""

from difflib import get_close_matches
from typing import Any

# WAI-ARIA 1.3 and what browsers have beside it. A name that is none of them matches nothing, in no app.
ROLES = frozenset((
    "alert", "alertdialog", "application", "article", "banner", "blockquote", "button", "caption", "cell",
    "checkbox", "code", "columnheader", "combobox", "comment", "complementary", "contentinfo", "definition",
    "deletion", "dialog", "directory", "document", "emphasis", "feed", "figure", "form", "generic", "grid",
    "gridcell", "group", "heading", "image", "img", "insertion", "link", "list", "listbox", "listitem", "log",
    "main", "mark", "marquee", "math", "menu", "menubar", "menuitem", "menuitemcheckbox", "menuitemradio",
    "meter", "navigation", "none", "note", "option", "paragraph", "presentation", "progressbar", "radio",
    "radiogroup", "region", "row", "rowgroup", "rowheader", "scrollbar", "search", "searchbox", "separator",
    "slider", "spinbutton", "status", "strong", "subscript", "suggestion", "superscript", "switch", "tab",
    "table", "tablist", "tabpanel", "term", "textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid",
    "treeitem",
))  # fmt: skip
WAYS = ("role", "label", "text", "placeholder", "testid", "css")
EXTRAS: dict[str, Any] = {"name": str, "nth": int, "within": (dict, list), "exact": bool}
_NOUNS = {
    "textbox": "text field", "searchbox": "search field", "spinbutton": "number field", "combobox": "drop-down",
    "listitem": "list item", "img": "image", "option": "option", "progressbar": "progress bar", "status": "status",
}  # fmt: skip


class TargetError(ValueError):
    """What is wrong with a target, without its place."""


def normal(target: Any) -> list[dict[str, Any]]:
    """`target` as a list of alternatives; TargetError if it is none."""
    alternatives = target if isinstance(target, list) else [target]
    if not alternatives:
        raise TargetError("expected a target, not an empty list")
    return [_alternative(one) for one in alternatives]


def _alternative(one: Any) -> dict[str, Any]:
    if not isinstance(one, dict):
        raise TargetError(f'expected a target like {{"role": "button", "name": "Add"}}, not {one!r}')
    ways = [way for way in WAYS if way in one]
    if len(ways) != 1:
        raise TargetError(f"a target has exactly one of {', '.join(WAYS)}")
    for key, value in one.items():
        if key in WAYS:
            if not isinstance(value, str) or not value.strip():
                raise TargetError(f"{key}: expected words, not {value!r}")
            if key == "role" and "{" not in value and value.lower() not in ROLES:
                near = get_close_matches(value.lower(), ROLES, 1)
                raise TargetError(f"role: there is no role {value!r}" + (f" (is it {near[0]!r}?)" if near else ""))
        elif key not in EXTRAS:
            raise TargetError(f"{key}: no such key (a target has {', '.join([*WAYS, *EXTRAS])})")
        elif not isinstance(value, EXTRAS[key]) or (key == "nth" and isinstance(value, bool)) or value == "":
            raise TargetError(f"{key}: {value!r} does not fit")
    if "name" in one and "role" not in one:
        raise TargetError("name: goes with role only")
    return one | ({"within": normal(one["within"])} if "within" in one else {})


def phrase(target: list[dict[str, Any]] | None, alternative: int | None = None) -> str:
    """The target in words; `alternative` is the one that matched, else the first stands for all.

    >>> phrase([{"role": "button", "name": "Add"}]), phrase([{"label": "Bill"}])
    ('the button “Add”', 'the field labelled “Bill”')
    """
    if not target:
        return "the page"
    one = target[alternative or 0]
    words = _noun(one)
    if "nth" in one:
        words = f"{_ordinal(one['nth'])} of {words}"
    if "within" in one:
        words += f" in {phrase(one['within'])}"
    return words


def _noun(one: dict[str, Any]) -> str:
    if "role" in one:
        noun = _NOUNS.get(one["role"], one["role"])
        return f"the {noun} “{one['name']}”" if one.get("name") else f"the {noun}"
    if "label" in one:
        return f"the field labelled “{one['label']}”"
    if "text" in one:
        return f"the text “{one['text']}”"
    if "placeholder" in one:
        return f"the field with the placeholder “{one['placeholder']}”"
    return f"the element with test id “{one['testid']}”" if "testid" in one else f"the element “{one['css']}”"


def _ordinal(nth: int) -> str:
    names = {0: "the first", 1: "the second", 2: "the third", -1: "the last"}
    return names.get(nth, f"number {nth + 1}" if nth >= 0 else f"number {-nth} from the end")
