"""Keys by the names that browsers give them (`KeyboardEvent.key`), and the short ones that people write."""

_NAMES = (
    "Enter Tab Escape Backspace Delete Insert Space Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight "
    "Shift Control Alt Meta CapsLock ContextMenu F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
)
NAMED = frozenset(_NAMES.split())  # as one text, for its width
SHORT = {
    "esc": "Escape", "return": "Enter", "ctrl": "Control", "cmd": "Meta", "del": "Delete", "option": "Alt",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", " ": "Space",
}  # fmt: skip
BY_LOWER = {name.lower(): name for name in NAMED}


def normal(key: str) -> str:
    """A key, or several held together (`Control+z`), each by its own name; ValueError for one that no keyboard has.

    >>> normal("ctrl+z"), normal("esc"), normal("a"), normal("+"), normal("Control++")
    ('Control+z', 'Escape', 'a', '+', 'Control++')
    """
    if len(key) == 1:
        return SHORT.get(key, key)
    held, last = (key[:-2].split("+"), "+") if key.endswith("++") else (key.split("+")[:-1], key.split("+")[-1])
    return "+".join(map(_one, [*held, last]))


def _one(part: str) -> str:
    name = SHORT.get(part.lower()) or BY_LOWER.get(part.lower())
    if name is None and len(part) != 1:
        raise ValueError(f"no key {part!r} (a single character, or {', '.join(sorted(NAMED))})")
    return name or part
