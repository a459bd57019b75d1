"""A folder of npm packages, NAME@VERSION each, that answers in the place of the CDNs."""

import json
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rcca_cli import seeds
from rcca_cli.browser.cdn import Lack, Wanted
from rcca_cli.errors import RccaError

RELEASE = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]+)?(?:\+.*)?$", re.A)
RANGE = re.compile(r"([\^~]?)v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.[x*]|\.[x*]\.[x*])?$", re.A)
# Where packages keep what a CDN of built files has at its top.
FOLDERS = ("", "dist", "build", "lib", "min", "umd", "dist/js", "dist/css")
# The fields of package.json that name the default file, in each host's order.
DEFAULTS = {"cdn.jsdelivr.net": ("jsdelivr", "browser", "main"), "unpkg.com": ("unpkg", "browser", "main")}
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript", ".wasm": "application/wasm"}
BARE = re.compile(r"""(?:\bfrom|\bimport)\s*["'](?![./]|https?:)""")


@dataclass(frozen=True)
class File:
    """What is served."""

    body: bytes
    type: str


@dataclass(frozen=True)
class Moved:
    """The file is at another URL, against which what it imports is to be read."""

    url: str


class Mirror:
    """The packages in a folder. It prints as a digest of what it holds, because what a judge finds depends on that."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise RccaError(f"{folder}: no folder of packages (one NAME@VERSION each)")
        self._versions: dict[str, list[str]] = {}
        for place in sorted([*self.folder.glob("[!@]*@*"), *self.folder.glob("@*/*@*")]):
            name, _, version = place.relative_to(self.folder).as_posix().rpartition("@")
            if place.is_dir():
                self._versions.setdefault(name, []).append(version)

    @staticmethod
    def at(folder: str | None) -> "Mirror | None":
        """The mirror in a folder, if one is given."""
        return None if folder is None else Mirror(folder)

    def __str__(self) -> str:
        files = sorted(one for one in self.folder.rglob("*") if one.is_file())
        return seeds.digest([[one.relative_to(self.folder).as_posix(), one.stat().st_size] for one in files])

    def version(self, wanted: Wanted) -> str | None:
        """The version that answers: the one asked for, or the highest in the range; None if there is none."""
        return best(self._versions.get(wanted.package or "", []), wanted.version)

    def find(self, wanted: Wanted) -> File | Moved | None:
        """What is to be answered; None if the mirror has it not."""
        version = self.version(wanted)
        if version is None:
            return None
        root = (self.folder / f"{wanted.package}@{version}").resolve()
        place = _place(root, wanted)
        if place is None:
            return None
        relative = place.relative_to(root).as_posix()
        if wanted.module and BARE.search(place.read_text("utf-8", "replace")):
            return None  # it needs other packages, which only the CDN's own bundler would put in
        if (wanted.module or wanted.host == "unpkg.com") and relative != wanted.file:
            prefix = "cdn.jsdelivr.net/npm" if wanted.host in ("cdn.jsdelivr.net", "esm.run") else wanted.host
            return Moved(f"https://{prefix}/{wanted.package}@{version}/{quote(relative)}")
        kind = TYPES.get(place.suffix) or mimetypes.guess_type(place.name)[0] or "application/octet-stream"
        return File(place.read_bytes(), kind + ("; charset=utf-8" if kind.startswith("text/") else ""))

    def lack(self, wanted: Wanted) -> Lack | None:
        """Why `find` has no answer; None if it has one."""
        if self.find(wanted) is not None:
            return None
        if self.version(wanted) is None:
            return "package"
        # Of a host that lays files out as the package does, what the package has not is not there at all.
        return "bundle" if wanted.module else "layout" if wanted.built else "file"


def best(versions: list[str], wanted: str | None) -> str | None:
    """The highest of `versions` in the range `wanted`: exact, `3`, `3.1`, `3.x`, `^3.1`, `~3.1`, `latest` or None.

    >>> best(["3.1.0", "3.10.2", "4.0.0-beta"], "3")
    '3.10.2'
    """
    if wanted in versions:
        return wanted
    known = {one: match for one in versions if (match := RELEASE.match(one))}
    if wanted not in (None, "latest", "*"):
        match = RANGE.match(wanted or "")
        known = {one: release for one, release in known.items() if match and not release[4] and _in(release, match)}
    numbers = {one: (not match[4], *(int(match[part]) for part in (1, 2, 3))) for one, match in known.items()}
    return max(numbers, key=lambda one: (numbers[one], one), default=None)


def _in(release: re.Match[str], wanted: re.Match[str]) -> bool:
    """Whether a release is in a range. A plain one fixes all the numbers it has; `^` those up to the first not zero."""
    numbers = [int(release[part]) for part in (1, 2, 3)]
    least = [int(part) for part in wanted.groups()[1:] if part is not None]
    fixed = len(least)
    if wanted[1] == "~":
        fixed = min(fixed, 2)
    elif wanted[1] == "^":
        fixed = next((place for place, number in enumerate(least, 1) if number), fixed)
    return numbers[:fixed] == least[:fixed] and numbers >= least


def _place(root: Path, wanted: Wanted) -> Path | None:
    """The file in the package at `root`, never outside of it."""
    if wanted.file is None or wanted.module:
        names = _entries(_manifest(root), wanted)
        names += [f"{name}.js" for name in names]
    elif wanted.built:
        names = [f"{folder}/{wanted.file}".lstrip("/") for folder in FOLDERS]
    else:
        names = [wanted.file]
    if wanted.host != "unpkg.com":  # the others make the small file of the large one
        names += [re.sub(r"\.min\.(js|css)$", r".\1", name) for name in names]
    for name in names:
        try:
            place = (root / name).resolve()
            if place.is_relative_to(root) and place.is_file():
                return place
        except (OSError, ValueError, RuntimeError):  # no name that a file can have
            continue
    return None


def _manifest(root: Path) -> dict[str, Any]:
    try:
        found = json.loads((root / "package.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _entries(manifest: dict[str, Any], wanted: Wanted) -> list[str]:
    """The files that the package names as its default, in the host's order."""
    if wanted.module:
        exported = manifest.get("exports")
        entry = f"./{wanted.file}" if wanted.file else "."
        if isinstance(exported, dict) and any(key.startswith(".") for key in exported):
            exported = exported.get(entry)
        elif wanted.file:
            exported = None
        found = [_import(exported), *([wanted.file] if wanted.file else [manifest.get("module")])]
        if not wanted.file and manifest.get("type") == "module":
            found.append(manifest.get("main"))
    else:
        found = [manifest.get(field) for field in DEFAULTS.get(wanted.host, ("browser", "main"))]
        found.append("index.js")
    return [one.removeprefix("./") for one in found if isinstance(one, str)]


def _import(exported: Any) -> str | None:
    """The file that `import` gets by the `exports` of a package."""
    while isinstance(exported, dict):
        exported = next((exported[key] for key in ("browser", "import", "module") if key in exported), None)
    return exported if isinstance(exported, str) else None
