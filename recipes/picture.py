"""The README's picture: one rollout of a report, as Chromium shows it.

`just picture` makes the report and takes it. The item is opened and the mouse put on the first token that it blames.
"""

import sys
from pathlib import Path
from urllib.parse import quote

from rcca_cli.browser import find

SIZE = {"width": 1280, "height": 860}


def take(report: Path, record: str, item: str, picture: Path) -> None:
    """Write the picture (PNG) of this record, with this item open."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = find.executable(None) or playwright.chromium.executable_path
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce", color_scheme="light")
        page.goto(f"{report.resolve().as_uri()}#{quote(record, safe='')}/{quote(item, safe='')}")
        page.locator(".held-piece").first.hover()
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
