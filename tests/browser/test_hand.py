"""What a page notices of our keys and mouse, beside what it would notice of a person's."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rcca_cli.browser import keyboard
from rcca_cli.checks import keys

PRINTABLE = "".join(map(chr, range(33, 127)))
SHIFTED = set('ABCDEFGHIJKLMNOPQRSTUVWXYZ~!@#$%^&*()_+{}|:"<>?')
# What a keyboard of the US layout says of a key: its code and number (W3C UI Events, KeyboardEvent code values).
CODES = {
    **{one: (f"Key{one.upper()}", ord(one.upper())) for one in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{one: (f"Digit{place}", 48 + place) for row in ("0123456789", ")!@#$%^&*(") for place, one in enumerate(row)},
    **{
        one: (code, number)
        for pair, code, number in [
            ("`~", "Backquote", 192), ("-_", "Minus", 189), ("=+", "Equal", 187), ("[{", "BracketLeft", 219),
            ("]}", "BracketRight", 221), ("\\|", "Backslash", 220), (";:", "Semicolon", 186), ("'\"", "Quote", 222),
            (",<", "Comma", 188), (".>", "Period", 190), ("/?", "Slash", 191),
        ]
        for one in pair
    },
}  # fmt: skip
LOG = """<script>const log = [];
const note = (...what) => { log.push(what.join(" ")); document.documentElement.dataset.log = JSON.stringify(log) };
const on = (names, say, where = window) => names.split(" ").forEach(name =>
  where.addEventListener(name, event => note(name, ...say(event)), true));</script>"""
KEYS = LOG + (
    "<textarea id=t autofocus></textarea><script>t.focus(); on('keydown keyup', e => [e.key, e.code, e.keyCode, "
    "+e.shiftKey + 2 * e.ctrlKey + 4 * e.altKey + 8 * e.metaKey, +e.isTrusted]); on('input', e => [e.data])</script>"
)


@pytest.fixture
def use(machine):
    """The page's log, and an expression, after something was done with its hand."""

    def used(page, work, look="null"):
        async def done():
            async with machine.visit(page, 1) as visit:
                await visit.load()
                await visit.turn()
                await work(visit.hand)
                visit.rest = 50
                await visit.turn(patient=True)
                log = await visit.evaluate("document.documentElement.dataset.log || '[]'")
                return json.loads(log), await visit.evaluate(look)

        return machine.run(done)

    return used


def pressed(*combinations):
    async def work(hand):
        for one in combinations:
            await hand.press(one)

    return work


def clicked(x, y, times=1):
    return lambda hand: hand.click(x, y, times)


def test_each_character_comes_from_its_key(use):
    log, text = use(KEYS, lambda hand: hand.type(PRINTABLE), "document.querySelector('textarea').value")
    assert text == PRINTABLE
    wanted = []
    for one in PRINTABLE:
        code, number = CODES[one]
        said = f"{one} {code} {number} {int(one in SHIFTED)} 1"
        wanted += [f"keydown {said}", f"input {one}", f"keyup {said}"]
    assert log == wanted


@pytest.mark.parametrize("name", sorted(keys.NAMED))
def test_each_named_key_says_its_name_and_number(use, name):
    log, _ = use(KEYS, pressed(name))
    down, up = (next(line.split(" ") for line in log if line.startswith(kind)) for kind in ("keydown", "keyup"))
    if name == "Space":
        assert down[1:5] == ["", "", "Space", "32"]
        return
    code = f"{name}Left" if name in ("Shift", "Control", "Alt", "Meta") else name
    assert down[1:4] == up[1:4] == [name, code, str(keyboard.LAYOUT[name].number)]


