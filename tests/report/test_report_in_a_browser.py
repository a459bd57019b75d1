"""The report as a reader sees it, in the browser that the judge uses."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from rcca_cli.jsonl import Line
from rcca_cli.report import stage
from tests.report.example import TEXT, record
from tests.report.test_report import HOSTILE

SHELL = "/usr/lib/chromium/chromium-headless-shell"


@pytest.fixture(scope="module")
def browser():
    path = next((found for found in (shutil.which(SHELL), shutil.which("chromium")) if found), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open a report of these records; the page's errors are collected in `page.problems`."""
    pages = []

    def open_report(*records):
        path = tmp_path / "report.html"
        lines = (Line(one, "aligned.jsonl", number) for number, one in enumerate(records, 1))
        path.write_text("".join(stage.parts(lines, "Report")))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        pages.append(page)
        page.problems = []
        page.on("console", lambda message: page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_report
    for page in pages:
        page.close()


def held(page):
    return "".join(page.locator(".held-piece").all_text_contents())


def test_the_source_is_shown_whole_with_the_credit_of_each_token(opened):
    page = opened(record())
    assert "".join(page.locator(".row code span:not(.end)").all_text_contents()) == TEXT
    blamed = page.locator("#source span", has_text="add()").last
    assert "advantage −1.500" in blamed.get_attribute("title")
    assert blamed.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(224, 49, 49, 0.75)"
    praised = page.locator("#source span", has_text="Here").first
    assert praised.evaluate("e => getComputedStyle(e).backgroundColor").startswith("rgba(43, 158, 84, 0.")
    assert page.problems == []


def test_an_item_marks_its_lines_and_says_why(opened):
    page = opened(record())
    page.get_by_role("button", name="The page adds").click()
    assert held(page) == "add()"
    assert page.locator(".row.held").get_attribute("data-line") == "4"
    assert "expected “1”, found “0”" in page.locator(".item.open").inner_text()
    page.get_by_role("button", name="line 4").click()
    assert held(page) == "add()"
    page.get_by_role("button", name="The page adds").click()
    assert held(page) == ""


def test_rollouts_are_listed_by_group_and_can_be_linked_to(opened):
    page = opened(record(0), record(1), record(0, group="t2"))
    assert page.locator("#list h2").all_text_contents() == ["t1", "t2"]
    page.locator("#list a").nth(2).click()
    assert page.locator("#about .id").inner_text() == "t2/0"
    assert page.url.endswith("#t2%2F0")
    page.reload()
    assert page.locator("#about .id").inner_text() == "t2/0"


def test_weights_and_plain_source_can_be_shown(opened):
    page = opened(record())
    page.get_by_role("radio", name="Weight").click()
    assert "weight 1.500" in page.locator("#source span", has_text="add()").last.get_attribute("title")
    page.get_by_role("radio", name="Plain").click()
    assert page.locator("#source [title]").count() == 0


def test_records_of_earlier_stages_are_shown_as_far_as_they_go(opened):
    rolled = {key: value for key, value in record().items() if key not in ("judge", "align")}
    page = opened(rolled, record(1) | {"align": None})
    assert "not judged yet" in page.locator("#items").inner_text()
    assert page.get_by_role("radio", name="Credit").is_disabled()
    page.locator("#list a").nth(1).click()
    page.get_by_role("button", name="The page adds").click()
    assert held(page) == "<button>"
    assert page.problems == []


def test_an_answer_known_as_text_only_is_coloured_by_the_places(opened):
    known = record()
    known["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    page = opened(known)
    blamed = page.locator("#source span", has_text="add()").last
    assert blamed.get_attribute("title") == "statement: 80 % of advantage −1.750"
    assert page.locator("#source [title]").count() == 1
    assert "text only" in page.locator("#about").inner_text()


def test_hostile_text_does_nothing(opened):
    hostile = record(text=TEXT + HOSTILE)
    for item in hostile["task"]["rubric"]:
        item["requirement"] = HOSTILE
    hostile["judge"]["verdicts"][1]["diagnosis"] = HOSTILE
    hostile["task"]["prompt"][0]["content"] = HOSTILE
    page = opened(hostile)
    page.locator(".item.fail > button").click()
    assert page.title() == "Report"
    assert page.locator("img").count() == 0
    assert page.problems == []


def test_an_empty_report_says_so(opened):
    assert "No rollouts in this report" in opened().locator("#source").inner_text()
