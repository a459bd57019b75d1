"""Nothing leaves the browser, and what one page does stays with that page."""

import json

import pytest

from rcca_cli import checks
from rcca_cli.bench.redteam.watch import Listener
from rcca_cli.browser import Machine, Screen, Settings
from rcca_cli.errors import RccaError

LEAK = """<button>Go</button><iframe src="http://HOST/frame"></iframe><img src="http://HOST/img">
<link rel="prefetch" href="http://HOST/prefetch"><link rel="stylesheet" href="http://HOST/css">
<script>
fetch("http://HOST/fetch", {mode: "no-cors"}).catch(() => 0);
navigator.sendBeacon("http://HOST/beacon", "x");
new EventSource("http://HOST/events");
new WebSocket("ws://HOST/socket");
new Worker(URL.createObjectURL(new Blob([`fetch("http://HOST/worker", {mode: "no-cors"}).catch(() => 0);
  new WebSocket("ws://HOST/worker-socket")`])));
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:HOST"}]});
peer.createDataChannel("x");
peer.createOffer().then(offer => peer.setLocalDescription(offer));
document.querySelector("button").onclick = () => { location.href = "http://HOST/away" };
</script>"""


@pytest.fixture
def listener():
    with Listener() as listening:
        yield listening


def steps(*given):
    return checks.parse(json.dumps({"cases": [{}, {}], "steps": list(given)})).cases[0]


GO = steps({"do": "click", "target": {"text": "Go"}}, {"do": "wait", "ms": 2000}, {"expect": "text", "contains": "Go"})


@pytest.mark.parametrize("isolate", [True, False])
def test_no_packet_leaves(listener, isolate):
    page = LEAK.replace("HOST", listener.host)

    async def played():
        async with machine.visit(page, 1) as visit:
            await visit.load()
            outcome = await checks.play(Screen(visit), GO)
            await visit.turn(patient=True)
            return outcome

    with Machine(Settings(isolate=isolate)) as machine:
        assert machine.isolation in (("netns", "flags") if isolate else ("flags",))
        assert machine.run(played).passed  # the page that wanted to go elsewhere is still there
    assert listener.heard() == []


def test_less_isolation_than_required_opens_nothing():
    with (
        pytest.raises(RccaError, match="--require-isolation netns: not on this machine"),
        Machine(Settings(isolate=False, required="netns")),
    ):
        pass


def test_two_pages_share_no_storage(machine):
    page = "<p id=p></p><script>p.textContent = localStorage.n || 'none'; localStorage.n = 'kept'</script>"
    look = steps({"expect": "text", "contains": "none"})

    async def played():
        async with machine.visit(page, 1) as visit:
            await visit.load()
            return await checks.play(Screen(visit), look)

    assert machine.run(played).passed
    assert machine.run(played).passed


@pytest.mark.parametrize(
    "store",
    [
        "localStorage.x = 1",
        "sessionStorage.x = 1",
        "document.cookie = 'x=1'",
        "window.name = 'x'",
        "addEventListener('pagehide', () => { localStorage.x = 1 })",
        "indexedDB.open('x').onsuccess = e => e.target.result.close()",
        "document.cookie = 'x=1; domain=app.test'",
    ],
)
def test_a_case_finds_nothing_of_the_last_one(machine, store):
    page = f"""<p id=p></p><script>(async () => {{
    p.textContent = localStorage.length + sessionStorage.length + document.cookie.length + window.name.length
      + (await indexedDB.databases()).length ? "something" : "nothing"; {store} }})()</script>"""

    nothing = steps({"expect": "text", "contains": "nothing"})

    async def played():
        async with machine.visit(page, 1) as visit:
            seen = []
            for _ in range(3):
                await visit.load()
                seen.append((await checks.play(Screen(visit), nothing)).diagnosis)
            return seen

    assert machine.run(played) == [None] * 3


@pytest.mark.parametrize("name", ['"indexed" + "DB"', '"cach" + "es"', '"Wor" + "ker"', '"cookie" + "Store"'])
def test_what_could_outlive_a_page_is_noticed_under_any_name(machine, name):
    async def noticed(page):
        async with machine.visit(page, 1) as visit:
            await visit.load()
            await visit.turn()
            return visit.remembers

    assert machine.run(lambda: noticed(f"<p>x</p><script>self[{name}]</script>"))
    assert not machine.run(lambda: noticed("<p>x</p><script>self['document']</script>"))


def test_chance_is_the_seed_s(machine):
    page = "<p id=p></p><script>p.textContent = [Math.random(), crypto.randomUUID(), Date.now()].join()</script>"

    async def text(seed):
        async with machine.visit(page, seed) as visit:
            await visit.load()
            return (await Screen(visit).look([{"target": None, "text": True}]))[0]["text"]

    first, again, other = (machine.run(lambda seed=seed: text(seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert first.endswith("1767603600000")  # 2026-01-05T09:00:00Z


def test_nothing_of_the_browser_is_left(machine):
    from rcca_cli.browser import processes

    with Machine() as other:
        pid = other.pid
        assert processes.command(pid)
        everyone = [pid, *processes.descendants(pid)]
    assert [one for one in everyone if "--rcca-browser" in processes.command(one)] == []
