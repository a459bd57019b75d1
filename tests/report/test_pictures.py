"""Pictures of the app, taken by the judge's own browser."""

from pathlib import Path

import orjson
import pytest
from playwright.sync_api import expect

from rcca_cli.browser import Machine, Settings
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage as judging
from rcca_cli.judge.court import Court
from rcca_cli.report import pictures
from tests.report.example import item

APP = """<!DOCTYPE html><title>t</title><style>body { background: #fff; } .on { background: #00f; }</style>
<button onclick="document.body.className = 'on'">Go</button>"""


def asked(html, *steps):
    """A rollout of `html`, to be judged by these steps and by a look at the title."""
    check = orjson.dumps({"cases": [{}, {}], "steps": list(steps)}).decode()
    rubric = [item("goes") | {"check": check}, item("asks") | {"check": None}]
    text = f"```html\n{html}\n```\n"
    lists = {key: [] for key in ("prompt_ids", "tokens", "offsets", "logprobs")}
    known = {"text": text, "finish_reason": "stop", "model": None, "logprobs_basis": None}
    task = {"prompt": [{"role": "user", "content": "Go."}], "rubric": rubric}
    return {"id": "g/0", "group": "g", "task": task, "rollout": known | lists}


@pytest.fixture(scope="module")
def machine():
    with Machine(Settings(action_seconds=1.0, load_seconds=1.0)) as started:
        yield started


@pytest.fixture(scope="module")
def judged(machine):
    court = Court(machine, seed=0, replay_passes=0.0, reward="hierarchical", config="test")
    return lambda record: judging.judged(Line(record, "in.jsonl", 1), court)


def turned(record, html):
    """A judged record, as if its page had been `html`."""
    record["rollout"]["text"] = html
    record["judge"]["artifact"] |= {"start": 0, "end": len(html)}
    return record


CLICKS = {"do": "click", "target": {"role": "button", "name": "Go"}}
FAILS = (CLICKS, {"expect": "visible", "target": {"text": "Gone"}})
PASSES = (CLICKS, {"expect": "visible", "target": {"role": "button", "name": "Go"}})


def colour(page, picture):
    """Size of a picture, and the colour of its middle."""
    return page.evaluate(
        """async source => {
          const image = new Image();
          image.src = source;
          await image.decode();
          const canvas = document.createElement("canvas").getContext("2d");
          canvas.canvas.width = 1280; canvas.canvas.height = 720;
          canvas.drawImage(image, 0, 0);
          return [image.naturalWidth, image.naturalHeight, ...canvas.getImageData(640, 360, 1, 1).data.slice(0, 3)];
        }""",
        f"data:{picture['type']};base64,{picture['data']}",
    )


def test_the_load_and_the_end_of_a_failed_check_are_pictured(machine, judged, browser):
    record = judged(asked(APP, *FAILS))
    assert [row["passed"] for row in record["judge"]["verdicts"]] == [False, None]
    _, found = pictures.Photographer(machine, seed=0).taken(record)
    assert [one["item"] for one in found] == [None, "goes"]
    page = browser.new_page()
    assert colour(page, found[0]) == [1280, 720, 255, 255, 255]
    width, height, red, green, blue = colour(page, found[1])
    assert (width, height) == (1280, 720)
    assert max(red, green) < 10
    assert blue > 245
    assert all(len(one["data"]) < 1.4 * pictures.MOST for one in found)
    page.close()


def test_checks_of_another_seed_are_not_played(machine, judged):
    record = judged(asked(APP, *FAILS))
    camera = pictures.Photographer(machine, seed=1)
    assert not camera.knows(record)
    assert [one["item"] for one in camera.taken(record)[1]] == [None]


def test_what_passed_is_pictured_when_every_check_is_asked_for(machine, judged):
    record = judged(asked(APP, *PASSES))
    assert pictures.Photographer(machine, seed=0).taken(record)[1][1:] == []
    assert [one["item"] for one in pictures.Photographer(machine, seed=0, every=True).taken(record)[1]] == [
        None,
        "goes",
    ]


def test_an_app_that_hangs_or_does_not_parse_has_no_picture(machine, judged):
    camera = pictures.Photographer(machine, seed=0)
    assert camera.taken(judged(asked("<!DOCTYPE html><script>)</script>", *FAILS)))[1] == []
    endless = "<!DOCTYPE html><script>for (;;);</script>"
    assert camera.taken(turned(judged(asked(APP, *PASSES)), endless))[1] == []


def test_a_busy_picture_is_taken_smaller(machine, judged, browser):
    noise = """<!DOCTYPE html><canvas width=1280 height=720></canvas><script>
    const pen = document.querySelector("canvas").getContext("2d"), tile = pen.createImageData(160, 180);
    for (let at = 0; at < tile.data.length; at++) tile.data[at] = at % 4 == 3 ? 255 : Math.random() * 255;
    for (let at = 0; at < 32; at++) pen.putImageData(tile, at % 8 * 160, Math.floor(at / 8) * 180);</script>"""
    found = pictures.Photographer(machine, seed=0).taken(turned(judged(asked(APP, *PASSES)), noise))[1][0]
    page = browser.new_page()
    assert colour(page, found)[:2] == [640, 360]
    page.close()


def test_opening_one_record_shows_it_with_its_pictures_in_the_readers_browser(
    rcca, judged, shown, tmp_path, monkeypatch
):
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/asked\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    monkeypatch.setenv("DISPLAY", ":0")
    record = judged(asked(APP, *FAILS))
    ended = rcca("report", "--open", "g/0", "-o", "one.html", stdin=[record, record | {"id": "g/1"}], cwd=tmp_path)
    assert ended.code == 0, ended.stderr
    assert (tmp_path / "asked").read_text() == (tmp_path / "one.html").as_uri() + "\n"
    page = shown(Path(tmp_path / "one.html"))
    expect(page.locator("#list")).to_be_hidden()
    page.locator(".item.fail .head").click()
    expect(page.locator(".item img")).to_have_js_property("naturalWidth", 1280)
    page.locator(".item .thumbnail").click()
    expect(page.locator("#picture img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#picture")).to_be_hidden()
    assert page.problems == []
    assert {address.partition(":")[0] for address in page.asked} <= {"file", "data"}
