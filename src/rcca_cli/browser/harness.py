"""How today's harness looks at apps: the protocol of ArtifactsBench's released code (2025), to be compared with.

One page after the other, each in a browser of its own: opened as a file, a wait until the network is idle, three
full-page shots a second apart by the clock on the wall. It clicks nothing and decides nothing.
"""

import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Route, sync_playwright

from rcca_cli.browser import find

SHOTS, PAUSE, TRIES = 3, 1.0, 2
MOST = 600_000  # milliseconds, for each step
# What keeps a page from the network where there is no other network to run it in; as of our own browser.
OFFLINE = [
    one for one in find.SWITCHES if one.startswith(("--proxy-", "--host-resolver", "--webrtc", "--force-webrtc"))
]


def photograph(pages: Sequence[Path]) -> None:
    """Shots of each page, beside its file."""
    with sync_playwright() as playwright:
        for place in pages:
            browser = playwright.chromium.launch(executable_path=find.executable())
            _take(browser, place, [Path(f"{place}.{shot}.png") for shot in range(SHOTS)], MOST)
            browser.close()


@dataclass(frozen=True)
class Taken:
    """The shots there are, in order; why there are not all, else None; and the browser's version."""

    shots: list[Path]
    problem: str | None
    version: str


def taken(place: Path, folder: Path, most: int = MOST, network: bool = False) -> Taken:
    """The shots of one page; tried twice, as released. `most` is in milliseconds.

    A shot that failed ends them, so that there may be fewer. Without `network` a page gets none and no file but its
    own; that is the one thing that the released code does not do.
    """
    shots = [folder / f"{place.stem}_{number}.png" for number in range(1, SHOTS + 1)]
    reason, version = None, ""
    for _ in range(TRIES):
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(**_launch(folder, network))
                version = browser.version
                try:
                    _take(browser, place, shots, most, None if network else _only(place))
                finally:
                    browser.close()
            reason = None
            break
        except Error as error:
            reason = error.message.splitlines()[0]
    there = []
    for shot in shots:
        if not shot.exists():
            break
        there.append(shot)
    return Taken(there, reason, version)


def _take(browser: Any, place: Path, shots: Sequence[Path], most: int, route: Any = None) -> None:
    page = browser.new_page()
    if route is not None:
        page.route("**/*", route)
    page.goto(place.as_uri(), timeout=most)
    page.wait_for_load_state("networkidle", timeout=most)
    for number, shot in enumerate(shots):
        if number:
            time.sleep(PAUSE)
        page.screenshot(path=str(shot), full_page=True, timeout=most)


def _only(place: Path) -> Any:
    """Lets a page have its own file alone: others would be in the pictures that a judge is sent."""
    own = place.as_uri()

    def answer(route: Route) -> None:
        url = route.request.url
        if url.partition("#")[0].partition("?")[0] == own or url.startswith(("data:", "blob:")):
            route.continue_()
        else:
            route.abort()

    return answer


def _launch(folder: Path, network: bool) -> dict[str, Any]:
    """How the browser is started: without network in a network namespace of its own, where that can be had."""
    program = find.executable()
    if network:
        return {"executable_path": program}
    apart = next(_apart(program), None)
    if apart is None:
        return {"executable_path": program, "args": OFFLINE}
    script = folder / "browser"
    script.write_text(f'#!/bin/sh\nexec {apart} "$@"\n')
    script.chmod(0o755)
    return {"executable_path": str(script), "args": OFFLINE}


def _apart(program: str | None) -> Iterator[str]:
    """Commands that run the browser where it has no network, and work here."""
    cells = [cell for cell in find.cells() if cell.isolation == "netns" and cell.owner is None and not cell.sandbox]
    for cell in cells if program else ():
        tried = subprocess.run([*cell.command, "true"], capture_output=True, check=False)
        if tried.returncode == 0:
            yield shlex.join([*cell.command, str(program)])


if __name__ == "__main__":
    photograph([Path(name) for name in sys.argv[1:]])
