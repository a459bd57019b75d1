"use strict";
// What is written on the page. A model's words become text nodes and nothing else; here is the only place that makes them.

const byId = id => document.getElementById(id);

// Characters that would not be seen, or turn the direction of what follows, by the names that standards give them.
const UNSEEN = {
  0xad: "SHY", 0x61c: "ALM", 0x180e: "MVS", 0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI",
  0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

function visible(text) {
  return String(text).replace(CONTROL, char => {
    const code = char.codePointAt(0);
    if (code === 0x0d) return "";  // the line feed after it is enough
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `‹${UNSEEN[code] || "U+" + code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

function make(tag, name = "", text = "", parts = []) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== "") element.textContent = visible(text);
  element.append(...parts.filter(part => part !== null));
  return element;
}

function button(name, text, act, parts = []) {
  const element = make("button", name, text, parts);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

function signed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

const percent = share => Math.round(100 * share) + " %";
const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// A verdict in a sign, a word and a class; items that were not judged are as unknown as those whose verdict is null.
const VERDICTS = { "+": ["✓", "pass", "passed"], "-": ["✗", "fail", "failed"], "?": ["?", "unknown", "not known"], "": ["·", "unknown", "not judged"] };
const verdictOf = item => VERDICTS[!item.judged ? "" : item.passed === null ? "?" : item.passed ? "+" : "-"];

function sign([glyph, state, words]) {
  const mark = make("span", "sign " + state, glyph);
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", words);
  return mark;
}
