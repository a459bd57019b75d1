"""Values kept in a folder as JSON, each by the digest of all that it depends on, whole or not at all."""

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rcca_cli import seeds
from rcca_cli.errors import RccaError


class Store:
    """What is in `folder`; without one nothing is kept. A name is any JSON value. Threads may share it."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = Path(folder) if folder else None

    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self.folder is None or not any(self.folder.glob("??/*.json"))

    def read(self, name: Any) -> Any:
        """What is kept under this name; None if there is nothing that can be read, as after a crash."""
        place = self._place(name)
        with contextlib.suppress(OSError, ValueError):
            return json.loads(place.read_bytes()) if place else None
        return None

    def write(self, name: Any, value: Any) -> None:
        """Keep it. RccaError if the folder cannot be written."""
        place = self._place(name)
        if place is None:
            return
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=place.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(json.dumps(value, separators=(",", ":")).encode())  # also half a character
            os.replace(temporary, place)
        except OSError as error:
            raise RccaError(f"{place}: {error.strerror} (--cache takes a folder to write in)") from None

    def kept(self, name: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once for all time under this name."""
        known = self.read(name)
        if known is None:
            known = make()
            self.write(name, known)
        return known

    def _place(self, name: Any) -> Path | None:
        if self.folder is None:
            return None
        digest = seeds.digest(name, 16)
        return self.folder / digest[:2] / f"{digest[2:]}.json"
