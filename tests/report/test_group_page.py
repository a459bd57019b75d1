"""A group side by side: the matrix of verdicts, and the difference of two answers."""

import random

from playwright.sync_api import expect

from tests.report.example import TEXT, record


def group():
    """Three answers to one task; the last passes both items, with another line for it."""
    first, second, third = record(0), record(1), record(2)
    third["judge"] |= {"reward": 1.0}
    third["judge"]["verdicts"][1] |= {"passed": True, "failure": None}
    third["rollout"]["text"] = TEXT.replace("add()", "sum()")
    first["judge"]["reward"] = 0.25
    return first, second, third


def test_the_matrix_has_every_verdict_and_says_which_items_differ(opened):
    page = opened(*group())
    page.get_by_role("link", name="Compare the group of 3").click()
    page.locator(".matrix").wait_for()
    rows = [row.all_text_contents() for row in (page.locator(f".matrix tr:nth-child({n}) > *") for n in range(1, 5))]
    assert rows == [
        ["", "/0", "/1", "/2"],
        ["reward", "+0.25", "+0.50", "+1.00"],
        ["shows", "✓", "✓", "✓"],
        ["addsdiffers", "✗", "✗", "✓"],
    ]
    page.get_by_role("link", name="/1 adds: failed").click()
    expect(page.locator("#about .id")).to_have_text("t1/1")
    page.locator(".held-piece").first.wait_for()
    assert "".join(page.locator(".held-piece").all_text_contents()) == "add()"


def test_a_table_that_goes_on_beyond_the_edge_fades_out_there(opened):
    page = opened(
        *(record(sample) for sample in range(30)), address="#/group/t1", viewport={"width": 420, "height": 800}
    )
    matrix = page.locator(".matrix")
    expect(matrix).to_have_class("matrix goes-on")
    matrix.evaluate("area => { area.scrollLeft = area.scrollWidth; }")
    expect(matrix).to_have_class("matrix")


def test_the_worst_and_the_best_are_compared_line_by_line_with_their_credit(opened):
    page = opened(*group(), address="#/group/t1")
    expect(page.locator(".pair-heads a")).to_have_text(["t1/0", "t1/2"])
    own = page.locator(".side.own code")
    assert own.all_text_contents() == ["<script>add()</script>\n", "<script>sum()</script>\n"]
    assert page.locator(".side.own.left .blame").all_text_contents() == ["add()"]
    assert page.locator(".side.same").count() == 2 * 5
    page.locator(".side.own.right .blame").hover()
    expect(page.locator("#inspector code")).to_have_text("sum()")


def test_two_others_can_be_chosen_and_linked_to(opened):
    page = opened(*group(), address="#/group/t1")
    page.get_by_label("/1 on the right").check()
    expect(page.locator(".pair-heads a")).to_have_text(["t1/0", "t1/1"])
    assert page.url.endswith("#/group/t1/t1%2F0/t1%2F1")
    expect(page.locator(".pairs")).to_contain_text("The two answers are the same text.")
    page.reload()
    expect(page.locator(".pair-heads a")).to_have_text(["t1/0", "t1/1"])
    assert page.problems == []


def test_aligned_lines_are_a_longest_common_subsequence(opened):
    rng = random.Random(0)
    cases = [[[rng.choice("abc") for _ in range(rng.randrange(9))] for _ in range(2)] for _ in range(60)]
    found = opened().evaluate("cases => cases.map(([a, b]) => alignedLines(a, b))", cases)
    for (a, b), pairs in zip(cases, found, strict=True):
        assert [x for x, _ in pairs if x is not None] == list(range(len(a)))
        assert [y for _, y in pairs if y is not None] == list(range(len(b)))
        same = [(x, y) for x, y in pairs if x is not None and y is not None and a[x] == b[y]]
        assert len(same) >= longest(a, b)


def longest(a, b):
    """The length of a longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for at, y in enumerate(b):
            row.append(before[at] + 1 if x == y else max(row[-1], before[at + 1]))
    return row[-1]
