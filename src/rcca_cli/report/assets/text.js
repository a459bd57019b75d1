"use strict";
// What is written on the page. A model's words become text nodes and nothing else; here is the only place that makes them.

const byId = id => document.getElementById(id);

// Characters that would not be seen, or turn the direction of what follows, by the names that standards give them.
const UNSEEN = {
  0xad: "SHY", 0x34f: "CGJ", 0x61c: "ALM", 0x115f: "HCF", 0x1160: "HJF", 0x180e: "MVS", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM",
  0x200f: "RLM", 0x3164: "HF", 0xffa0: "HHF", 0xfff9: "IAA", 0xfffa: "IAS", 0xfffb: "IAT", 0x2028: "LS", 0x2029: "PS",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI",
  0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;
// What makes one picture of several characters hides nothing there: 👩‍🚀, ❤️, 1️⃣.
// (Alternatives and no class: before $ V8 does not find a class's astral characters.)
const JOINED = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u, JOINS = /^\p{Extended_Pictographic}/u, PICTURED = /(?:\p{Extended_Pictographic}|[0-9#*])$/u;

function isPicture(char, before, after) {
  if (char === "\u200d") return JOINED.test(before) && JOINS.test(after);
  return char === "\ufe0f" && PICTURED.test(before);
}

// `before` and `after` are the characters around a piece of a longer text.
function visible(text, before = "", after = "") {
  const whole = before + text + after;
  return String(text).replace(CONTROL, (char, place) => {
    const at = before.length + place;
    if (isPicture(char, whole.slice(Math.max(0, at - 2), at), whole.slice(at + 1, at + 3))) return char;
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
  return put(element, parts);
}

// One by one: a call takes no more than some ten thousand arguments.
function put(element, parts) {
  const all = document.createDocumentFragment();
  for (const part of parts) if (part !== null) all.append(part);
  element.append(all);
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
