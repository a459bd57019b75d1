"""A tab serves one app after the other: none can see that another was there, and none answers for another."""

import asyncio
import contextlib
import re
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from rcca_cli.browser import AppHung, AppTrouble, BrowserLost, Machine, Settings, processes

FINE = "<button>Go</button><script>1</script>"
HERE = Path(__file__).parent
# It prints all that it can find, and spells oddly what would get it a context of its own.
PROBE = (HERE / "probe.html").read_text()
FRESH = PROBE + "<!-- cookie -->"  # has a context of its own for that word
READY = "new Promise(done => { const look = () => document.body.dataset.ready ? done() : setTimeout(look, 5); look() })"


def polluting():
    """Pages that leave what they can, by name."""
    blocks = re.split(r"^== ", (HERE / "polluting.txt").read_text(), flags=re.MULTILINE)[1:]
    return dict(block.split("\n", 1) for block in blocks)


async def clicked(hand):
    await hand.click(30, 30, 1)
    await hand.press("a")


async def held(hand):
    await hand.move(30, 30)
    await hand.down()
    await hand.move(60, 60)


HANDS = {
    "clicks": (FINE, clicked),
    "a mouse that rests": (FINE, lambda hand: hand.move(20, 20)),
    "a button held": (FINE, held),
    "something dragged": (FINE + "<p draggable=true style='position:fixed;top:0;height:99px'>x</p>", held),
    "a click that is refused": ("<script>onmousedown = onkeydown = e => e.preventDefault()</script>", clicked),
    "a wheel": (FINE + "<p style='height:9000px'>x</p>", lambda hand: hand.wheel(500)),
}


async def visited(machine, page, work=None):
    """The tab of a page that was loaded, and used."""
    async with machine.visit(page, 1) as visit:
        await visit.load()
        await visit.turn()
        if work is not None:
            await work(visit.hand)
        await visit.turn(rest=100)
        return visit.tab


async def probed(machine, page=PROBE):
    """What the probe finds, and on which tab."""
    async with machine.visit(page, 7) as visit:
        await visit.load()
        await visit.turn()
        await visit.evaluate(READY)
        await visit.hand.move(40, 20)
        await clicked(visit.hand)
        await visit.turn(rest=100)
        await visit.evaluate("document.body.dispatchEvent(new Event('show'))")
        return (await visit.evaluate("document.body.dataset.shown")).split("\n"), visit.tab


@pytest.fixture(scope="module")
def fresh(machine):
    """What the probe finds where nobody was before."""
    return machine.run(lambda: probed(machine, FRESH))[0]


CASES = {name: (page, clicked) for name, page in polluting().items()} | HANDS


@pytest.mark.parametrize(("page", "work"), CASES.values(), ids=CASES)
def test_an_app_does_not_see_the_one_before(machine, fresh, page, work):
    machine.run(lambda: visited(machine, page, work))
    assert machine.run(lambda: probed(machine))[0] == fresh


def test_the_probe_comes_to_tabs_that_others_had():
    with Machine() as machine:
        before = machine.run(lambda: visited(machine, FINE))
        assert machine.run(lambda: probed(machine))[1] is before


@pytest.fixture
def small():
    """A browser of its own, which makes way after three visits; a page may hold 600 MB."""
    with Machine(Settings(action_seconds=0.5, load_seconds=0.5, recycle=3, page_bytes=600_000_000)) as machine:
        yield machine


def test_a_worn_browser_makes_way_and_nobody_notices(small):
    seen = set()
    for _ in range(7):
        small.run(lambda: visited(small, FINE))
        seen.add(small.pid)
    assert len(seen) == 3
    assert [pid for pid in seen - {small.pid} if processes.started(pid)] == []


def test_a_browser_that_makes_way_is_kept_until_its_last_page_is_done(small):
    async def long():
        async with small.visit(FINE, 1) as visit:
            await visit.load()
            for _ in range(4):
                await visited(small, FINE)
            return await visit.turn(rest=10)

    assert small.run(long)["rest"]["errors"] == []


def test_a_browser_killed_while_tabs_wait_is_replaced(small):
    tab = small.run(lambda: visited(small, FINE))
    processes.kill_group(small.pid)
    assert small.run(lambda: tried(small)) is not tab


def test_a_page_process_killed_between_two_apps_is_not_the_next_one_s_fault(small):
    for pid in small.run(lambda: visited(small, FINE)).guard.pids:
        processes.kill(pid)
    small.run(lambda: tried(small))


@pytest.mark.parametrize(
    "last", ["onpagehide", "onbeforeunload", "document.onvisibilitychange", "self['on' + 'page' + 'hide']"]
)
def test_a_page_that_hangs_when_it_leaves_is_not_the_next_one_s_fault(small, last):
    small.run(lambda: visited(small, f"<p>x</p><script>{last} = () => {{ while (true) {{}} }}</script>"))
    small.run(lambda: tried(small))


async def tried(machine, page=FINE):
    """The tab on which the page was found to be fine; what our side loses may be tried again, as the judge does."""
    for _ in range(2):
        try:
            return await visited(machine, page)
        except BrowserLost:
            pass
    return await visited(machine, page)


def test_a_page_that_hangs_on_a_used_tab_is_at_fault_itself(small):
    before = small.run(lambda: visited(small, FINE))
    with pytest.raises(AppHung):
        small.run(lambda: visited(small, "<p>x</p><script>while (true) {}</script>"))
    assert small.run(lambda: visited(small, FINE)) is not before


@pytest.fixture
def narrow():
    """The same, with time enough to fill that."""
    with Machine(Settings(action_seconds=5, load_seconds=5, recycle=3, page_bytes=600_000_000)) as machine:
        yield machine


def test_what_one_app_holds_in_memory_is_not_counted_against_the_next(narrow):
    page = "<p>x</p><script>const all = []; for (let i = 0; i < N; i++) all.push(new Uint8Array(50e6).fill(1))</script>"
    for count in (7, 7, 4, 4, 4):
        narrow.run(lambda count=count: visited(narrow, page.replace("N", str(count))))
    with pytest.raises(AppTrouble):
        narrow.run(lambda: visited(narrow, page.replace("N", "1000")))


def test_the_end_leaves_nothing_that_still_waits_for_a_page():
    with Machine() as machine:
        begun = threading.Event()

        async def forever():
            async with machine.visit("<iframe id=f></iframe><script>f.contentDocument.open()</script>", 0) as visit:
                begun.set()
                await visit.load()
                await asyncio.Event().wait()

        def work():
            with contextlib.suppress(CancelledError):
                machine.run(forever)

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
    thread.join()
    assert asyncio.all_tasks(machine.loop) == set()
