"""Pages that work against the judge: each costs itself, and no more than a bounded time."""

import json

import pytest

from rcca_cli import checks
from rcca_cli.browser import AppTrouble, Screen

GOOD = '<button onclick="out.textContent = \'done\'">Go</button><p id="out"></p>'
CASE = checks.parse(
    json.dumps(
        {
            "cases": [{}, {}],
            "steps": [{"do": "click", "target": {"text": "Go"}}, {"expect": "text", "contains": "done"}],
        }
    )
).cases[0]

# The app's own fault: it never answers, or never rests.
TROUBLE = {
    "spins at load": GOOD + "<script>while (true) {}</script>",
    "spins in a timer": GOOD + "<script>setTimeout(() => { while (true) {} }, 5)</script>",
    "spins in promises": GOOD + "<script>(function spin() { Promise.resolve().then(spin) })()</script>",
    "spins at a click": '<button onclick="while (true) {}">Go</button>',
    "reloads": GOOD + "<script>location.reload()</script>",
    "reloads later": GOOD + "<script>setTimeout(() => location.reload(), 5)</script>",
    "refreshes": '<meta http-equiv="refresh" content="0">' + GOOD,
    "takes the heap": GOOD + "<script>const all = []; while (true) all.push(new Array(1e5).fill({}))</script>",
    "asks without end": GOOD + "<script>while (true) alert(1)</script>",
}
# Odd, but it works.
FINE = {
    "talks to the console": GOOD + "<script>for (let i = 0; i < 2e5; i++) console.log('x'.repeat(1000))</script>",
    "opens windows": GOOD.replace("out.", "for (let i = 0; i < 50; i++) window.open('about:blank'); out."),
    "opens tabs": GOOD.replace("out.", "for (let i = 0; i < 5; i++) tab.click(); out.")
    + '<a id="tab" href="https://x.test/" target="_blank"></a>',
    "breaks into the debugger": GOOD + "<script>debugger</script>",
    "leaves": GOOD.replace("out.", "location.href = 'https://x.test/'; out."),
    "writes itself anew": "<button onclick=\"document.write('<p>done</p>')\">Go</button>",
    "has many timers": GOOD + "<script>for (let i = 0; i < 500; i++) setInterval(() => {}, 0)</script>",
    "loads what never comes": GOOD + '<img src="https://x.test/a.png"><script src="https://x.test/b.js"></script>',
    "asks for many files": GOOD + "<script>for (let i = 0; i < 500; i++) new Image().src = '/x' + i</script>",
    "has a frame that loads late if ever": GOOD
    + '<iframe loading=lazy src="/late" style="margin-top:9999px"></iframe>',
    "registers a service worker": GOOD + "<script>navigator.serviceWorker.register('/sw.js').catch(alert)</script>",
    "keeps what was done": GOOD.replace("out.", "localStorage.x = 'done'; out.").replace(
        "= 'done'\"", '= localStorage.x"'
    ),
    "draws without end": GOOD
    + "<script>(function draw() { requestAnimationFrame(draw); setTimeout(draw) })()</script>",
    "greets": GOOD + "<script>alert('hello'); addEventListener('beforeunload', e => e.preventDefault())</script>",
}
# It lies about itself in its own world.
LIES = """<p id="out">0</p><button>Go</button><script>
document.querySelector = () => null;
document.querySelectorAll = () => [];
for (const name of ["textContent", "innerText", "innerHTML"])
  Object.defineProperty(Element.prototype, name, {get: () => "done", set() {}});
Element.prototype.getBoundingClientRect = () => ({x: 0, y: 0, left: 0, top: 0, width: 500, height: 500});
Element.prototype.checkVisibility = () => true;
window.getComputedStyle = () => ({display: "block", getPropertyValue: () => "done"});
JSON.stringify = () => "{}"; JSON.parse = () => ({}); Array.prototype.map = () => []; Date.now = () => 0;
EventTarget.prototype.dispatchEvent = () => false; EventTarget.prototype.addEventListener = () => {};
MessagePort.prototype.postMessage = () => {}; window.setTimeout = () => 0; Promise.prototype.then = () => {};
</script>"""


