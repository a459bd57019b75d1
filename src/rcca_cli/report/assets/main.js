// What the address asks for is shown; keys and buttons change the address.

let shownEntry = null, asked = 0;

const route = () => location.hash.slice(1).split("/").map(part => { try { return decodeURIComponent(part); } catch { return part; } });

async function follow() {
  const turn = ++asked, words = route();
  if (words[0] === "" && words[1] === "group") return showGroup(words[2], words.slice(3));
  if (words[0] === "" && words[1] === "signal" && signals.length) return showSignal();
  const entry = entries.find(one => one.name === words[0]) || (parts ? null : entries[0]);
  if (!entry) return showNothing();
  if (parts) return location.replace(addressOf(entry, ...words.slice(1)));
  const record = await readRecord(entry);
  if (turn === asked) show(record, entry, words[1]);
}

function view(name) {
  document.body.dataset.view = name;
  document.body.classList.remove("listing");
  byId("menu").setAttribute("aria-expanded", "false");
  byId("inspector").hidden = name === "nothing" || name === "signal";
  byId("inspector").replaceChildren(make("p", "soft", "Point at a token, or go to it with the arrow keys, to see what credit it has and why."));
}

function showNothing() {
  view("nothing");
  byId("nothing").textContent = entries.length ? "Choose a rollout from the list." : "No rollouts in this report.";
}

function show(record, entry, item) {
  const again = entry === shownEntry;
  shownEntry = entry;
  view("rollout");
  reveal(entry);
  drawAbout(record, entry);
  drawItems(record);
  redraw(record);
  if (!again) byId("source").scrollTop = 0;
  const chosen = record.items.find(one => wellFormed(one.id) === item);
  if (chosen) openItem(chosen.id);
  else if (!again) seek(blamed(record));
}

async function showGroup(name, names) {
  const members = groupOf(name);
  if (!members.length) return showNothing();
  if (parts) return location.replace(groupAddress(members[0], ...names));
  view("group");
  await drawGroup(members, names);
}

function showSignal() {
  view("signal");
  drawSignal();
}

function redraw(record) {
  for (const input of document.querySelectorAll("#shades input")) {
    const text = !record.spans.length && input.value !== "advantages";  // of an answer known as text, places are coloured
    input.disabled = input.value !== "none" && (text || !SHADES[input.value].of(record));
    const why = text ? "the answer is known as text only: its tokens have no credit of their own" : "not aligned, or not scored: the tokens have no credit";
    input.parentElement.title = input.disabled ? `${input.parentElement.textContent} is not known here (${why})` : SHADES[input.value].title || "";
  }
  drawLegend(record);
  drawSource(record);
}

function chooseShade(name) {
  shade = name;
  if (document.body.dataset.view === "group") return follow();
  const record = byId("source").record;
  if (!record) return;
  redraw(record);
  if (opened) openItem(opened, false);
}

// Keys: none of them acts while something is typed.
function neighbour(by) {
  const at = found.indexOf(shownEntry);
  const entry = found[at + by];
  if (entry) location.hash = address(entry.name);
}

function neighbourItem(by) {
  const items = (byId("source").record || { items: [] }).items.map(item => item.id);
  const at = items.indexOf(opened);
  const next = items[at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by];
  if (next && document.body.dataset.view === "rollout") openItem(next);
}

const KEYS = {
  j: () => neighbour(1), k: () => neighbour(-1), n: () => neighbourItem(1), p: () => neighbourItem(-1),
  g: () => shownEntry && groupOf(shownEntry.group).length > 1 && (location.hash = groupAddress(shownEntry)),
  r: () => shownEntry && (location.hash = address(shownEntry.name)),
  s: () => byId("to-signal").hidden || byId("to-signal").click(),
  Escape: () => byId("source").record && openItem(null), "?": () => byId("keys").showModal(),
  "/": () => { document.body.classList.add("listing"); byId("filter").elements.text.focus(); },
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog") || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  for (const input of document.querySelectorAll("#shades input")) input.addEventListener("change", () => chooseShade(input.value));
  byId("help").addEventListener("click", KEYS["?"]);
  byId("menu").addEventListener("click", () => byId("menu").setAttribute("aria-expanded", String(document.body.classList.toggle("listing"))));
  watchTokens(document.querySelector(".columns"));
  addEventListener("keydown", press);
  addEventListener("hashchange", follow);
}

async function start() {
  const index = await readIndex();
  if (index.home) byId("home").href = index.home;
  byId("home").hidden = !index.home;
  startSignal(index);
  document.body.classList.toggle("single", entries.length < 2 && !parts);
  startList();
  listen();
  await follow();
}

start();
