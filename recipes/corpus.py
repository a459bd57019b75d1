"""Real single-file apps, and how much of them our parsers understand.

    python recipes/corpus.py corpus              # fetches apps from npm packages into this folder, and measures them
    python recipes/corpus.py corpus --no-fetch   # measures the HTML files of a folder, whatever they are

The apps are the demos and examples in packages whose names and versions are listed here; no copy is kept. A script
counts if `node --check` accepts it by the goal that its type declares. Wants node and npm.
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rcca_cli import source
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


@dataclass
class Measured:
    """Counts over scripts that node accepts; `refused` says which file, and by which parser."""

    apps: int = 0
    scripts: int = 0
    modules: int = 0
    handlers: int = 0
    characters: int = 0
    seconds: float = 0.0
    written: int = 0  # characters that are not blank
    covered: int = 0  # those of them that lie in a unit
    rejected_by_node: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)

    def accepted(self, parser: str) -> float:
        """The share of scripts, modules and handlers of node's that a parser accepts."""
        known = self.scripts + self.modules + self.handlers
        return 1 - sum(name == parser for _, name in self.refused) / max(known, 1)


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


def measure(folder: Path) -> Measured:
    """All apps of a folder."""
    found = Measured()
    with ThreadPoolExecutor(2) as pool:
        for name, text in apps(folder):
            found.apps += 1
            count_units(found, text)
            document = html.parse(text)
            blocks = [b for b in [*document.scripts, *document.handlers] if text[b.start : b.end].strip()]
            for block, valid in zip(
                blocks, pool.map(lambda b: node_accepts(code(document, b), b.kind), blocks), strict=True
            ):
                count_block(found, name, document, block, valid)
    return found


def code(document: html.Document, block: html.Block) -> str:
    """The code of a block, that of a handler without character references."""
    if block.kind != "handler":
        return document.text[block.start : block.end]
    attributes = document.elements[block.element].attributes.values()
    return next(attribute.value for attribute in attributes if attribute.value_start == block.start)


def count_units(found: Measured, text: str) -> None:
    """How long the units of a page take, and how much of it they cover."""
    began = time.process_time()
    units = source.units(text)
    found.seconds += time.process_time() - began
    found.characters += len(text)
    found.written += sum(not letter.isspace() for letter in text)
    found.covered += sum(not letter.isspace() for unit in units for letter in text[unit.start : unit.end])


def count_block(found: Measured, name: str, document: html.Document, block: html.Block, valid: bool) -> None:
    """What our parsers say of one piece of code."""
    if not valid:
        found.rejected_by_node += 1
        return
    kinds = {"script": "scripts", "module": "modules", "handler": "handlers"}
    setattr(found, kinds[block.kind], getattr(found, kinds[block.kind]) + 1)
    written = code(document, block)
    if javascript.fault(written, block.kind) is not None:
        found.refused.append((f"{name}:{block.start}", "esprima"))
    before, after = javascript.HANDLER if block.kind == "handler" else ("", "")
    wrapped = before + written + after
    if not Captures("javascript", "(comment) @comment", wrapped, 0, len(wrapped), source.Offsets(wrapped)).whole:
        found.refused.append((f"{name}:{block.start}", "tree-sitter"))


def node_accepts(written: str, kind: str) -> bool:
    """Whether `node --check` accepts code as a script, a module or the body of a handler."""
    before, after = javascript.HANDLER if kind == "handler" else ("", "")
    suffix = ".mjs" if kind == "module" else ".cjs"
    with tempfile.NamedTemporaryFile("w", suffix=suffix, encoding="utf-8", errors="replace", newline="") as file:
        file.write(before + written + after)
        file.flush()
        return subprocess.run(["node", "--check", file.name], capture_output=True, check=False).returncode == 0


def main() -> None:
    """Fetch, measure, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--no-fetch", action="store_true")
    given = options.parse_args()
    given.folder.mkdir(exist_ok=True)
    if not given.no_fetch:
        fetch(given.folder)
    found = measure(given.folder)
    print(
        f"{found.apps} apps; node accepts {found.scripts} scripts, {found.modules} modules, {found.handlers} handlers"
    )
    print(f"and rejects {found.rejected_by_node}")
    for parser in ("esprima", "tree-sitter"):
        print(f"{parser} accepts {found.accepted(parser):.2%} of these")
    print(
        f"units cover {found.covered / found.written:.2%} of what is not blank, at {found.characters / found.seconds / 1e6:.2f} MB/s"
    )
    for place, parser in found.refused:
        print(f"{parser} refuses {place}", file=sys.stderr)


if __name__ == "__main__":
    main()
