"""One rollout as a reader sees it: its source, its tokens, its requirements."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.report.example import TEXT, place, record

STEPS = range(1, 9)


def held(page):
    return "".join(page.locator(".held-piece").all_text_contents())


def piece(page, text):
    return page.locator("#source [data-token]", has_text=text).last


def test_the_source_is_shown_whole_with_the_credit_of_each_token(opened):
    page = opened(record())
    assert "".join(page.locator(".row code span:not(.end)").all_text_contents()) == TEXT
    assert piece(page, "add()").get_attribute("class") == "blame k8"
    assert piece(page, "Here").get_attribute("class") == "praise k4"  # 8·√(0.25 / 1.5) = 3.3
    assert page.locator(".end.praise.k4").count() == 1
    assert page.problems == []


def test_blame_and_praise_differ_in_more_than_colour(opened):
    strong = record()
    strong["align"]["advantages"][1] = 1.5
    page = opened(strong)
    style = "e => getComputedStyle(e).textDecorationStyle"
    assert [piece(page, word).evaluate(style) for word in ("add()", "Here")] == ["dotted", "solid"]
    assert page.locator(".gutter[data-line='2']").get_attribute("data-sign") == "▼"
    assert page.locator(".gutter").first.get_attribute("data-sign") == "▲"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_on_every_shade_has_the_contrast_of_wcag_aa(opened, scheme):
    page = opened(record(), color_scheme=scheme)
    paper, ink, *shades = page.evaluate(
        """classes => {
          const piece = byId("source").appendChild(document.createElement("span"));
          const style = getComputedStyle(piece);
          const colours = classes.map(name => { piece.className = name; return style.backgroundColor; });
          return [getComputedStyle(byId("source")).backgroundColor, style.color, ...colours];
        }""",
        [f"{hue} k{step}" for hue in ("blame", "praise", "weight") for step in STEPS],
    )
    assert len(set(shades)) == 24
    worst = min(contrast(ink, over(shade, paper)) for shade in shades)
    assert worst >= 4.5


def channels(colour):
    """Red, green, blue and alpha in [0, 1] of what getComputedStyle says."""
    numbers = [float(number) for number in re.findall(r"[\d.]+(?:e-\d+)?", colour.partition("(")[2])]
    scale = 1 if "srgb" in colour else 255
    return [*(number / scale for number in numbers[:3]), (numbers[3] if len(numbers) > 3 else 1.0)]


def over(colour, paper):
    *top, alpha = channels(colour)
    return (
        f"rgb({' '.join(str(255 * (alpha * a + (1 - alpha) * b)) for a, b in zip(top, channels(paper), strict=False))})"
    )


def contrast(one, other):
    """WCAG 2.2's contrast ratio."""

    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)[:3]]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_the_legend_says_where_each_step_ends(opened):
    page = opened(record())
    assert page.evaluate("[1, 2, 3, 4, 5, 6, 7, 8].map(k => step(edge(k, 1.5) - 1e-9, 1.5))") == list(STEPS)
    assert page.locator("#legend .ticks span").all_text_contents() == ["−1.50", "−0.38", "0", "+0.38", "+1.50"]
    assert page.locator("#legend i").count() == 17


def test_a_token_under_the_mouse_tells_its_credit_and_the_reasons(opened):
    page = opened(record())
    piece(page, "add()").hover()
    inspector = page.locator("#inspector")
    expect(inspector).to_contain_text("token 4, id 4")
    expect(inspector).to_contain_text("advantage −1.500")
    expect(inspector).to_contain_text("whole answer +0.250")
    expect(inspector.locator("li")).to_have_text(
        re.compile("adds.*silent.*statement, by listener, quote.*80 % of −1.75.*fault in its places: 90 %")
    )
    piece(page, "Here").hover()
    expect(inspector).to_contain_text("no requirement's credit lies here")


def test_the_keyboard_goes_from_token_to_token(opened):
    page = opened(record())
    page.locator("#source").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#inspector")).to_contain_text("token 1,")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#inspector")).to_contain_text("token 0,")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#inspector code")).to_have_text("add()")
    page.keyboard.press("Enter")
    assert held(page) == "add()"