@pytest.mark.parametrize(
    ("key", "down"),
    [
        ("Control+z", ["keydown Control ControlLeft 17 2 1", "keydown z KeyZ 90 2 1"]),
        ("Shift+Tab", ["keydown Shift ShiftLeft 16 1 1", "keydown Tab Tab 9 1 1"]),
        ("Alt+Shift+z", ["keydown Alt AltLeft 18 4 1", "keydown Shift ShiftLeft 16 5 1", "keydown z KeyZ 90 5 1"]),
        ("Alt+a", ["keydown Alt AltLeft 18 4 1", "keydown a KeyA 65 4 1"]),
        ("Meta+k", ["keydown Meta MetaLeft 91 8 1", "keydown k KeyK 75 8 1"]),
        ("Control++", ["keydown Control ControlLeft 17 2 1", "keydown + Equal 187 2 1"]),
    ],
)  # fmt: skip
def test_keys_held_are_seen_and_type_nothing(use, key, down):
    log, text = use(KEYS, pressed(key), "document.querySelector('textarea').value")
    assert [line for line in log if line.startswith("keydown")] == down
    assert len([line for line in log if line.startswith("keyup")]) == len(down)
    assert text == ""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=30))
def test_any_text_arrives_as_it_is(use, text):
    assert use(KEYS, lambda hand: hand.type(text), "document.querySelector('textarea').value")[1] == text


@pytest.mark.parametrize(
    "text", ["😀👩‍👩‍👧🇫🇷", "漢字かなハングル한글", "Zoë naïve œuvre", "two\nlines", "مرحبا", "ﬁ é é"]
)
def test_text_of_no_key_is_put_in(use, text):
    for work in (lambda hand: hand.type(text), lambda hand: hand.insert(text)):
        log, value = use(KEYS, work, "document.querySelector('textarea').value")
        assert value == text
        assert any(line.startswith("input") for line in log)


FORM = LOG + (
    "<form id=f><input id=a name=a value='one two'><input id=b type=checkbox name=b><button id=c>Go</button></form>"
    "<textarea id=d>one two</textarea><script>f.onsubmit = e => { e.preventDefault(); note('submit') };"
    "f.onclick = e => note('click', e.target.id, e.detail); a.focus();"
    "on('focusin', e => [e.target.id]); on('change', e => [e.target.id, e.target.checked])</script>"
)
AT = "document.activeElement.id"
RANGE = "<input id=x type=range min=0 max=9 value=5>"


@pytest.mark.parametrize(
    ("done", "log", "look", "found"),
    [
        (["Enter"], ["click c 0", "submit"], AT, "a"),
        (["Tab"], ["focusin b"], AT, "b"),
        (["Tab", "Tab", "Shift+Tab"], ["focusin b", "focusin c", "focusin b"], AT, "b"),
        (["Tab", "Space"], ["focusin b", "click b 0", "change b true"], "document.querySelector('#b').checked", True),
        (["Tab", "Tab", "Space"], ["focusin b", "focusin c", "click c 0", "submit"], AT, "c"),
        (["Tab", "Tab", "Enter"], ["focusin b", "focusin c", "click c 0", "submit"], AT, "c"),
        (["Control+a", "x"], [], "document.querySelector('#a').value", "x"),
        (["End", "Backspace", "Backspace"], [], "document.querySelector('#a').value", "one t"),
        (["Home", "Delete"], [], "document.querySelector('#a').value", "ne two"),
        (["End", "ArrowLeft", "X"], [], "document.querySelector('#a').value", "one twXo"),
        (["Control+a", "x", "Control+z"], [], "document.querySelector('#a').value", "one two"),
        (["Home", "Shift+ArrowRight", "Shift+ArrowRight", "y"], [], "document.querySelector('#a').value", "ye two"),
    ],
)
def test_keys_do_what_they_do_in_a_form(use, done, log, look, found):
    assert use(FORM, pressed(*done), look) == (log, found)


def test_a_textarea_is_selected_undone_and_broken_into_lines(use):
    look = "document.querySelector('#d').value"
    page = FORM.replace("a.focus()", "d.focus(); d.setSelectionRange(3, 3)")
    assert use(page, pressed("Enter", "y"), look)[1] == "one\ny two"
    assert use(page, pressed("Control+a", "Delete"), look)[1] == ""
    assert use(page, pressed("Control+a", "Delete", "Control+z"), look)[1] == "one two"


