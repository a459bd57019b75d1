"""Games on a canvas are judged without a model: by what is drawn on it, and by its pixels."""

import shutil

import pytest

from rcca_cli.browser import Machine, Settings, find
from rcca_cli.jsonl import Line
from rcca_cli.judge import stage
from rcca_cli.judge.court import Court
from tests.judge.records import answer, item, record

CANVAS = {"css": "canvas"}
BALL = {"do": "read", "what": "drawn x", "target": CANVAS, "shape": "circle", "colour": "crimson"}
PIXELS = {"do": "read", "what": "pixels", "target": CANVAS}
SCORE = {"do": "read", "what": "number", "after": "Score", "target": CANVAS}
ITEMS = (
    item("painted", {"expect": "painted", "target": CANVAS}, kind="initial"),
    item("score", {"expect": "text", "target": CANVAS, "contains": "Score: 0"}, kind="initial"),
    item(
        "moves",
        BALL | {"as": "before"},
        {"do": "wait", "ms": 500},
        BALL | {"as": "after"},
        {"expect": "number", "left": "after", "op": "==", "right": "before", "plus": 50, "tolerance": 3},
    ),
    item(
        "changes",
        PIXELS | {"as": "before"},
        {"do": "wait", "ms": 500},
        PIXELS | {"as": "after"},
        {"expect": "differs", "left": "before", "right": "after"},
    ),
    item(
        "counts",
        {"do": "click", "target": CANVAS, "count": "{hits}"},
        SCORE | {"as": "points"},
        {"expect": "number", "left": "points", "op": "==", "right": "{hits}"},
        cases=({"hits": 1}, {"hits": 2}),
    ),
)
GAME = """<h1>Ball</h1><canvas width="300" height="200"></canvas><script>
const canvas = document.querySelector("canvas"), c = canvas.getContext("2d");
let x = 20, score = 0, last = 0;
canvas.onclick = () => { score++; };
function frame(now) {
  x += (now - last) / 10;
  last = now;
  c.fillStyle = "white";
  c.fillRect(0, 0, 300, 200);
  c.fillStyle = "crimson";
  c.beginPath(); c.arc(x, 100, 8, 0, 2 * Math.PI); c.fill();
  c.fillStyle = "black";
  c.fillText(`Score: ${score}`, 10, 20);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
</script>"""


def failed(judge):
    return {row["rubric"]: row["failure"] for row in judge["verdicts"] if not row["passed"]}


@pytest.mark.parametrize(
    ("change", "items"),
    [
        (("", ""), set()),
        (("requestAnimationFrame(frame);\n</script>", "</script>"), {"painted", "score", "moves", "changes", "counts"}),
        (('"crimson"', '"white"'), {"moves", "changes"}),
        (('"black"', '"white"'), {"score", "counts"}),
        (("<canvas ", '<canvas style="opacity: 0" '), {"painted", "score", "moves", "changes", "counts"}),
        (("x += (now - last) / 10", "x += 0"), {"moves", "changes"}),
        (("score++", "score--"), {"counts"}),
        (("c.fillRect(0, 0, 300, 200);", ""), {"moves", "counts"}),
    ],
    ids=[
        "right",
        "draws nothing",
        "white ball",
        "white score",
        "unseen",
        "stands still",
        "counts down",
        "leaves a trail",
    ],
)
def test_a_game_fails_in_what_it_does_wrong(judged, change, items):
    assert GAME.replace(*change) != GAME or change == ("", "")
    judge = judged(record(answer(GAME.replace(*change)), *ITEMS))
    assert set(failed(judge)) == items
    assert judge["level"] == "functional"


def test_the_words_of_a_failure_say_what_was_on_the_canvas(judged):
    blank = judged(record(answer(GAME.replace("requestAnimationFrame(frame);\n</script>", "</script>")), *ITEMS))
    said = {row["rubric"]: row["diagnosis"] for row in blank["verdicts"]}
    assert said["painted"] == "expected something on the element “canvas”, it is empty"
    assert said["moves"] == (
        "expected to read the drawn x of crimson circle number 0 of the element “canvas”, found no text"
    )
    assert failed(blank)["painted"] == "visual"


