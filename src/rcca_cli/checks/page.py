"""What a check needs of a page. `browser` has it; a test can bring its own."""

from collections.abc import Sequence
from typing import Any, Protocol, TypedDict

# A target as the page gets it: alternatives, each with one of role, label, text, placeholder, testid or css.
Target = list[dict[str, Any]]


class Query(TypedDict, total=False):
    """A question about one target; without a target, about the body of the page."""

    target: Target | None
    text: bool
    attribute: str
    property: str  # a CSS property
    values: list[str]  # what its computed value is compared with
    shape: str  # a shape on a canvas: any, rect, circle, line, polygon, text or image
    colour: str | None  # of the shape
    pixels: bool  # of a canvas


class Drawn(TypedDict):
    """Shapes on a canvas: how many there are, and the middles of the first, in pixels of the canvas."""

    count: int
    places: list[dict[str, float]]  # each with x and y


class Seen(TypedDict):
    """What there was to see: the number of matches, and the facts of the first one (the first visible, if any is)."""

    found: int
    visible: int
    alternative: int | None  # which of the target's alternatives matched
    text: str | None
    value: str | None
    enabled: bool
    checked: bool | None
    focused: bool
    attribute: str | None
    style: str | None
    same: list[bool]  # for each of the query's values: is the computed value this one?
    drawn: Drawn | None  # null where no canvas can be seen
    pixels: str | None  # a digest of a canvas; null where its pixels cannot be read
    painted: bool | None  # whether the canvas has more than one colour
    fault: str | None  # what is wrong with the question itself
    unreadable: str | None  # why, by no fault of the page, a canvas cannot be judged
    x: float
    y: float
    width: float
    height: float


class Touch(Protocol):
    """What became of an action: done (`problem` None), or why a user could not have done it."""

    @property
    def problem(self) -> str | None:
        """None, or absent, hidden, disabled, covered, unfit (the wrong kind of element) or option (no such option)."""

    @property
    def detail(self) -> str | None:
        """What stood in the way, in words."""

    @property
    def alternative(self) -> int | None:
        """Which of the target's alternatives matched."""

    @property
    def idle(self) -> bool:
        """Whether there was nothing to do, because all was already as wanted."""


class Page(Protocol):
    """A page that a user looks at and acts on. After each action it has come to rest when the method returns."""

    async def look(self, queries: Sequence[Query]) -> list[Seen]:
        """The answers, all taken at one moment."""

    async def linger(self, times: int) -> bool:
        """Wait a little longer for what may still come; False if nothing can, or after so many `times`."""

    async def click(self, target: Target, count: int) -> Touch:
        """Click, or double-click."""

    async def type(self, target: Target, text: str, submit: bool) -> Touch:
        """Replace the content of a field by typing."""

    async def press(self, key: str, target: Target | None, hold: float) -> Touch:
        """Press a key, on the target if there is one, and hold it for so many milliseconds."""

    async def select(self, target: Target, option: str) -> Touch:
        """Choose an option by its label or value."""

    async def check(self, target: Target, on: bool) -> Touch:
        """Tick or untick."""

    async def set(self, target: Target, value: str) -> Touch:
        """Give a control a value, as its own widget would."""

    async def drag(self, target: Target, to: Target | None, dx: float, dy: float) -> Touch:
        """Press the mouse on the target and let go at another place."""

    async def hover(self, target: Target) -> Touch:
        """Move the mouse over the target."""

    async def scroll(self, target: Target | None, dy: float) -> Touch:
        """Turn the mouse wheel."""

    async def wait(self, ms: float) -> None:
        """Let virtual time pass."""

    async def reload(self) -> None:
        """Load the page again; storage stays."""

    async def dialog(self, accept: bool, text: str | None) -> None:
        """Say how alerts, confirms and prompts are answered from now on."""