@pytest.mark.parametrize(
    ("control", "done", "log"),
    [
        ("<select id=x><option>1<option>2<option>3</select>", ["ArrowDown", "ArrowDown"], ["input 2", "input 3"]),
        (RANGE, ["ArrowRight", "ArrowUp", "ArrowLeft"], ["input 6", "input 7", "input 6"]),
        (RANGE, ["Home", "End"], ["input 0", "input 9"]),
        ("<input id=x type=number value=5>", ["ArrowUp", "ArrowUp", "ArrowDown"], ["input 6", "input 7", "input 6"]),
        ("<input type=radio name=r id=x value=1 checked><input type=radio name=r value=2>", ["ArrowDown"], ["input 2"]),
    ],
)  # fmt: skip
def test_arrows_move_controls(use, control, done, log):
    page = f"{LOG}{control}<script>x.focus(); on('input', e => [e.target.value])</script>"
    assert use(page, pressed(*done))[0] == log


MOUSE = LOG + (
    "<p id=p style='position:absolute;left:0;top:0;margin:0;font:20px/40px monospace'>first second third</p><script>"
    "on('mousedown mouseup click dblclick', e => [e.button, e.buttons, e.detail, +e.isTrusted], p)</script>"
)


def test_a_double_click_selects_a_word(use):
    log, selected = use(MOUSE, clicked(100, 20, 2), "String(getSelection())")
    assert selected.strip() == "second"
    one = ["mousedown 0 1 1 1", "mouseup 0 0 1 1", "click 0 0 1 1"]
    two = ["mousedown 0 1 2 1", "mouseup 0 0 2 1", "click 0 0 2 1", "dblclick 0 0 2 1"]
    assert log == [*one, *two]


async def dragged(hand):
    await hand.move(20, 20)
    await hand.down()
    await hand.move(100, 60, steps=2)
    await hand.move(220, 120, steps=3)
    await hand.up()


BOXES = LOG + (
    "<style>div{position:absolute;width:50px;height:50px}</style>"
    "<div id=a draggable=DRAGS style='left:0;top:0'>a</div><div id=b style='left:200px;top:100px'>b</div>"
)


def test_dropping_has_its_order_and_carries_its_data(use):
    page = BOXES.replace("DRAGS", "true") + (
        "<script>a.addEventListener('dragstart', e => e.dataTransfer.setData('text/plain', 'the card'));"
        "b.addEventListener('dragover', e => e.preventDefault());"
        "b.addEventListener('drop', e => note('got', e.dataTransfer.getData('text/plain')));"
        "on('dragstart dragenter dragover drop dragend', e => [e.target.id || 'page'])</script>"
    )
    log, _ = use(page, dragged)
    mine = [line for place, line in enumerate(log) if "page" not in line and line not in log[:place]]
    order = ["dragstart a", "dragenter b", "dragover b", "drop b", "got the card", "dragend a"]
    assert [line for line in mine if line in order] == order


def test_a_drop_that_nobody_wants_ends_the_drag_all_the_same(use):
    page = BOXES.replace("DRAGS", "true") + "<script>on('dragstart drop dragend', e => [e.target.id])</script>"
    log, _ = use(page, dragged)
    assert log == ["dragstart a", "dragend a"]


def test_dragging_by_the_mouse_keeps_the_button_down(use):
    page = BOXES.replace("DRAGS", "false") + (
        "<script>on('mousedown mousemove mouseup', e => [e.buttons, ...[e.x, e.y].map(Math.round)])</script>"
    )
    log, _ = use(page, dragged)
    moves = [
        "mousemove 1 60 40",
        "mousemove 1 100 60",
        "mousemove 1 140 80",
        "mousemove 1 180 100",
        "mousemove 1 220 120",
    ]
    assert log == ["mousemove 0 20 20", "mousedown 1 20 20", *moves, "mouseup 0 220 120"]


def test_the_wheel_scrolls_what_is_under_the_mouse(use):
    page = LOG + (
        "<div id=s style='height:100px;overflow:auto'><div style='height:900px'>x</div></div>"
        "<script>on('wheel', e => [e.deltaY, +e.isTrusted])</script><p style='height:3000px'>"
    )

    async def turned(hand):
        await hand.move(30, 50)
        await hand.wheel(120)

    log, (box, window) = use(page, turned, "[document.querySelector('#s').scrollTop, scrollY]")
    assert log == ["wheel 120 1"]
    assert (box, window) == (120, 0)
