// Letting time pass and coming to rest; the face towards Python.

let leaving = false, submitted = false;
navigation.addEventListener("navigate", (e) => {
  if (!e.destination.sameDocument && !e.downloadRequest) leaving = true;
});
addEventListener("submit", () => { submitted = true; }, true);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const paint = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 500); });
const calm = () => {  // what moves is at its end at once; what moves for ever does not move
  for (const animation of document.getAnimations()) {
    const ends = Number.isFinite(animation.effect.getComputedTiming().endTime);
    try { ends ? animation.finish() : animation.cancel(); } catch { /* odd timing */ }
  }
};
const pump = (ms) => new Promise((done) => {
  let heard = false;
  addEventListener(SECRET + "!", () => { heard = true; }, { once: true });
  addEventListener(SECRET + "<", (event) => done(JSON.parse(event.detail)), { once: true });
  dispatchEvent(new CustomEvent(SECRET + ">", { detail: JSON.stringify({ ms, most: 20000 }) }));
  if (!heard) done({ errors: [], lost: 0, ran: 0, starved: true, now: 0, kept: true, moved: true, waiting: 1, opening: 0 });  // document.open() ends all listeners
});
const turn = async (o) => {
  let rest = null;
  if (submitted) { await pause(10); submitted = false; }
  if (o.rest !== undefined) rest = await pump(o.rest);
  calm();
  if (o.patient && document.querySelector('meta[http-equiv="refresh" i]')) await pause(200);
  if (o.patient) { await paint(); if (o.rest !== undefined) rest.errors.push(...(await pump(0)).errors); calm(); }
  if (o.linger !== undefined) { await pause(100); rest = await pump(o.linger); calm(); }
  const out = { rest, leaving };
  if (leaving) return out;
  freshen();
  if (o.look) out.look = o.look.map(look);
  if (o.aim !== undefined) out.aim = aim(o.aim, o.purpose);
  if (o.choose !== undefined) out.done = choose(o.choose);
  if (o.put !== undefined) out.done = put(o.put);
  if (o.blank) out.blank = blank();
  return out;
};
const about = () => {
  if (!last) return null;
  const place = (globalThis.parsed || []).indexOf(last);  // skeleton.js
  return { place: place < 0 ? null : place, tag: tagOf(last).toLowerCase() };
};
const skeleton = () => (globalThis.parsed || []).map((e) => [tagOf(e).toLowerCase(), attr(e, "id") || ""]);
const see = (target) => { freshen(); last = find(document, target).element; return last !== null; };
globalThis.rcca = { turn, about, skeleton, see, watchDrags, isDragging, last: () => last, stay: () => { leaving = false; } };