def test_an_item_marks_its_lines_and_says_why(opened):
    long = record(text=TEXT.replace("<script>", "\n" * 200 + "<script>"))
    shift = {"start": place("add()")[0] + 200, "end": place("add()")[1] + 200}
    long["align"]["spans"][0] |= shift
    long["judge"]["artifact"]["end"] += 200
    page = opened(long)
    page.get_by_role("button", name="The page adds").click()
    assert held(page) == "add()"
    expect(page.locator(".held-piece")).to_be_in_viewport()
    # The page begins in line 3 of the answer.
    assert page.locator(".held .gutter").get_attribute("data-line") == "202"
    opacity = "e => getComputedStyle(e).opacity"
    assert float(page.locator(".row:not(.held)").first.evaluate(opacity)) <= 0.5
    assert page.locator(".row.held").evaluate(opacity) == "1"
    card = page.locator(".item.open")
    for words in (
        "expected “1”, found “0”",
        "depends on shows",
        "90 % that the fault is in the place with 80 % of the blame",
        "80 %",
        "▼ −1.75",
        "silent",
        "essential",
    ):
        expect(card).to_contain_text(words)
    assert page.url.endswith("#t1%2F0/adds")
    page.get_by_role("button", name="line 202").click()
    assert held(page) == "add()"
    page.keyboard.press("Escape")
    assert held(page) == ""


def spread(*masses):
    """A page of many lines, some of which, one after the other, hold these shares of the blame for `adds`."""
    lines = [f"line{number}();\n" for number in range(400)]
    text = "<script>\n" + "".join(lines)
    one = record(text=text)
    cuts = [0, *(text.index(line) for line in lines), len(text)]
    one["rollout"] |= {"offsets": [list(pair) for pair in pairwise(cuts)], "tokens": cuts[1:]}
    zeros = [0.0] * len(cuts[1:])
    one["judge"]["artifact"] |= {"start": 0, "end": len(text)}
    one["align"] |= {"advantage": 0.0, "advantages": zeros, "weights": [1.0 for _ in zeros]}
    span = one["align"]["spans"][0] | {"advantage": 0.0, "confidence": 0.6}
    places = [text.index(lines[90 * number + 9]) for number in range(len(masses))]
    shares = zip(places, masses, strict=True)
    one["align"]["spans"] = [span | {"start": at, "end": at + 9, "mass": mass} for at, mass in shares]
    return one


def test_the_heaviest_place_of_an_item_comes_into_view_and_first(opened):
    page = opened(spread(0.02, 0.07, 0.9, 0.01))
    page.get_by_role("button", name="The page adds").click()
    expect(page.locator(".held-piece").nth(2)).to_be_in_viewport()
    expect(page.locator(".held-piece").first).not_to_be_in_viewport()
    expect(page.locator(".place").first).to_contain_text("line 191")
    expect(page.locator(".place").first).to_contain_text("90 % of the blame")
    expect(page.locator(".item.open")).to_contain_text("60 % that the fault is in the place with 80 % of the blame")


def test_blame_that_is_spread_thin_is_not_said_to_lie_in_the_places_listed(opened):
    page = opened(spread(0.2, 0.1, 0.15))
    page.get_by_role("button", name="The page adds").click()
    expect(page.locator(".item.open")).to_contain_text(
        "60 % that the fault is in the many places with 80 % of the blame; those listed have 45 % of it"
    )


def test_an_answer_that_earns_nothing_opens_on_what_its_failures_are_blamed_on(opened):
    page = opened(spread(0.1, 0.5, 0.4))
    blamed = page.locator("#source .blame")
    assert blamed.evaluate_all("all => all.map(one => one.className)") == ["blame k4", "blame k8", "blame k8"]
    expect(blamed.nth(1)).to_be_in_viewport()
    assert page.locator("#legend .ticks span").first.text_content() == "−0.30"  # .5 of the blame, .6 sure
    page.get_by_role("button", name="The page adds").click()
    expect(page.locator(".item.open")).to_contain_text("60 % that the fault is in the 2 places with 80 % of the blame")
    expect(page.locator(".item.open")).to_contain_text("the only answer of its group")


