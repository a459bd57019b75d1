// Comparing texts: words are whole, case and spacing do not matter.

const squash = (s) => s.replace(/\s+/g, " ").trim().replace(/’/g, "'").replace(/[−–]/g, "-");
const fold = (s) => squash(s).toLowerCase();

const isWord = (c) => /[\p{L}\p{N}_]/u.test(c);
const holds = (text, part) => {
  if (!part) return false;
  const inner = isWord(part[0]), outer = isWord(part[part.length - 1]);
  const bare = !/[\p{L}\p{N}]/u.test(part);  // "+" is not in "+1"
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text[at - 1] || " ", after = text[at + part.length] || " ";
    if (bare ? before === " " && after === " " : !(inner && isWord(before)) && !(outer && isWord(after))) return true;
  }
  return false;
};
const fits = (text, words, exact) => exact ? squash(text) === squash(words) : holds(fold(text), fold(words));
