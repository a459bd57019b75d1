"""What instruments find out about a page.

All positions are the browser's: lines and columns from 0, columns and offsets in UTF-16 units.
"""

from dataclasses import dataclass

CHAIN = 12  # how many elements around one are asked for listeners


@dataclass(frozen=True)
class Script:
    """Where a script of the page begins; a handler attribute begins at the end of its element's start tag."""

    line: int
    column: int


@dataclass(frozen=True)
class Frame:
    """One call on a stack: the function's name ("" if it has none) and where it stands."""

    function: str
    script: Script
    line: int
    column: int


@dataclass(frozen=True)
class Failure:
    """An error that was not caught; the innermost frame comes first, behind it those that awaited or scheduled."""

    message: str
    frames: tuple[Frame, ...]


@dataclass(frozen=True)
class Ran:
    """How often a function ran, and the blocks in it: (start, end, count), counted from the script's start."""

    function: str
    script: Script
    ranges: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Listener:
    """A function that waits for an event on the element (`depth` 0) or on one around it; CHAIN + 1 is the window."""

    type: str
    depth: int
    script: Script
    line: int
    column: int


@dataclass(frozen=True)
class Rule:
    """A style rule that applies. Places are (line, column) in its sheet, which begins at `sheet`.

    `declarations` are (property, value, start, end).
    """

    sheet: Script
    selector: str
    start: tuple[int, int]
    end: tuple[int, int]
    declarations: tuple[tuple[str, str, tuple[int, int], tuple[int, int]], ...]


@dataclass
class Element:
    """An element of interest: its place among the parsed ones (None if a script made it) and what belongs to it."""

    place: int | None
    tag: str
    created: tuple[Frame, ...] = ()
    listeners: tuple[Listener, ...] = ()
    rules: tuple[Rule, ...] = ()
