"""Reports opened in the browser that the judge uses."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from rcca_cli.jsonl import Line
from rcca_cli.report import stage

SHELL = "/usr/lib/chromium/chromium-headless-shell"


@pytest.fixture(scope="module")  # no longer: Playwright leaves an event loop running in this thread
def browser():
    path = next((found for found in (shutil.which(SHELL), shutil.which("chromium")) if found), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def written(tmp_path):
    """Write a report of these records; its path."""

    def write_report(*records, **options):
        path = tmp_path / ("report" if "split" in options else "report.html")
        lines = (Line(one, "aligned.jsonl", number) for number, one in enumerate(records, 1))
        stage.write(lines, str(path), stage.Options(**({"title": "Report"} | options)))
        return path

    return write_report


@pytest.fixture
def shown(browser):
    """Open a file; errors are collected in `page.problems`, what it asks for in `page.asked`."""
    pages = []

    def show(path, address="", **settings):
        page = browser.new_page(**({"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"} | settings))
        pages.append(page)
        page.problems, page.asked = [], []
        page.on("console", lambda message: page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(path.as_uri() + address)
        page.wait_for_selector("body[data-view]", timeout=120_000)
        return page

    yield show
    for page in pages:
        page.close()


@pytest.fixture
def opened(written, shown):
    """Open a report of these records."""

    def open_report(*records, address="", **settings):
        return shown(written(*records), address, **settings)

    return open_report
