"use strict";
// Everything a model wrote is put on the page with textContent, never as markup.
const byId = id => document.getElementById(id);
const blocks = [...document.querySelectorAll("script.rollout")];
const list = JSON.parse(document.querySelector("script.index").textContent).rollouts;
const scale = {};
for (const entry of list) scale[entry.group] = Math.max(scale[entry.group] || 0, entry.scale);
let shown = null, entry = null, shade = "advantages";

function make(tag, name = "", text = "", parts = []) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== "") element.textContent = text;
  element.append(...parts);
  return element;
}

function signed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

function drawList() {
  let group = null;
  list.forEach((rollout, index) => {
    if (rollout.group !== group) {
      group = rollout.group;
      byId("list").append(make("h2", "", group));
    }
    const link = make("a");
    const bar = make("span", "bar", "", [make("i")]);
    bar.firstChild.style.width = (rollout.items ? 100 * rollout.passed / rollout.items : 0) + "%";
    link.href = "#" + encodeURIComponent(rollout.id);
    link.dataset.index = index;
    const short = rollout.id.startsWith(group + "/") ? rollout.id.slice(group.length) : rollout.id;
    const meta = make("span", "meta", "", [make("span", "", rollout.level || "not judged")]);
    if (rollout.level) meta.append(make("span", "", `${rollout.passed} of ${rollout.items} pass`));
    link.append(make("span", "name", short), make("span", "reward", signed(rollout.reward)), meta, bar);
    byId("list").append(link);
  });
}

function drawAbout() {
  const fact = (name, value) => make("span", "", name + " ", [make("b", "", value)]);
  const facts = make("div", "facts", "", [make("span", "id", shown.id), fact("reward", signed(entry.reward))]);
  if (shown.mode) facts.append(fact("advantage", signed(shown.advantage)), fact("credit", shown.mode));
  if (shown.mode && shown.unmatched) facts.append(fact("not placed", String(shown.unmatched)));
  if (shown.model) facts.append(fact("model", shown.model));
  facts.append(fact("tokens", shown.offsets.length ? String(shown.offsets.length) : "text only"));
  if (shown.finish && shown.finish !== "stop") facts.append(fact("ended by", shown.finish));
  const gates = make("ol", "gates");
  for (const gate of shown.gates) {
    const state = gate.passed === null ? "" : gate.passed ? "pass" : "fail";
    gates.append(make("li", state, `${gate.level} ${{ pass: "✓", fail: "✗" }[state] || "?"}`));
  }
  for (const gate of shown.gates) if (gate.diagnosis && gate.passed !== true) gates.append(make("li", "why", gate.diagnosis));
  const asked = [shown.class, shown.difficulty].filter(Boolean).join(", ");
  const request = make("details", "", "", [make("summary", "", "Request" + (asked ? ` (${asked})` : "")), make("p", "", shown.prompt)]);
  byId("about").replaceChildren(facts, gates, request);
}

// The places where the text must be cut: token borders, borders of what an item is blamed on, ends of lines.
function borders(chars) {
  const cuts = new Set([0, chars.length]);
  for (const [start, end] of shown.offsets) cuts.add(start).add(end);
  for (const item of shown.items) for (const place of item.places) cuts.add(place.start).add(place.end);
  chars.forEach((char, index) => { if (char === "\n") cuts.add(index + 1); });
  return [...cuts].filter(cut => cut >= 0 && cut <= chars.length).sort((a, b) => a - b);
}

function colour(value) {
  if (shade === "weights") return `rgb(47 91 208 / ${(0.6 * Math.min(1, value / Math.max(1e-9, maximum(shown.weights)))).toFixed(3)})`;
  const strength = Math.min(1, Math.abs(value) / Math.max(1e-9, scale[entry.group])) ** 0.7;
  return `rgb(${value < 0 ? "224 49 49" : "43 158 84"} / ${(0.75 * strength).toFixed(3)})`;
}

const maximum = values => values.reduce((most, value) => Math.max(most, value), 0);

// Of an answer known as text only, the credit of its tokens is not recorded: the places stand for them.
function paintPlaces(piece, at) {
  if (shade !== "advantages" || shown.offsets.length) return;
  const here = shown.items.flatMap(item => item.places.filter(place => place.advantage && at >= place.start && at < place.end));
  if (!here.length) return;
  const share = place => place.advantage * place.mass;
  const heaviest = places => places.reduce((a, b) => Math.abs(share(b)) > Math.abs(share(a)) ? b : a);
  const most = heaviest(here);
  const all = heaviest(shown.items.flatMap(item => item.places.filter(place => place.advantage)));
  piece.title = `${most.what}: ${Math.round(100 * most.mass)} % of advantage ${signed(most.advantage, 3)}`;
  piece.style.backgroundColor = colour(share(most) / Math.abs(share(all)) * scale[entry.group]);
}

function paint(piece, token) {
  const values = shade === "none" ? null : shown[shade];
  if (!values || token === undefined) return;
  piece.title = `token ${token}: ${shade === "weights" ? "weight " + values[token].toFixed(3) : "advantage " + signed(values[token], 3)}`;
  if (values[token]) piece.style.backgroundColor = colour(values[token]);
}

