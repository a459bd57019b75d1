"""A tab serves one app after the other: none can see that another was there, and none answers for another."""

import pytest

FINE = "<button>Go</button>"
# Prints all that it can find. Whoever names what could be kept gets a context of its own, so this one spells it oddly.
PROBE = """<p id=p tabindex=0>probe</p><div style="height:5000px"></div><script>
const found = [], named = name => name.replaceAll("_", ""), at = (...path) => path.reduce((o, n) => o[named(n)], self);
const say = (what, look) => { let value; try { value = look() } catch (error) { value = error.name }
  found.push(what + ": " + String(value)) };
const names = Object.getOwnPropertyNames(self).sort();
say("globals", () => names);
for (const one of names) {
  const value = names.includes(one) && /^[A-Z]/.test(one) ? self[one] : null;
  if (value && value.prototype) say(one, () => Object.getOwnPropertyNames(value.prototype).sort());
}
say("builtins", () => [[].map, {}.toString, fetch, JSON.parse, Node.prototype.appendChild, alert]);
say("name", () => at("na_me"));
say("sto" + "rage", () => [at("local_Sto_rage").length, at("session_Sto_rage").length, at("document", "coo_kie")]);
say("histo" + "ry", () => [at("his_tory").length, at("his_tory").state, at("his_tory").scrollRestoration]);
say("navigation", () => [performance.getEntriesByType("navi" + "gation")[0].type, performance.navigation.type]);
say("address", () => [location.href, document.referrer, document.URL, document.domain]);
say("focus", () => [document.hasFocus(), document.activeElement.tagName, document.visibilityState]);
say("activation", () => [navigator.userActivation.isActive, navigator.userActivation.hasBeenActive]);
say("place", () => [scrollX, scrollY, visualViewport.scale]);
say("size", () => [innerWidth, innerHeight, outerWidth, outerHeight, screenX, screenY, devicePixelRatio]);
say("media", () => ["(display-mode: fullscreen)", "(prefers-color-scheme: dark)", "(hover: hover)"]
  .map(query => matchMedia(query).matches));
say("full", () => [document.fullscreenElement, document.pointerLockElement, document.designMode]);
say("hover", () => document.querySelectorAll(":ho" + "ver").length);
say("selection", () => getSelection().rangeCount);
say("chance", () => [Math.random(), crypto.randomUUID(), Date.now(), performance.now(), setTimeout(() => 0)]);
say("dialogs", () => [confirm("?"), prompt("?", "x")]);
say("sound", () => new AudioContext().state);
say("elements", () => [customElements.get("x-y"), document.all.length, frames.length, document.styleSheets.length]);
for (const event of ["mo_usemove", "mo_useup", "ke_ydown", "cl_ick"]) addEventListener(named(event), e =>
  found.push([e.type, e.buttons, e.detail, e.shiftKey, e.ctrlKey, e.altKey, e.metaKey, e.isTrusted, e.target.id].join()));
const asked = ["notifications", "geolocation", "camera", "clip_board-read", "clip_board-write", "midi",
  "persistent-sto_rage"].map(named).map(name => navigator.permissions.query({name}).then(
    answer => name + " " + answer.state, error => name + " " + error.name));
Promise.all([...asked, navigator.locks.query().then(all => all.held.length), at("navi_gator", "sto_rage").estimate().then(
  all => all.usage)]).then(all => { found.push("allowed: " + all); document.body.dataset.ready = 1 });
</script>"""
LISTED = (
    """new Promise(done => { const look = () => document.body.dataset.ready ? done() : setTimeout(look, 5); look() })"""
)
SHOWN = "document.body.dataset.shown"