WEBGL = """<p>Cube</p><canvas></canvas><script>
const gl = document.querySelector("canvas").getContext("webgl");
gl?.clearColor(1, 0, 0, 1); gl?.clear(gl.COLOR_BUFFER_BIT); gl?.enable(gl.SCISSOR_TEST); gl?.scissor(0, 0, 50, 50);
gl?.clearColor(0, 0, 1, 1); gl?.clear(gl.COLOR_BUFFER_BIT);
</script>"""


def test_what_webgl_would_draw_is_not_known_where_there_is_none(judged, tmp_path):
    (there,) = judged(record(answer(WEBGL), ITEMS[0]))["verdicts"]
    assert there["passed"]
    program = find.executable()
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nexec "{shutil.which(program) or program}" --disable-3d-apis "$@"\n')
    script.chmod(0o755)
    with Machine(Settings(executable=str(script))) as machine:
        flat = Court(machine, 0, 0.0, "hierarchical", "test")
        painted, drawn = (
            stage.judged(Line(record(answer(page), ITEMS[0]), "in.jsonl", 1), flat)["judge"]["verdicts"][0]
            for page in (WEBGL, GAME)
        )
    assert (painted["passed"], painted["failure"]) == (None, None)
    assert painted["error"] == "the page draws with WebGL, which the browser on this machine does not have"
    assert drawn["passed"]


def test_a_page_cannot_make_itself_unknown(judged):
    page = WEBGL.replace("</script>", "HTMLCanvasElement.prototype.getContext = () => null;</script>").replace(
        'getContext("webgl")', 'getContext("webgl", { failIfMajorPerformanceCaveat: true }) && null'
    )
    (found,) = judged(record(answer(page), ITEMS[0]))["verdicts"]
    assert found["passed"] is False


# A ship that moves while a key or the button is down, as games are usually written.
SHIP = """<canvas width="400" height="100"></canvas><script>
const canvas = document.querySelector("canvas"), c = canvas.getContext("2d"), down = {};
let x = 200;
addEventListener("keydown", (event) => { down[event.key] = true; });
addEventListener("keyup", (event) => { down[event.key] = false; });
canvas.onpointerdown = () => { down.button = true; };
onpointerup = () => { down.button = false; };
function frame() {
  if (down.ArrowLeft) x -= 3;
  if (down.ArrowRight || down.button) x += 3;
  c.clearRect(0, 0, 400, 100);
  c.fillStyle = "blue";
  c.fillRect(x - 10, 40, 20, 20);
  requestAnimationFrame(frame);
}
frame();
</script>"""
AT = {"do": "read", "what": "drawn x", "target": CANVAS, "shape": "rect", "colour": "blue"}


def moved(name, action, op, plus=0.0):
    compared = {"expect": "number", "left": "after", "op": op, "right": "before", "plus": plus, "tolerance": 4}
    return item(name, AT | {"as": "before"}, action, {"do": "wait", "ms": 200}, AT | {"as": "after"}, compared)


def test_a_key_and_a_button_are_held_for_some_frames_where_the_page_can_tell(court):
    rubric = (
        moved("left", {"do": "press", "key": "ArrowLeft"}, "<"),
        moved("right", {"do": "press", "key": "ArrowRight", "hold": 500}, "==", 90),
        moved("button", {"do": "click", "target": CANVAS}, ">"),
    )
    judge = court.judge(record(answer(SHIP), *rubric))
    assert [(verdict["passed"], verdict["diagnosis"]) for verdict in judge["verdicts"]] == [(True, None)] * 3


def test_what_is_held_for_long_says_so(court):
    stays = moved("stays", {"do": "press", "key": "ArrowRight", "hold": 500}, "==")
    (verdict,) = court.judge(record(answer(SHIP), stays))["verdicts"]
    assert "pressed ArrowRight for 500 ms, waited 200 ms" in verdict["diagnosis"]