function drawSource() {
  const chars = Array.from(shown.text);
  const cuts = borders(chars);
  const tokenAt = new Map();
  shown.offsets.forEach(([start, end], token) => { for (let at = start; at < end; at++) tokenAt.set(at, token); });
  const rows = [];
  let code = null;
  const newLine = at => {
    const row = make("div", "row", "", [code = make("code")]);
    row.dataset.line = rows.length + 1;
    const app = shown.artifact;
    if (app && (at < app.start || at >= app.end)) row.classList.add("outside");
    rows.push(row);
  };
  newLine(0);
  for (let i = 0; i + 1 < cuts.length; i++) {
    const piece = make("span", "", chars.slice(cuts[i], cuts[i + 1]).join(""));
    piece.dataset.start = cuts[i];
    paint(piece, tokenAt.get(cuts[i]));
    paintPlaces(piece, cuts[i]);
    code.append(piece);
    if (chars[cuts[i + 1] - 1] === "\n" && cuts[i + 1] < chars.length) newLine(cuts[i + 1]);
  }
  shown.offsets.forEach(([start, end], token) => {
    if (start !== end || start !== chars.length) return;
    const mark = make("span", "end", "end");
    paint(mark, token);
    code.append(mark);
  });
  byId("source").replaceChildren(...rows);
}

function lineOf(offset) {
  let line = 1, at = 0;
  for (const char of shown.text) {
    if (at++ >= offset) break;
    if (char === "\n") line += 1;
  }
  return line;
}

function hold(places, from = 0) {
  for (const element of document.querySelectorAll(".held, .held-piece")) element.classList.remove("held", "held-piece");
  let first = null;
  for (const piece of document.querySelectorAll("#source [data-start]")) {
    const start = Number(piece.dataset.start);
    if (!places.some(place => start >= place.start && start < place.end)) continue;
    piece.classList.add("held-piece");
    piece.closest(".row").classList.add("held");
    if (!first && start >= from) first = piece;
  }
  if (first) first.scrollIntoView({ block: "center" });
}

function placeButton(place) {
  const [first, last] = [lineOf(place.start), lineOf(Math.max(place.start, place.end - 1))];
  const button = make("button", "place", "", [make("b", "", first === last ? `line ${first}` : `lines ${first}–${last}`)]);
  button.type = "button";
  if (place.mass !== null) button.append(make("span", "mass", ` ${Math.round(100 * place.mass)} %  ${signed(place.advantage)}`));
  button.append(` ${place.what} · ${place.why}`);
  button.addEventListener("click", () => hold([place]));
  return make("li", "", "", [button]);
}

function itemCard(item) {
  const state = !item.judged || item.passed === null ? "unknown" : item.passed ? "pass" : "fail";
  const card = make("div", "item " + state);
  const button = make("button", "", "", [make("span", "sign", { pass: "✓", fail: "✗", unknown: "?" }[state]), make("span", "", item.requirement)]);
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  const tags = [item.kind, item.importance, item.failure && state === "fail" ? item.failure : ""].filter(Boolean).join(" · ");
  button.append(make("span", "tags", "", [make("code", "", item.id), ` · ${tags}`]));
  const more = make("div", "more");
  more.hidden = true;
  if (item.parents.length) more.append(make("p", "", "depends on " + item.parents.join(", ")));
  if (item.error) more.append(make("p", "", "not known: " + item.error));
  if (item.diagnosis) more.append(make("p", "", item.diagnosis));
  const even = shown.mode === "rubric" && item.places.length && item.places.every(place => place.advantage === 0);
  if (even) more.append(make("p", "", "the whole group got the same verdict: it earns nobody credit, colours here are other requirements'"));
  more.append(item.places.length ? make("ol", "", "", item.places.map(placeButton)) : make("p", "", "no code is held responsible"));
  button.addEventListener("click", () => open(card, item, more, button));
  card.append(button, more);
  return card;
}

function open(card, item, more, button) {
  const opening = more.hidden;
  for (const other of document.querySelectorAll(".item.open")) {
    other.classList.remove("open");
    other.querySelector(".more").hidden = true;
    other.querySelector("button").setAttribute("aria-expanded", "false");
  }
  card.classList.toggle("open", opening);
  more.hidden = !opening;
  button.setAttribute("aria-expanded", String(opening));
  hold(opening ? item.places : []);
}

function drawItems() {
  const passed = shown.items.filter(item => item.passed === true).length;
  const heading = shown.items.some(item => item.judged) ? `${passed} of ${shown.items.length} requirements pass` : "not judged yet";
  byId("items").replaceChildren(make("h2", "", heading), ...shown.items.map(itemCard));
}

function drawLegend() {
  const values = shade === "none" ? null : shown[shade];
  byId("legend").hidden = !values;
  byId("legend").className = "legend " + shade;
  if (!values) return;
  const most = shade === "weights" ? maximum(values) : scale[entry.group];
  byId("low").textContent = shade === "weights" ? "0" : "−" + most.toFixed(2);
  byId("high").textContent = (shade === "weights" ? "" : "+") + most.toFixed(2);
}

function choose(name) {
  shade = name;
  for (const button of document.querySelectorAll("#shades button")) {
    button.setAttribute("aria-checked", String(button.dataset.shade === name));
    button.disabled = button.dataset.shade !== "none" && !shown[button.dataset.shade];
  }
  drawLegend();
  drawSource();
}

function show(index) {
  entry = list[index];
  shown = JSON.parse(blocks[index].textContent);
  for (const link of document.querySelectorAll("#list a")) link.setAttribute("aria-current", String(Number(link.dataset.index) === index));
  drawAbout();
  drawItems();
  choose(shade);
  byId("source").scrollTop = 0;
}

function follow() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const index = list.findIndex(rollout => rollout.id === wanted);
  if (list.length) show(Math.max(0, index));
}

drawList();
if (!list.length) byId("source").append(make("p", "empty", "No rollouts in this report."));
for (const button of document.querySelectorAll("#shades button")) button.addEventListener("click", () => shown && choose(button.dataset.shade));
addEventListener("hashchange", follow);
follow();
