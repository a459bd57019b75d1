"""A keyboard: which key makes which character, and the events that pressing it takes (the US layout)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]


@dataclass(frozen=True)
class Key:
    """One key as events name it: `key`, `code`, the code of Windows, the text that it types.

    `shift` is the bit of Shift if the text takes that, `bit` the key's own among the modifiers, 0 if it is none.
    """

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0
    shift: int = 0
    bit: int = 0


_SIGNS = {  # a key's two characters, its code and its number
    ";:": ("Semicolon", 186), "=+": ("Equal", 187), ",<": ("Comma", 188), "-_": ("Minus", 189), ".>": ("Period", 190),
    "/?": ("Slash", 191), "`~": ("Backquote", 192), "[{": ("BracketLeft", 219), "\\|": ("Backslash", 220),
    "]}": ("BracketRight", 221), "'\"": ("Quote", 222),
}  # fmt: skip
_NAMED = {
    "Backspace": 8, "Tab": 9, "CapsLock": 20, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Insert": 45, "Delete": 46, "ContextMenu": 93,
    **{f"F{number}": 111 + number for number in range(1, 13)},
}  # fmt: skip
SHIFT = 8
_HELD = {"Alt": (18, 1), "Control": (17, 2), "Meta": (91, 4), "Shift": (16, SHIFT)}  # number, bit among the modifiers


def _layout() -> Iterator[tuple[str, Key]]:
    for letter in "abcdefghijklmnopqrstuvwxyz":
        for one in (letter, letter.upper()):
            yield one, Key(one, f"Key{letter.upper()}", ord(letter.upper()), one, shift=SHIFT * one.isupper())
    for digit, sign in zip("0123456789", ")!@#$%^&*(", strict=True):
        for one in (digit, sign):
            yield one, Key(one, f"Digit{digit}", ord(digit), one, shift=SHIFT * (one == sign))
    for pair, (code, number) in _SIGNS.items():
        for one in pair:
            yield one, Key(one, code, number, one, shift=SHIFT * (one == pair[1]))
    for name in (" ", "Space"):
        yield name, Key(" ", "Space", 32, " ")
    for name in ("\n", "\r", "Enter"):
        yield name, Key("Enter", "Enter", 13, "\r")
    for name, number in _NAMED.items():
        yield name, Key(name, name, number)
    for name, (number, bit) in _HELD.items():
        yield name, Key(name, f"{name}Left", number, location=1, bit=bit)


LAYOUT = dict(_layout())


def press(combination: str) -> Iterator[Event]:
    """The events of pressing and letting go a key, with others held if there are (`Control+z`; see checks/keys.py)."""
    *names, last = _keys(combination)
    held = [LAYOUT[name] for name in names]
    bits = 0
    for one in held:
        bits |= one.bit
        yield _down(one, bits, bits)
    key = LAYOUT.get(last) or Key(last, "", 0, last)
    bits = bits if held else key.shift  # who holds other keys says all that is held
    yield _down(key, bits | key.bit, bits)
    yield _up(key, bits)
    for one in reversed(held):
        bits &= ~one.bit
        yield _up(one, bits)


def _keys(combination: str) -> list[str]:
    if len(combination) == 1:
        return [combination]
    return [*combination[:-2].split("+"), "+"] if combination.endswith("++") else combination.split("+")


def halves(combination: str) -> tuple[list[Event], list[Event]]:
    """The events of pressing, and those of letting go."""
    events = list(press(combination))
    first = next(place for place, event in enumerate(events) if event["type"] == "keyUp")
    return events[:first], events[first:]


def type_text(text: str) -> Iterator[Event | str]:
    """The events of typing, a key each; a character that no key has comes as itself, to be put in."""
    for character in text:
        if character in LAYOUT:
            yield from press(character)
        else:
            yield character


def _down(key: Key, bits: int, held: int) -> Event:
    text = "" if held & ~SHIFT else key.text  # Control, Alt and Meta make a command of a key; it types nothing
    kind = "keyDown" if text else "rawKeyDown"
    return _event(key, bits) | {"type": kind, "text": text, "unmodifiedText": text}


def _up(key: Key, bits: int) -> Event:
    return _event(key, bits) | {"type": "keyUp"}


def _event(key: Key, bits: int) -> Event:
    return {
        "modifiers": bits,
        "windowsVirtualKeyCode": key.number,
        "code": key.code,
        "key": key.key,
        "location": key.location,
    }
