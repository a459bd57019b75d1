"""Real single-file apps, and how much of them our parsers understand.

    python recipes/corpus.py corpus              # fetches apps from npm packages into this folder, and measures them
    python recipes/corpus.py corpus --no-fetch   # measures the HTML files of a folder, whatever they are

The apps are the demos and examples in packages whose names and versions are listed here; no copy is kept. A script
counts if `node --check` accepts it by the goal that its type declares. Wants node and npm.
"""

import argparse
import json
import subprocess
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rcca_cli import console, source
from rcca_cli.source import html, javascript
from rcca_cli.source.grammar import Captures

# Name: (version, the folders in the package that hold apps).
PACKAGES = {
    "3d-force-graph": ("1.80.0", "example/"),
    "aframe-forcegraph-component": ("3.3.0", "examples/"),
    "cannon": ("0.6.2", "demos/ examples/"),
    "chart.js": ("2.7.3", "samples/"),
    "chartjs-plugin-annotation": ("0.5.7", "samples/"),
    "clmtrackr": ("1.1.2", "examples/"),
    "cytoscape-context-menus": ("4.2.1", "demo"),
    "cytoscape-edgehandles": ("4.0.1", "demo"),
    "d3-graphviz": ("5.6.0", "examples/"),
    "dygraphs": ("2.2.2", "_site/tests/"),
    "force-graph": ("1.52.0", "example/"),
    "globe.gl": ("2.46.2", "example/"),
    "jspsych": ("6.3.1", "examples/"),
    "jsxgraph": ("1.13.3", "distrib/docs/"),
    "leaflet-draw": ("1.0.4", "docs/"),
    "leaflet.markercluster": ("1.5.3", "example/"),
    "medium-editor": ("5.23.3", "demo/"),
    "networked-aframe": ("0.14.3", "examples/"),
    "nvd3": ("1.8.6", "examples/ test/"),
    "p2": ("0.7.1", "demos/ examples/"),
    "smoothie": ("1.36.1", "examples/ builder/"),
    "super-hands": ("3.0.6", "examples/ machinima_tests/"),
    "three-globe": ("2.45.2", "example/"),
    "timelines-chart": ("2.14.3", "example/"),
    "tracking": ("1.1.3", "examples/"),
    "vis": ("4.21.0", "examples/"),
}
SHORTEST = 100  # characters of inline code; a page with less is no app


# Whether V8 takes each piece; the same engine as that of `node --check`, which starts anew for every file.
COMPILE = """
const vm = require("vm");
const pieces = JSON.parse(require("fs").readFileSync(0));
console.log(JSON.stringify(pieces.map(([code, kind]) => {
  try { kind === "module" ? new vm.SourceTextModule(code) : new vm.Script(code); return true; }
  catch { return false; }
})));
"""


@dataclass(frozen=True)
class Piece:
    """One script, module or handler (as the function that a browser makes of it), and where it is."""

    place: str
    kind: str
    code: str


@dataclass
class Units:
    """How long the units of all pages took, and how much of them they cover."""

    characters: int = 0
    seconds: float = 0.0
    written: int = 0  # characters that are not blank
    covered: int = 0  # those of them that lie in a unit

    def add(self, text: str) -> None:
        """Count one page."""
        began = time.process_time()
        units = source.units(text)
        self.seconds += time.process_time() - began
        self.characters += len(text)
        self.written += sum(not letter.isspace() for letter in text)
        self.covered += sum(not letter.isspace() for unit in units for letter in text[unit.start : unit.end])


def fetch(folder: Path) -> None:
    """The apps of each package, in a folder of its own; what is there is not fetched again."""
    for name, (version, places) in PACKAGES.items():
        target = folder / f"{name.replace('/', '-')}-{version}"
        if target.exists():
            continue
        with tempfile.TemporaryDirectory(dir=folder) as work:
            package = f"{name}@{version}"
            subprocess.run(["npm", "pack", "--silent", package], cwd=work, check=True, stdout=subprocess.DEVNULL)
            (archive,) = Path(work).glob("*.tgz")
            pages = Path(work) / "pages"
            pages.mkdir()
            for path, text in pages_in(archive, tuple(places.split())):
                (pages / path).parent.mkdir(parents=True, exist_ok=True)
                (pages / path).write_bytes(text)
            pages.rename(target)