POLLUTING = {
    "globals": "<script>var mine = 1; self.other = 2; globalThis.third = () => 3</script>",
    "prototypes": "<script>Array.prototype.map = () => []; Object.prototype.x = 1; Node.prototype.y = 2</script>",
    "builtins": "<script>JSON.parse = 1; Math.random = () => 0; Date.now = () => 0; alert = confirm = 1</script>",
    "frozen": "<script>Object.freeze(Object.prototype); Object.freeze(Array.prototype)</script>",
    "name": "<script>name = 'mine'</script>",
    "name by another name": "<script>self['na' + 'me'] = 'mine'</script>",
    "storage by another name": "<script>self['local' + 'Stor' + 'age'].x = self['session' + 'Stor' + 'age'].x = 1</script>",
    "storage when it leaves": "<script>onpagehide = () => { self['local' + 'Stor' + 'age'].x = 1 }</script>",
    "cookies by another name": "<script>document['coo' + 'kie'] = 'x=1'; document['coo' + 'kie'] = 'y=1; path=/z'</script>",
    "databases by another name": "<script>self['indexed' + 'DB'].open('x')</script>",
    "caches by another name": "<script>self['cac' + 'hes'].open('x')</script>",
    "its address": "<script>location.hash = 'a'; location.hash = 'b'</script>",
    "history by another name": "<script>self['his' + 'tory']['push' + 'State'](1, '', '/x')</script>",
    "replaced history": "<script>self['his' + 'tory'].replaceState({x: 1}, '', '/x')</script>",
    "history scrolls": "<script>self['his' + 'tory'].scrollRestoration = 'manual'</script>",
    "a push by its prototype": "<script>History.prototype['go'].call(self['his' + 'tory'], -1); location.hash = 'a'</script>",
    "permissions": "<script>Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0)</script>",
    "lasting": "<script>navigator.storage.persist(); navigator.locks.request('x', () => new Promise(() => 0))</script>",
    "dialogs": "<script>alert(1); setTimeout(() => prompt(2), 5); onbeforeunload = e => e.preventDefault()</script>",
    "timers": "<script>setInterval(() => 0, 1); for (let i = 0; i < 99; i++) requestAnimationFrame(() => 0)</script>",
    "focus": "<input id=i><script>i.focus(); i.select()</script>",
    "scrolling": "<p style='height:9000px'>x</p><script>scrollTo(0, 4000)</script>",
    "selection": "<p id=s>some words</p><script>getSelection().selectAllChildren(s); document.designMode = 'on'</script>",
    "size": "<script>resizeTo(300, 300); moveTo(50, 50)</script>",
    "frames": "<iframe srcdoc='<p>x'></iframe><iframe></iframe>",
    "elements": "<script>customElements.define('x-y', class extends HTMLElement {})</script>",
    "sound": "<script>const a = new AudioContext(); a.resume()</script>",
    "title and theme": "<title>mine</title><meta name=color-scheme content=dark><meta name=referrer content=never>",
    "a policy": "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; sandbox\">",
    "a base": "<base href=https://x.test/ target=_blank>",
    "errors": "<script>throw new Error('mine')</script><script>Promise.reject(1)</script>",
    "fullscreen": "<script>onclick = () => document.body.requestFullscreen()</script>",
    "pointer lock": "<script>onclick = () => document.body.requestPointerLock()</script>",
    "a list that stays open": "<select autofocus><option>1<option>2</select>",
    "a heavy page": "<script>const many = []; for (let i = 0; i < 1e5; i++) many.push({i})</script>" + "<b>x</b>" * 2000,
}  # fmt: skip


async def held(hand):
    await hand.move(30, 30)
    await hand.down()
    await hand.move(60, 60)


async def dragged(hand):
    await held(hand)
    await hand.move(90, 90, steps=3)


async def clicked(hand):
    await hand.click(30, 30, 1)
    await hand.press("a")


HANDS = {
    "clicks": (FINE, clicked),
    "a mouse that rests": ("<p>x</p>", lambda hand: hand.move(20, 20)),
    "a button held": ("<p>x</p>", held),
    "something dragged": ("<p draggable=true style='height:50px'>x</p>", dragged),
    "a click that is refused": ("<script>onmousedown = onkeydown = e => e.preventDefault()</script>", clicked),
    "a wheel": ("<p style='height:9000px'>x</p>", lambda hand: hand.wheel(500)),
}


async def visited(machine, page, work=clicked, frames=True):
    """The page's tab after it was used."""
    async with machine.visit(page, 1, frames) as visit:
        await visit.load()
        await visit.turn()
        await work(visit.hand)
        await visit.turn(rest=100)
        return visit.tab


async def probed(machine, page=PROBE, frames=True):
    """What the probe finds, and on which tab."""
    async with machine.visit(page, 7, frames) as visit:
        await visit.load()
        await visit.turn()
        await visit.evaluate(LISTED)
        await visit.hand.move(40, 20)
        await visit.hand.click(45, 20, 1)
        await visit.hand.press("x")
        await visit.turn(rest=100)
        await visit.evaluate("document.body.dispatchEvent(new Event('show'))")
        return (await visit.evaluate(SHOWN)).split("\n"), visit.tab


PROBE += (
    "<script>document.body.addEventListener('show', () => { document.body.dataset.shown = found.join('\\n') })</script>"
)
FRESH = PROBE + "<!-- cookie -->"  # which has a context of its own for that word


@pytest.fixture(scope="module", params=[True, False], ids=["drawn", "not drawn"])
def fresh(request, machine):
    """Whether the page is drawn, and what the probe finds where nobody was before."""
    return request.param, machine.run(lambda: probed(machine, FRESH, request.param))[0]


@pytest.mark.parametrize(
    ("page", "work"), [*((one, clicked) for one in POLLUTING.values()), *HANDS.values()], ids=[*POLLUTING, *HANDS]
)
def test_an_app_does_not_see_the_one_before(machine, fresh, page, work):
    frames, wanted = fresh
    machine.run(lambda: visited(machine, page, work, frames))
    found, _ = machine.run(lambda: probed(machine, PROBE, frames))
    assert [(a, b) for a, b in zip(found, wanted, strict=True) if a != b] == []
