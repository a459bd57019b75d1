"""How today's harness looks at apps, to be timed against: the protocol of ArtifactsBench's released code (2025).

One page after the other, each in a browser of its own: opened as a file, a wait until the network is idle, three
full-page shots a second apart. It clicks nothing and decides nothing; that is a judge model's work, not counted here.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

from rcca_cli.browser import find

SHOTS, PAUSE = 3, 1.0
MOST = 600_000  # milliseconds, for each step


def photograph(pages: Sequence[Path]) -> None:
    """Shots of each page, beside its file."""
    with sync_playwright() as playwright:
        for place in pages:
            browser = playwright.chromium.launch(executable_path=find.executable())
            page = browser.new_page()
            page.goto(place.as_uri(), timeout=MOST)
            page.wait_for_load_state("networkidle", timeout=MOST)
            for shot in range(SHOTS):
                if shot:
                    time.sleep(PAUSE)
                page.screenshot(path=f"{place}.{shot}.png", full_page=True, timeout=MOST)
            browser.close()


if __name__ == "__main__":
    photograph([Path(name) for name in sys.argv[1:]])
