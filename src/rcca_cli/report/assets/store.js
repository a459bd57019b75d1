// The records of this file: packed blocks, of which one is unpacked when it is opened, and the index of them all.

const blocks = document.getElementsByClassName("rollout");
let entries = [];  // of the index, with `at`, their place in it
let parts = null;  // of an index without records: the file that has each entry

async function unpacked(block) {
  const bytes = Uint8Array.from(atob(block.textContent), char => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

async function readIndex() {
  const index = await unpacked(document.querySelector("script.index"));
  parts = index.parts || null;
  entries = index.rollouts.map((entry, at) => ({ ...entry, at }));
  nameEntries();
  const scales = new Map();  // one for all answers of a group
  for (const entry of entries) {
    const most = scales.get(entry.group) || { advantages: 0, local: 0 };
    most.advantages = Math.max(most.advantages, entry.scale);
    most.local = Math.max(most.local, entry.local);
    scales.set(entry.group, entry.scales = most);
  }
  return index;
}

// Two records of one id, as of two modes side by side, have addresses of their own and say where they are from.
function nameEntries() {
  const known = new Map();  // the entries of an id
  for (const entry of entries) known.has(entry.id) ? known.get(entry.id).push(entry) : known.set(entry.id, [entry]);
  const taken = new Set([...known.keys()].map(wellFormed));
  for (const [id, same] of known) {
    const differ = key => new Set(same.map(entry => entry[key])).size === same.length;
    same.forEach((entry, number) => {
      let name = wellFormed(id);
      for (let count = number + 1; number && taken.has(name); count++) name = `${wellFormed(id)} (${count})`;
      taken.add(entry.name = name);
      entry.from = same.length < 2 ? "" : differ("file") ? entry.file.split("/").pop() : differ("mode") ? entry.mode || "not aligned" : `no. ${number + 1}`;
    });
  }
}

// A record as it is shown: its text as code points, its tokens as spans of them.
async function readRecord(entry) {
  const record = await unpacked(blocks[entry.at]);
  record.chars = Array.from(record.text);
  record.scales = { ...entry.scales, weights: largest(record.weights || []) };
  let end = 0;
  record.spans = record.lengths.map((length, token) => {
    const start = end + (record.gaps[token] || 0);
    return [start, end = start + length];
  });
  record.lines = [0];
  record.chars.forEach((char, at) => { if (char === "\n") record.lines.push(at + 1); });
  return record;
}

// The number of the line, from 1, on which a place of the text is.
function lineOf(record, place) {
  let low = 0, high = record.lines.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (record.lines[middle] <= place) low = middle; else high = middle;
  }
  return low + 1;
}

// What a line of the answer is called: its number in the page, as in diagnoses; "" of a line outside the page.
function pageLine(record, line) {
  const app = record.artifact;
  if (!app) return String(line);
  const first = lineOf(record, app.start), last = lineOf(record, Math.max(app.start, app.end - 1));
  return line < first || line > last ? "" : String(line - first + 1);
}

const groupOf = name => entries.filter(entry => wellFormed(entry.group) === wellFormed(name));

// Addresses: `#ID`, `#ID/ITEM`, `#/group/GROUP`, `#/group/GROUP/ID/ID`. An id's own slashes are escaped.
// Half a character (a lone surrogate) can stand in no address.
const wellFormed = text => String(text).replace(/\p{Surrogate}/gu, "\ufffd");
const address = (...words) => "#" + words.map(word => encodeURIComponent(wellFormed(word))).join("/");
const fileOf = entry => parts ? parts[entry.part] : "";
const addressOf = (entry, ...more) => fileOf(entry) + address(entry.name, ...more);
const groupAddress = (entry, ...more) => fileOf(entry) + address("", "group", entry.group, ...more);