def test_an_item_can_be_linked_to_and_walked_to(opened):
    page = opened(record(), address="#t1%2F0/adds")
    assert held(page) == "add()"
    page.keyboard.press("p")
    expect(page.locator(".item.open")).to_contain_text("The page shows")
    page.keyboard.press("n")
    assert held(page) == "add()"


def test_a_failed_gate_leads_to_its_place(opened):
    broken = record()
    start, end = place("add()")
    broken["judge"] |= {"level": "runtime"}
    broken["judge"]["gates"].append(
        {"level": "runtime", "passed": False, "diagnosis": "add is not defined", "start": start, "end": end}
    )
    page = opened(broken)
    expect(page.locator(".why")).to_have_text("add is not defined")
    page.get_by_role("button", name="runtime · line 2").click()
    assert held(page) == "add()"
    page.locator(".held-piece").hover()
    expect(page.locator("#inspector")).to_contain_text("gate runtime")


def test_what_is_known_of_the_rollout_stands_above(opened):
    other = record(1)
    other["judge"]["reward"] = 1.0
    about = opened(record(), other).locator("#about")
    for words in ("t1/0", "reward +0.50", "group’s mean +0.75", "advantage +0.25", "level functional", "tokens 7"):
        expect(about).to_contain_text(words)


def test_other_shades(opened):
    page = opened(record())
    page.get_by_role("radio", name="Local").check()
    assert piece(page, "add()").get_attribute("class") == "blame k8"  # −1.5 where the answer has +0.25
    assert piece(page, "Here").get_attribute("class") in ("", None)
    page.get_by_role("radio", name="Weight").check()
    assert piece(page, "add()").get_attribute("class") == "weight k8"
    expect(page.locator("#legend")).to_contain_text("1.50")
    page.get_by_role("radio", name="Plain").check()
    assert page.locator("#source [class*=k]").count() == 0
    expect(page.locator("#legend")).to_be_hidden()


def test_records_of_earlier_stages_are_shown_as_far_as_they_go(opened):
    rolled = {key: value for key, value in record().items() if key not in ("judge", "align")}
    page = opened(
        rolled, record(1) | {"align": None}, record(2) | {"rollout": None, "error": "no reply", "judge": None}
    )
    expect(page.locator("#items")).to_contain_text("not judged yet")
    expect(page.get_by_role("radio", name="Credit")).to_be_disabled()
    for shade in ("Credit", "Local", "Weight"):
        expect(page.get_by_title(f"{shade} is not known here (not aligned")).to_be_visible()
    page.keyboard.press("j")
    page.get_by_role("button", name="The page adds").click()
    assert held(page) == "<button>"
    page.keyboard.press("j")
    expect(page.locator("#source")).to_have_text("No answer: no reply")
    assert page.problems == []


def test_an_answer_known_as_text_only_is_coloured_by_the_places(opened):
    known = record()
    known["rollout"] |= {"tokens": [], "offsets": [], "logprobs": []}
    page = opened(known)
    blamed = page.locator("#source [data-start]", has_text="add()").last
    assert blamed.get_attribute("class") == "blame k8"
    assert page.locator("#source .blame, #source .praise").count() == 1
    blamed.hover()
    expect(page.locator("#inspector")).to_contain_text("80 % of −1.75")
    expect(page.locator("#about")).to_contain_text("text only")


def test_on_paper_there_is_the_rollout_and_nothing_to_click(opened):
    page = opened(record())
    page.emulate_media(media="print")
    for hidden in ("#list", "#shades", "#inspector", "#help"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".item").last).to_be_visible()


def test_on_a_narrow_screen_the_list_opens_when_asked(opened):
    page = opened(record(0), record(1), viewport={"width": 800, "height": 800})
    expect(page.locator("#list")).to_be_hidden()
    page.get_by_role("button", name="Rollouts").click()
    page.locator(".entry").nth(1).click()
    expect(page.locator("#about .id")).to_have_text("t1/1")
    expect(page.locator("#list")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 800


def test_an_empty_report_says_so(opened):
    expect(opened().locator("#nothing")).to_have_text("No rollouts in this report.")
