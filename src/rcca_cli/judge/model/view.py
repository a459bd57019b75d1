"""A snapshot of the page in lines: every word of the app's is quoted, so that it cannot pass for one of ours."""

import json
from collections.abc import Mapping
from typing import Any

ELEMENTS = 200
SHORT = 200  # characters of one text


def lines(snapshot: Mapping[str, Any]) -> str:
    """The snapshot (eyes/snapshot.js), an element a line, indented as they are nested.

    >>> node = {"depth": 1, "tag": "button", "role": "button", "name": "Add", "text": "Add", "drawn": "", "value": None}
    >>> node |= {"options": None, "states": ["disabled"], "said": {"title": "Adds"}}
    >>> print(lines({"title": "To do", "address": "/", "nodes": [node], "left": 0, "hidden": 2}))
    page "To do" at "/", 2 hidden elements
      button "Add" disabled, says title "Adds"
    """
    head = f"page {quoted(snapshot['title'])} at {quoted(snapshot['address'])}"
    if snapshot["hidden"]:
        head += f", {snapshot['hidden']} hidden elements"
    tail = [f"… and {snapshot['left']} more elements"] if snapshot["left"] else []
    return "\n".join([head, *map(line, snapshot["nodes"]), *tail])


def line(node: Mapping[str, Any]) -> str:
    """One element: its role or tag, its name, what it shows if that is something else, its value and states."""
    words = [node["role"] or f"<{node['tag']}>"]
    if node["name"]:
        words.append(quoted(node["name"]))
    if node["text"] and node["text"] != node["name"]:
        words.append(f"shows {quoted(node['text'])}")
    if node["drawn"]:
        words.append(f"draws {quoted(node['drawn'])}")
    if node["value"] is not None:
        words.append(f"holds {quoted(node['value'])}")
    if node["options"]:
        words.append(f"of {', '.join(map(quoted, node['options']))}")
    words += node["states"]
    said = [f"says {name} {quoted(text)}" for name, text in node["said"].items()]
    return "  " * node["depth"] + ", ".join([" ".join(words), *said])


def quoted(text: str) -> str:
    """The text on one line, short, in quotes."""
    return json.dumps(text if len(text) <= SHORT else text[:SHORT] + "…", ensure_ascii=False)
