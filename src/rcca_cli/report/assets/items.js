// Beside the source: the requirements with their verdicts; an opened one outlines its places and says why.

let opened = null;  // the id of the item that is open

function itemCard(record, item) {
  const verdict = verdictOf(item);
  const tags = make("span", "tags", "", [make("code", "", item.id), make("span", "tag", item.importance), make("span", "tag", item.kind)]);
  if (item.failure && item.passed === false) tags.append(make("span", "tag failure", item.failure));
  const own = advantageOf(item);
  if (own) tags.append(make("span", own < 0 ? "tag blamed" : "tag praised", `${own < 0 ? "▼" : "▲"} ${signed(own)}`));
  const head = button("head", "", () => openItem(item.id === opened ? null : item.id), [sign(verdict), make("span", "requirement", item.requirement), tags]);
  head.setAttribute("aria-expanded", "false");
  const card = make("div", "item " + verdict[1], "", [head]);
  card.dataset.item = item.id;
  return card;
}

// An item's advantage in this answer, if its credit is placed anywhere; all its places have the same.
const advantageOf = item => (item.places.find(place => place.advantage !== null) || {}).advantage;

function more(record, item) {
  const said = (name, text) => text ? make("p", name, text) : null;
  const parts = [
    said("soft", item.parents.length ? "depends on " + item.parents.join(", ") : ""),
    said("", item.error ? "not known: " + item.error : ""),
    said("diagnosis", item.diagnosis),
    said("soft", sureness(item)),
    ...record.pictures.filter(picture => picture.item === item.id).map(picture => thumbnail(picture, `“${item.requirement}”: where its check ended`)),
    said("soft", even(record, item)),
  ];
  const places = heaviestFirst(item.places).map(place => placeButton(record, place, item));
  parts.push(places.length ? make("ol", "places", "", places) : make("p", "soft", "no code is held responsible"));
  return make("div", "more", "", parts);
}

function sureness(item) {
  if (!item.judged || item.passed === null) return "";
  const words = item.passed || item.severity === 1 || item.severity === null ? [] : ["some of its cases pass"];
  if (item.confidence !== null && item.confidence < 1) words.push(`the judge is ${percent(item.confidence)} sure`);
  const place = item.places.find(one => one.confidence !== null);
  if (place && item.passed === false) words.push(`${percent(place.confidence)} that the fault is in ${most(item.places)}`);
  return words.join("; ");
}

// The heaviest places that together have 80 % of the blame: what the confidence is of. Where the blame is spread thin a
// record lists only some of them.
function most(places) {
  const masses = heaviestFirst(places).map(place => place.mass || 0);
  let count = 0, sum = 0;
  for (; count < masses.length && sum < 0.8 - 1e-9; count++) sum += masses[count];
  if (sum < 0.8 - 1e-9) return `the many places with 80 % of the blame; those listed have ${percent(sum)} of it`;
  return `the ${count === 1 ? "place" : count + " places"} with 80 % of the blame`;
}

function even(record, item) {
  if (record.mode === "rubric" && item.places.length && !item.places.some(place => place.advantage) && groupOf(shownEntry.group).length < 2)
    return "the only answer of its group: there is none to compare it with, so it earns no credit";
  const same = record.mode === "rubric" && item.places.length && item.places.every(place => place.advantage === 0);
  return same ? "the whole group got the same verdict: it earns nobody credit, colours here are other requirements'" : "";
}

const linesOf = (record, place) => {
  const [first, last] = [lineOf(record, place.start), lineOf(record, Math.max(place.start, place.end - 1))];
  const [from, to] = [pageLine(record, first), pageLine(record, last)];
  if (!from || !to) return `line ${first} of the answer`;
  return from === to ? `line ${from}` : `lines ${from}–${to}`;
};

function placeButton(record, place, item) {
  const words = [make("b", "", linesOf(record, place)), make("span", "", place.what), make("span", "soft", place.why)];
  if (place.mass !== null) {
    const bar = make("span", item.passed === false ? "mass blamed" : "mass praised", "", [make("i")]);
    bar.firstChild.style.width = 100 * place.mass + "%";
    words.push(make("span", "numbers", `${percent(place.mass)} of the ${item.passed ? "praise" : "blame"}`), bar);
  }
  return make("li", "", "", [button("place", "", () => hold([place]), words)]);
}

function openItem(name, scroll = true) {
  const record = byId("source").record;
  opened = name;
  let places = [];
  for (const card of document.querySelectorAll("#items .item")) {
    const open = card.dataset.item === name;
    card.classList.toggle("open", open);
    card.querySelector(".head").setAttribute("aria-expanded", String(open));
    card.querySelector(".more")?.remove();
    if (!open) continue;
    const item = record.items.find(one => one.id === name);
    card.append(more(record, item));
    places = item.places;
    if (scroll) card.scrollIntoView({ block: "nearest" });
  }
  hold(places, scroll);
  history.replaceState(null, "", address(shownEntry.name, ...(name ? [name] : [])));
}

function drawItems(record) {
  const judged = record.items.some(item => item.judged);
  const passed = record.items.filter(item => item.passed === true).length;
  const heading = make("h2", "", judged ? `${passed} of ${record.items.length} requirements pass` : "not judged yet");
  const loaded = record.pictures.filter(picture => picture.item === null).map(picture => thumbnail(picture, "As the judge saw it when it was loaded"));
  opened = null;
  byId("items").replaceChildren(heading);
  put(byId("items"), [...loaded, ...record.items.map(item => itemCard(record, item))]);
  byId("items").scrollTop = 0;
}

// A picture, small; a click shows it in full size.
function thumbnail(picture, words) {
  const image = make("img");
  image.src = `data:${picture.type};base64,${picture.data}`;
  image.alt = visible(words);
  const show = button("thumbnail", "", () => enlarge(image.src, words), [image]);
  show.setAttribute("aria-label", "Enlarge: " + visible(words));
  return make("figure", "", "", [show, make("figcaption", "", words)]);
}

function enlarge(source, words) {
  const image = make("img");
  image.src = source;
  image.alt = visible(words);
  byId("picture").replaceChildren(make("p", "", words), image, button("", "Close", () => byId("picture").close()));
  byId("picture").showModal();
}