def pages_in(archive: Path, places: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The HTML files under some folders of a package."""
    with tarfile.open(archive) as files:
        for entry in files:
            path = entry.name.partition("/")[2]
            if entry.isfile() and path.endswith((".html", ".htm")) and path.startswith(places) and ".." not in path:
                content = files.extractfile(entry)
                assert content is not None
                yield path, content.read()


def apps(folder: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of each page with code in it; of equal pages the first."""
    seen = set()
    for path in sorted(folder.rglob("*.htm*")):
        text = path.read_bytes().decode("utf-8-sig", "replace")
        blocks = html.parse(text).scripts
        if sum(block.end - block.start for block in blocks) >= SHORTEST and text not in seen:
            seen.add(text)
            yield str(path.relative_to(folder)), text


def pieces(name: str, text: str) -> Iterator[Piece]:
    """The code in a page."""
    document = html.parse(text)
    for block in [*document.scripts, *document.handlers]:
        code = text[block.start : block.end]
        if block.kind == "handler":  # without its character references
            attributes = document.elements[block.element].attributes.values()
            code = next(one.value for one in attributes if one.value_start == block.start).join(javascript.HANDLER)
        if code.strip():
            yield Piece(f"{name}:{block.start}", block.kind, code)


def compiled(found: Sequence[Piece]) -> list[bool]:
    """Which pieces V8 takes."""
    words = ["node", "--experimental-vm-modules", "--no-warnings", "-e", COMPILE]
    told = json.dumps([(piece.code, piece.kind) for piece in found])
    return json.loads(subprocess.run(words, input=told, capture_output=True, text=True, check=True).stdout)


def node_accepts(piece: Piece) -> bool:
    """Whether `node --check` accepts a piece."""
    suffix = ".mjs" if piece.kind == "module" else ".cjs"
    with tempfile.NamedTemporaryFile("w", suffix=suffix, encoding="utf-8", errors="replace", newline="") as file:
        file.write(piece.code)
        file.flush()
        return subprocess.run(["node", "--check", file.name], capture_output=True, check=False).returncode == 0


def esprima_accepts(piece: Piece) -> bool:
    """Whether our strict parser does."""
    return javascript.fault(piece.code, piece.kind if piece.kind == "module" else "script") is None


def grammar_accepts(piece: Piece) -> bool:
    """Whether the parser that makes units understands all of a piece."""
    offsets = source.Offsets(piece.code)
    return Captures("javascript", "(comment) @comment", piece.code, 0, len(piece.code), offsets).whole


def main() -> None:
    """Fetch, measure, say it on standard error."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--no-fetch", action="store_true")
    given = options.parse_args()
    given.folder.mkdir(exist_ok=True)
    if not given.no_fetch:
        fetch(given.folder)
    pages = list(apps(given.folder))
    units = Units()
    for _, text in pages:
        units.add(text)
    found = [piece for name, text in pages for piece in pieces(name, text)]
    parsers = {"esprima": esprima_accepts, "tree-sitter": grammar_accepts}
    ours = {name: [accepts(piece) for piece in found] for name, accepts in parsers.items()}
    known = [
        valid if valid and all(told) else node_accepts(piece)  # who disagrees is looked at by the real one
        for piece, valid, *told in zip(found, compiled(found), *ours.values(), strict=True)
    ]
    kinds = Counter(piece.kind for piece, valid in zip(found, known, strict=True) if valid)
    console.note(f"{len(pages)} apps; node accepts {sum(known)} of {len(found)} pieces of code: {dict(kinds)}")
    for name, told in ours.items():
        refused = [piece.place for piece, valid, taken in zip(found, known, told, strict=True) if valid and not taken]
        console.note(f"{name} accepts {1 - len(refused) / max(sum(known), 1):.2%} of these; not {refused}")
    share, speed = units.covered / max(units.written, 1), units.characters / max(units.seconds, 1e-9) / 1e6
    console.note(f"units cover {share:.1%} of what is not blank in {units.characters:,} characters, {speed:.2f} MB/s")


if __name__ == "__main__":
    main()
