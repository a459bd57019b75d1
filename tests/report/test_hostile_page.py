"""What a model wrote does nothing to the report: no script of it runs, nothing is asked for, nothing hides."""

import pytest
from playwright.sync_api import expect

from tests.report.example import TEXT, record

ATTACK = "document.title='owned'"
HOSTILE = (
    f'</script><script>{ATTACK}</script><img src=https://leak.test/x onerror="{ATTACK}"><!--\x1b[2J\u202e\u2028\u200b'
)


def poisoned(value):
    """`value` with every string in it made hostile, but for those that have only a few forms."""
    if isinstance(value, dict):
        fixed = ("schema", "kind", "importance", "level", "failure", "mode", "logprobs_basis", "role", "parents")
        return {key: one if key in fixed else poisoned(one) for key, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one) for one in value]
    return value + HOSTILE if isinstance(value, str) else value


def hostile(sample):
    """A record whose strings are all an attack; its second sample's text ends otherwise."""
    bad = poisoned(record(sample)) | {"schema": "rcca/1", "group": "__proto__" + HOSTILE}
    bad["rollout"]["text"] = TEXT + HOSTILE + "\n" + "<script>" * sample
    bad["align"]["spans"][0] |= {"start": len(TEXT), "end": len(TEXT) + 9}
    everywhere = {"rubric": "shows" + HOSTILE, "start": -5, "end": 10**9, "mass": 1e6}
    bad["align"]["spans"].append(bad["align"]["spans"][0] | everywhere)
    bad["task"]["level"] = bad["task"]["class"] = HOSTILE
    return bad


def test_a_record_that_attacks_everywhere_is_only_text(opened):
    page = opened(hostile(0), hostile(1))
    page.locator(".item.pass .head").click()
    assert page.locator(".row:not(.held)").count() == 1  # the last, without a character
    page.locator(".item.fail .head").click()
    page.locator(".held-piece").first.hover()
    page.locator("#about summary").click()
    assert page.locator(".held-piece").first.text_content() == "</script>"
    for place in ("#source", "#items", "#about", "#entries", "#inspector"):
        expect(page.locator(place)).to_contain_text("<script>" if place != "#inspector" else "</script>")
    for place in ("#source", "#items", "#about"):
        expect(page.locator(place)).to_contain_text("␛[2J‹RLO›‹LS›‹ZWSP›")
    page.keyboard.press("g")
    expect(page.locator(".matrix")).to_contain_text("<script>")
    page.locator(".pairs").wait_for()
    shown = page.evaluate("document.body.innerText")
    assert not set("\x1b\u202e\u2028\u200b") & set(shown)
    assert page.title() == "Report"
    assert page.locator("img, iframe, object, embed, base, form:not(#filter):not([method=dialog])").count() == 0
    assert page.asked == [page.url.partition("#")[0]]
    assert page.problems == []


def test_the_page_can_make_no_markup_of_a_string(opened):
    page = opened(record())
    refused = page.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; } catch (error) { return error.name; } return 'made'; }"
    )
    assert refused == "TypeError"


def test_a_script_that_got_in_would_not_run_and_nothing_would_be_fetched(opened):
    page = opened(record())
    page.evaluate(
        """() => {
          const image = document.body.appendChild(document.createElement("img"));
          image.src = "https://leak.test/x.png";
          fetch("https://leak.test/y").catch(() => {});
          const frame = document.body.appendChild(document.createElement("iframe"));
          frame.src = "https://leak.test/z";
        }"""
    )
    expect(page.locator("img")).to_have_js_property("complete", True)
    said = "\n".join(page.problems)
    for refused in ("loading the image 'https://leak.test/x.png'", "connecting to 'https://leak.test/y'", "framing"):
        assert refused in said.lower()
    assert said.count("Content Security Policy") >= 3


def test_characters_that_hide_text_are_shown_by_name_and_pictures_stay_whole(opened):
    pictures = "\U0001f469\u200d\U0001f680 \u2764\ufe0f 1\ufe0f\u20e3"
    bad = record(text=TEXT + f"x\U000e0041\u3164\u200cy\u200dz\ufe0f\ufff9{pictures}")
    end = len(bad["rollout"]["text"])
    bad["rollout"]["offsets"][-2:] = [[len(TEXT) + at, len(TEXT) + at + 1] for at in range(end - len(TEXT))]
    bad["rollout"]["tokens"] = list(range(len(bad["rollout"]["offsets"])))
    page = opened(bad)
    expect(page.locator("#source .row").last).to_have_text(f"x‹U+E0041›‹HF›‹ZWNJ›y‹ZWJ›z‹U+FE0F›‹IAA›{pictures}")


def test_half_a_character_in_an_id_or_an_item_hides_nothing(opened):
    bad = record(1)
    bad["id"] = "a\ud800b"
    bad["task"]["rubric"][1]["id"] = bad["judge"]["verdicts"][1]["rubric"] = "it\ud800"
    bad["align"]["spans"][0]["rubric"] = "it\ud800"
    page = opened(record(), bad)
    page.locator(".entry").nth(1).click()
    expect(page.locator("#about .id")).to_have_text("a‹U+D800›b")
    page.locator(".item.fail .head").click()
    page.reload()
    expect(page.locator(".item.open")).to_contain_text("The page adds")
    expect(page.locator("#about .id")).to_have_text("a‹U+D800›b")
    assert page.problems == []


@pytest.mark.slow
def test_more_lines_and_items_than_a_call_takes_arguments(opened):
    long = record(text=TEXT + "\n" * 150_000)
    one = record(1)
    asked = one["task"]["rubric"][0]
    one["task"]["rubric"] += [asked | {"id": f"item{number}"} for number in range(160_000)]
    page = opened(long, one)
    assert page.locator("#source .row").count() == 150_006
    assert page.locator("#names option").count() == 160_002
    assert page.problems == []


def test_addresses_that_lead_nowhere_show_the_first_rollout(opened):
    page = opened(record(), address="#%E0%A4%A")
    expect(page.locator("#about .id")).to_be_visible()
    for address in ("#/group/nobody", "#nobody/x/y", "#/group/", "#__proto__"):
        page.evaluate("address => { location.hash = address; }", address)
        expect(page.locator("#nothing")).to_be_visible(visible="group" in address)
    assert page.problems == []
