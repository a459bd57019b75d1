// The answer, line by line and token by token.

const LOUD = 3;  // steps from which on a line is marked in the margin

// The places where the text must be cut: borders of tokens, of what an item is blamed on, ends of lines.
function cutsOf(record) {
  const cuts = new Set([0, record.chars.length, ...record.lines]);
  for (const [start, end] of record.spans) cuts.add(start).add(end);
  for (const place of placesOf(record)) cuts.add(place.start).add(place.end);
  return [...cuts].filter(cut => cut >= 0 && cut <= record.chars.length).sort((a, b) => a - b);
}

const placesOf = record => [...record.items.flatMap(item => item.places), ...record.gates.filter(gate => gate.start !== null)];

// Of each character its token, -1 if it has none.
function tokensByPlace(record) {
  const tokens = new Int32Array(record.chars.length).fill(-1);
  record.spans.forEach(([start, end], token) => tokens.fill(token, start, end));
  return tokens;
}

function piece(record, start, end, token, value, most) {
  const element = make("span", value === null ? "" : shadeClass(value, most));
  element.textContent = visible(record.chars.slice(start, end).join(""), record.chars[start - 1], record.chars[end]);
  element.dataset.start = start;
  if (token >= 0) element.dataset.token = token;
  return element;
}

function row(record, line) {
  const app = record.artifact, start = record.lines[line];
  const outside = app && (start < app.start || start >= app.end);
  const element = make("div", outside ? "row outside" : "row", "", [make("span", "gutter"), make("code")]);
  element.firstChild.dataset.line = pageLine(record, line + 1);
  return element;
}

// One element a line, with the pieces of its tokens in it.
function rowsOf(record) {
  const cuts = cutsOf(record), tokens = tokensByPlace(record), shaded = shading(record), placed = placeShading(record);
  const rows = record.lines.map((_, line) => row(record, line));
  const loudest = rows.map(() => 0);
  let line = 0;
  for (let index = 0; index + 1 < cuts.length; index++) {
    const start = cuts[index], token = tokens[start];
    while (line + 1 < rows.length && record.lines[line + 1] <= start) line++;
    const value = shaded && token >= 0 ? shaded.values[token] : placed ? placed.value(start) : null;
    rows[line].lastChild.append(piece(record, start, cuts[index + 1], token, value, (shaded || placed || {}).most));
    if (value && Math.abs(value) > Math.abs(loudest[line])) loudest[line] = value;
  }
  if (shade !== "weights") rows.forEach((element, at) => mark(element.firstChild, loudest[at], (shaded || placed || {}).most));
  put(rows[rows.length - 1].lastChild, ends(record, shaded));
  return rows;
}

// The margin says in a sign what the strongest token of a line says in colour.
function mark(gutter, value, most) {
  if (step(value, most) < LOUD) return;
  gutter.dataset.sign = value < 0 ? "▼" : "▲";
  gutter.classList.add(value < 0 ? "blamed" : "praised");
}

// Tokens without text at the end: the end-of-document token, above all.
function ends(record, shaded) {
  return record.spans.flatMap(([start, end], token) => {
    if (start !== end || start !== record.chars.length) return [];
    const element = make("span", "end " + (shaded ? shadeClass(shaded.values[token], shaded.most) : ""), "end");
    element.dataset.token = token;
    return [element];
  });
}

function drawSource(record) {
  const source = byId("source");
  source.replaceChildren();
  put(source, record.error ? [make("p", "empty", "No answer: " + record.error)] : rowsOf(record));
  source.record = record;
}

// Outline these places and fade the rest; the heaviest comes into view.
function hold(places, scroll = true) {
  const source = byId("source");
  for (const element of source.querySelectorAll(".held, .held-piece")) element.classList.remove("held", "held-piece");
  source.classList.toggle("holding", places.length > 0);
  for (const place of places) holdPlace(source, place);
  if (scroll) seek(heaviestFirst(places));
}

const heaviestFirst = places => [...places].sort((a, b) => (b.mass || 0) - (a.mass || 0));

// Bring the first of these places into view that the text has.
function seek(places) {
  for (const place of places) {
    const piece = piecesOf(byId("source"), place)[0];
    if (piece) return piece.scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" });
  }
}

function holdPlace(source, place) {
  for (const element of piecesOf(source, place)) {
    element.classList.add("held-piece");
    element.closest(".row").classList.add("held");
  }
}

function piecesOf({ children, record }, { start, end }) {
  const found = [];
  for (let line = lineOf(record, start); line <= lineOf(record, Math.max(start, end - 1)); line++) {
    for (const element of children[line - 1].querySelectorAll("[data-start]")) {
      if (element.dataset.start >= start && element.dataset.start < end) found.push(element);
    }
  }
  return found;
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
