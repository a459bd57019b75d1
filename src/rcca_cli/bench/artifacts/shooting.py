"""Looks at pages as the released harness does: its extraction, its browser, its pictures, real seconds (harness.py)."""

import struct
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rcca_cli.bench.artifacts import official
from rcca_cli.bench.artifacts.evidence import Album, Evidence, Failure, Picture


@dataclass(frozen=True)
class Shooter:
    """Takes three pictures a second apart; `seconds` is for each of its steps, as released by default."""

    album: Album
    seconds: float = 600.0
    network: bool = False

    def evidence(self, answer: str) -> Evidence:
        """What the released harness would show of an answer. Each page has a folder of its own: none is left over."""
        if not answer:
            return Evidence("none", "no_answer", "the answer is empty")
        page = official.page(answer)
        if page is None:
            kind = official.kind(answer)
            why = "a drawing alone is not rendered" if kind else "no page is recognised"
            return Evidence("wrapped_svg" if kind else "none", "no_code", why)
        from rcca_cli.browser import harness

        with tempfile.TemporaryDirectory(prefix="rcca-") as folder:
            place = Path(folder) / "html.html"
            place.write_text(page, encoding="utf-8", errors="replace")
            taken = harness.taken(place, Path(folder), round(1000 * self.seconds), self.network)
            frames = tuple(self._picture(shot.read_bytes()) for shot in taken.shots)
        failure: Failure | None = "broken" if taken.problem else None
        return Evidence("ok", failure, taken.problem, frames, len(frames), facts={"browser": taken.version})

    def _picture(self, png: bytes) -> Picture:
        width, height = struct.unpack(">II", png[16:24])
        return Picture(self.album.keep(png), width, height, "")
