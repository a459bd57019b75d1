"""The index of a report: filters, pages, addresses; and a folder of reports."""

import pytest
from playwright.sync_api import expect

from rcca_cli.jsonl import Line
from rcca_cli.report import stage
from tests.report.example import record


def many(count):
    """Groups of two; odd groups are of another class, and their second member fails its runtime gate."""
    for group in range(count):
        for sample in range(2):
            one = record(sample, group=f"g{group:03}")
            one["judge"]["reward"] = round(group / count, 3)
            if group % 2:
                one["task"]["class"] = "Games"
                one["task"]["prompt"][0]["content"] = "A game of snake."
                one["task"]["rubric"][1]["id"] = one["judge"]["verdicts"][1]["rubric"] = "turns"
                one["judge"]["verdicts"][1] |= {"failure": "dead"}
                one["judge"]["level"] = "runtime" if sample else "functional"
            yield one


def names(page):
    return page.locator(".entry .name").all_text_contents()


def test_rollouts_are_listed_by_group_with_their_verdicts_and_can_be_linked_to(opened):
    page = opened(record(0), record(1), record(0, group="t2"))
    expect(page.locator("#entries code")).to_have_text(["t1", "t2"])
    expect(page.locator("#entries h2").first).to_have_text("A page that adds.")
    expect(page.locator(".entry").nth(1)).to_have_text("/1✓✗+0.50")
    page.locator(".entry").nth(2).click()
    expect(page.locator("#about .id")).to_have_text("t2/0")
    assert page.url.endswith("#t2%2F0")
    page.reload()
    expect(page.locator("#about .id")).to_have_text("t2/0")
    page.keyboard.press("k")
    expect(page.locator("#about .id")).to_have_text("t1/1")
    page.go_back()
    expect(page.locator("#about .id")).to_have_text("t2/0")


def test_records_of_one_id_have_addresses_of_their_own_and_say_where_they_are_from(shown, tmp_path):
    paper = record()
    paper["align"]["mode"] = "paper"
    path = tmp_path / "report.html"
    given = [
        Line(record(), "runs/rubric.jsonl", 1),
        Line(paper, "runs/paper.jsonl", 1),
        Line(paper, "runs/third.jsonl", 1),
    ]
    stage.write(given, str(path), stage.Options())
    page = shown(path)
    expect(page.locator(".entry .from")).to_have_text(["rubric.jsonl", "paper.jsonl", "third.jsonl"])
    page.locator(".entry").nth(1).click()
    expect(page.locator("#about")).to_contain_text("credit paper")
    expect(page.locator(".entry[aria-current] .from")).to_have_text("paper.jsonl")
    page.keyboard.press("j")
    expect(page.locator("#about .id")).to_have_text("t1/0 (third.jsonl)")
    page.reload()
    expect(page.locator("#about .id")).to_have_text("t1/0 (third.jsonl)")
    page.get_by_role("link", name="Compare the group of 3").click()
    expect(page.locator(".matrix th[scope=col]")).to_have_text(
        ["/0 (rubric.jsonl)", "/0 (paper.jsonl)", "/0 (third.jsonl)"]
    )


@pytest.fixture(scope="module")
def ten(browser, tmp_path_factory):
    """A report of ten groups of two."""
    path = tmp_path_factory.mktemp("ten") / "report.html"
    stage.write((Line(one, "a.jsonl", 1) for one in many(10)), str(path), stage.Options())
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    page.locator("#filter summary").click()
    yield page
    page.close()


@pytest.mark.parametrize(
    ("field", "value", "count"),
    [
        ("Level", "runtime", 5),
        ("Failure", "dead", 10),
        ("Class", "Tools", 10),
        ("Item", "turns", 10),
        ("Reward from", "0.8", 4),
        ("Reward to", "0.1", 4),
        ("Search requests and ids", "SNAKE", 10),
        ("Search requests and ids", "g003/1", 1),
        ("Search requests and ids", "nothing", 0),
    ],
)
def test_a_filter_leaves_what_it_says(ten, field, value, count):
    control = ten.get_by_label(field, exact=True)
    if control.evaluate("e => e.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(value)
    expect(ten.locator("#count")).to_have_text(f"{count} of 20 rollouts")
    assert len(names(ten)) == count
    ten.get_by_role("button", name="Clear").click()
    expect(ten.locator("#count")).to_have_text("20 rollouts")


def test_filters_hold_together(ten):
    ten.get_by_label("Item", exact=True).fill("turns")
    ten.get_by_label("Verdict", exact=True).select_option("+")
    expect(ten.locator("#count")).to_have_text("0 of 20 rollouts")
    ten.get_by_label("Verdict", exact=True).select_option("-")
    ten.get_by_label("Level", exact=True).select_option("functional")
    expect(ten.locator("#count")).to_have_text("5 of 20 rollouts")
    ten.get_by_role("button", name="Clear").click()


def test_a_long_list_comes_in_pages_and_shows_the_one_that_is_open(opened):
    page = opened(*many(80), address="#g070%2F1")
    expect(page.locator("#where")).to_have_text("3 of 3")
    expect(page.locator(".entry[aria-current=true] .name")).to_have_text("/1")
    assert len(names(page)) == 40
    page.get_by_role("button", name="Page before").click()
    expect(page.locator("#entries code").first).to_have_text("g030")
    assert len(names(page)) == 60
    expect(page.locator("#about .id")).to_have_text("g070/1")


def test_a_folder_has_an_index_of_all_and_no_group_is_torn(written, shown):
    folder = written(*many(5), split=3)
    assert sorted(path.name for path in folder.iterdir()) == [
        "index.html",
        "part-0001.html",
        "part-0002.html",
        "part-0003.html",
    ]
    page = shown(folder / "index.html")
    assert len(names(page)) == 10
    expect(page.locator("#nothing")).to_have_text("Choose a rollout from the list.")
    page.locator(".entry").nth(4).click()
    page.wait_for_url("**/part-0002.html#g002%2F0")
    expect(page.locator("#about .id")).to_have_text("g002/0")
    expect(page.locator("#count")).to_have_text("4 rollouts")
    page.get_by_role("link", name="All rollouts").click()
    page.wait_for_url("**/index.html")
    page.locator("#entries .compare").last.click()
    page.wait_for_url("**/part-0003.html#/group/g004")
    expect(page.locator("#group h2")).to_have_text("A page that adds.")
    assert page.problems == []