async def played(machine, page):
    async with machine.visit(page, 1) as visit:
        await visit.load()
        await visit.turn()
        return await checks.play(Screen(visit), CASE), visit.thrown


@pytest.mark.parametrize("page", TROUBLE.values(), ids=TROUBLE)
def test_trouble_is_the_app_s_own(machine, page):
    with pytest.raises(AppTrouble):
        machine.run(lambda: played(machine, page))
    outcome, _ = machine.run(lambda: played(machine, GOOD))
    assert outcome.passed


@pytest.mark.slow
def test_a_page_that_takes_all_memory_outside_the_heap_is_ended(machine):
    page = GOOD + "<script>const all = []; while (true) all.push(new Uint8Array(64e6).fill(1))</script>"
    with pytest.raises(AppTrouble):
        machine.run(lambda: played(machine, page))


@pytest.mark.parametrize("page", FINE.values(), ids=FINE)
def test_odd_pages_work(machine, page):
    outcome, _ = machine.run(lambda: played(machine, page))
    assert outcome.passed, outcome.diagnosis


def test_a_frame_that_never_ends_does_not_hold_its_page_back(machine):
    page = GOOD + "<iframe id=f></iframe><script>f.contentDocument.open(); f.contentDocument.write('<p>')</script>"
    outcome, _ = machine.run(lambda: played(machine, page))
    assert outcome.passed, outcome.diagnosis


def test_a_pattern_that_a_text_sends_astray_does_not_match(machine):
    step = {"expect": "text", "matches": r"^(\w+\s?)+$"}
    case = checks.parse(json.dumps({"cases": [{"n": 1}, {"n": 2}], "steps": [step]})).cases[0]

    async def looked():
        async with machine.visit(f"<p>{'a' * 60}!</p>", 1) as visit:
            await visit.load()
            return await checks.play(Screen(visit), case)

    assert not machine.run(looked).passed


def test_a_page_cannot_lie_about_itself(machine):
    outcome, _ = machine.run(lambda: played(machine, LIES))
    assert outcome.diagnosis == "clicked the text “Go”: expected “done” in the page, found “0 Go”"


def test_a_page_cannot_hide_its_errors(machine):
    page = (
        "<script>window.onerror = () => true; addEventListener('error', e => { e.stopImmediatePropagation();"
        "e.preventDefault() }, true); addEventListener('unhandledrejection', e => e.preventDefault());</script>"
        + GOOD.replace(
            "out.", "Promise.reject(new Error('two')); setTimeout(() => { throw new Error('one') }, 5); out."
        )
    )
    _, thrown = machine.run(lambda: played(machine, page))
    assert [error.message for error in thrown] == ["Uncaught (in promise) Error: two", "Uncaught Error: one"]


@pytest.mark.parametrize(
    "trick",
    [
        "Object.prototype.toJSON = function () { return { ...this, errors: [] } }; Array.prototype.toJSON = () => []",
        "Object.defineProperty(Array.prototype, 0, { set() {}, get() {} })",
        "Object.defineProperty(Object.prototype, 'bubbles', { get() { throw 1 } })",
        "Object.defineProperty(ErrorEvent.prototype, 'message', { get() { throw 1 } }); window.ErrorEvent = class {}",
        "document.open(); document.write('<button>Go</button>'); document.close()",
        "const f = document.body.appendChild(document.createElement('iframe')); "
        "f.contentWindow.Document.prototype.open.call(document)",
    ],
)
def test_a_page_cannot_take_its_errors_back(machine, trick):
    page = GOOD + f"<script>onload = () => {{ {trick}; throw new Error('one') }}</script>"
    _, thrown = machine.run(lambda: played(machine, page))
    assert "Uncaught Error: one" in [error.message for error in thrown]


def test_neighbours_of_a_page_in_trouble_are_not_disturbed(machine):
    import asyncio

    async def together():
        pages = [TROUBLE["spins at load"], GOOD, TROUBLE["takes the heap"], GOOD]
        return await asyncio.gather(*(played(machine, page) for page in pages), return_exceptions=True)

    spun, good, crashed, fine = machine.run(together)
    assert isinstance(spun, AppTrouble)
    assert isinstance(crashed, AppTrouble)
    assert good[0].passed
    assert fine[0].passed
