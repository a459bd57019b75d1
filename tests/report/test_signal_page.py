"""How much signal the records have, as the report shows it: the tables and sentences of `rcca train --explain`."""

from playwright.sync_api import expect

from rcca_cli.align import stage as align
from rcca_cli.explain import stage as explain
from rcca_cli.explain import tables
from rcca_cli.jsonl import Line
from rcca_cli.report import stage
from tests.align.example import ITEM, PAGE, lines, record, verdict
from tests.report.example import record as unlike

WRONG = PAGE.replace("field.value", "field.name")


def pair(group="g", items=(ITEM,)):
    """Two aligned answers, of which one fails all items."""
    made = [
        record([verdict(ok, one["id"]) for one in items], PAGE if ok else WRONG, 1 - ok, items, float(ok), group=group)
        for ok in (True, False)
    ]
    return list(align.run(lines(*made), align.Options()))


def cells(page):
    return page.locator("#signal tr").evaluate_all("rows => rows.map(row => [...row.cells].map(c => c.textContent))")


def test_the_report_shows_what_train_explain_says(opened):
    records = [*pair("a"), *pair("b")]
    page = opened(*records, address="#/signal")
    (found,) = explain.run(lines(*records))
    shown = [[list(one.columns), *(list(row) for row in one.rows)] for one in tables.tables(found)]
    assert cells(page) == [[cell.strip() for cell in row] for rows in shown for row in rows]
    expect(page.locator("#signal .soft").first).to_have_text(tables.sentences(found)[0])
    assert page.locator("#signal li").all_text_contents() == tables.sentences(found)[1:]
    assert page.problems == []


def test_a_link_and_a_key_lead_to_it_and_back(opened):
    page = opened(*pair())
    page.get_by_role("link", name="How much signal there is").click()
    expect(page.locator("#signal")).to_be_visible()
    expect(page.locator("#shades")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.locator("#about .id")).to_have_text("g/0")
    expect(page.locator("#signal")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator("#signal caption").first).to_have_text("What there is")


def test_each_file_is_counted_by_itself(shown, tmp_path):
    path = tmp_path / "report.html"
    given = [Line(one, name, 1) for name in ("runs/one.jsonl", "runs/two.jsonl") for one in pair()]
    stage.write(given, str(path), stage.Options())
    page = shown(path, "#/signal")
    expect(page.locator("#signal h3")).to_have_text(["runs/one.jsonl", "runs/two.jsonl"])
    expect(page.locator("#signal tr").filter(has_text="answers").locator("td").first).to_have_text("2")


def test_in_a_folder_the_index_has_it_and_its_parts_lead_there(written, shown):
    folder = written(*pair("a"), *pair("b"), split=2)
    page = shown(folder / "part-0002.html")
    page.get_by_role("link", name="How much signal there is").click()
    page.wait_for_url("**/index.html#/signal")
    expect(page.locator("#signal tr").filter(has_text="groups").locator("td").first).to_have_text("2")


def test_records_that_are_not_aligned_have_none(opened):
    page = opened(*(one | {"align": None} for one in pair()))
    expect(page.get_by_role("link", name="How much signal there is")).to_have_count(0)


def test_what_cannot_be_counted_is_said(opened):
    torn = pair("b")
    torn[0]["align"]["advantages"] = [0.0]
    page = opened(*pair("a"), *torn, address="#/signal")
    expect(page.locator("#signal > p")).to_contain_text("Groups that could not be counted: 1 (")
    expect(page.locator("#signal > p")).to_contain_text("align.advantages: 1 numbers for")


def test_credit_that_align_did_not_give_is_counted_as_such(opened):
    page = opened(unlike(0), unlike(1), address="#/signal")
    expect(page.locator("#signal tr").filter(has_text="not align's own").locator("td").first).to_have_text("1")


def test_a_hostile_item_is_text(opened):
    page = opened(*pair(items=[ITEM | {"id": "<img src=x>\u202e"}]), address="#/signal")
    expect(page.locator("#signal tbody tr").last.locator("th")).to_have_text("<img src=x>‹RLO›")
    assert page.locator("#signal img").count() == 0
