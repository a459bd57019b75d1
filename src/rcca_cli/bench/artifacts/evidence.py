"""What was seen of an answer's page, as plain values that a journal can keep; pictures are named by their digest."""

import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from rcca_cli.bench.artifacts.pages import Status

# What became of an action: the page changed; the field took its value and nothing else changed; nothing changed; it
# changed no more than it does by itself; it would have left the page; a user could not have done it.
Outcome = Literal["changed", "held", "nothing", "untold", "outside", "undone"]
# Why there is less to see than there should be. The last is our own fault, all others are the answer's.
Failure = Literal["no_answer", "no_code", "unsupported_stack", "hang", "crash", "blank", "broken", "browser_lost"]
PATCH = 28  # pixels: a vision model has a token for each square of this side


@dataclass(frozen=True)
class Picture:
    """A picture and what it shows; `at` is the page's own time in milliseconds, None of a strip."""

    sha256: str
    width: int
    height: int
    caption: str
    at: float | None = None

    @property
    def tokens(self) -> int:
        """How many a vision model spends on it, by the rule of squares of 28 pixels.

        >>> Picture("", 1280, 720, "").tokens
        1196
        """
        return -(-self.width // PATCH) * -(-self.height // PATCH)


@dataclass(frozen=True)
class Act:
    """One action on the page: what was done, what became of it, and the errors that it raised."""

    what: str
    outcome: Outcome
    detail: str = ""
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """All that the judge is shown beside the answer.

    `frames` are the page's pictures in order of time, those that are alike once each; `facts` are told in words.
    """

    status: Status
    failure: Failure | None = None
    why: str | None = None
    frames: tuple[Picture, ...] = ()
    shots: int = 0  # pictures that were taken, alike or not
    strip: Picture | None = None
    acts: tuple[Act, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Those to show, in order."""
        return self.frames + ((self.strip,) if self.strip else ())

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @staticmethod
    def of(told: Any) -> "Evidence | None":
        """From what `plain` gave; None from anything else, such as a journal that somebody has edited."""
        with contextlib.suppress(KeyError, TypeError, AttributeError):
            return Evidence._of(told)
        return None

    @staticmethod
    def _of(told: dict[str, Any]) -> "Evidence":
        acts = tuple(Act(**one | {"errors": tuple(one["errors"])}) for one in told["acts"])
        frames = tuple(Picture(**one) for one in told["frames"])
        strip = Picture(**told["strip"]) if told["strip"] else None
        return Evidence(**told | {"acts": acts, "frames": frames, "strip": strip})


class Album:
    """The pictures in a folder, each once, by the digest of its bytes. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, png: bytes) -> str:
        """The digest of a picture, which is on the disk from now on."""
        name = hashlib.sha256(png).hexdigest()
        place = self.place(name)
        if not place.exists():
            unfinished = place.with_suffix(f".{os.getpid()}.{id(png)}")
            unfinished.write_bytes(png)
            os.replace(unfinished, place)
        return name

    def place(self, name: str) -> Path:
        """Where a picture is."""
        return self.folder / f"{name}.png"

    def has(self, pictures: Sequence[Picture]) -> bool:
        """Whether all of these are there."""
        return all(self.place(one.sha256).is_file() for one in pictures)

    def read(self, picture: Picture) -> bytes:
        """Its bytes (PNG)."""
        return self.place(picture.sha256).read_bytes()
