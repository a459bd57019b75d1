// What is in the page and not shown: which element hides it, and by which property. For the evidence of a failure.

const WALKED = 4000, VEILS = 20;  // elements looked at, and veils told of
const PLACES = ["left", "right", "top", "bottom", "inset", "transform", "translate", "margin", "margin-left", "margin-top"];
const SIZES = ["height", "max-height", "width", "max-width", "overflow", "overflow-y", "overflow-x"];
const INKS = ["color", "-webkit-text-fill-color", "background-color", "background"];
let veils = [], shut = new Set();  // the elements told of last; those that hid something when the page was loaded
const isShut = (e) => tagOf(e) === "DETAILS" && !e.open;
const hidings = new Map();  // of one moment
const hiding = (e) => {  // the properties by which it hides what is in it; null if it does not
  if (!hidings.has(e)) hidings.set(e, ways(e, getComputedStyle(e)));
  return hidings.get(e);
};
const ways = (e, style) => {
  const up = parentOf(e), r = box(e);
  if (style.display === "none") return ["display"];
  if (style.visibility !== "visible") return up && getComputedStyle(up).visibility !== "visible" ? null : ["visibility"];
  if (style.contentVisibility === "hidden") return ["content-visibility"];
  if (lightOf(e) < FAINT && !(up && lightOf(up) < FAINT)) return ["opacity", "filter", "clip-path", "clip", "mask", "mask-image"];
  if (clips(style) && style.display !== "inline" && tiny(r)) return SIZES;
  const away = r.left >= innerWidth || r.top >= innerHeight || r.right <= 0 || r.bottom <= 0;
  if (empty(r) || !(r.right + scrollX <= 0 || r.bottom + scrollY <= 0 || (style.position === "fixed" && away))) return null;
  return PLACES;
};
const veilOf = (e) => {  // the outermost element that hides this one, itself or around it
  let found = null, summary = false;
  const seen = getComputedStyle(e).visibility === "visible";
  for (let up = e; up; up = parentOf(up)) {
    const by = up !== e && isShut(up) && !summary ? ["open"] : hiding(up);
    if (by && !(by[0] === "visibility" && seen)) found = { element: up, by };
    summary = tagOf(up) === "SUMMARY";
  }
  return found;
};
const inkless = (e) => {  // the outermost element from which this one has the colour or size that hides its letters
  const style = getComputedStyle(e), small = parseFloat(style.fontSize) <= SMALL, away = parseFloat(style.textIndent) <= -500;
  const name = small ? "fontSize" : away ? "textIndent" : "color";
  while (parentOf(e) && getComputedStyle(parentOf(e))[name] === style[name]) e = parentOf(e);
  return { element: e, by: small ? ["font-size", "font"] : away ? ["text-indent"] : INKS };
};
const layers = (root, outer, told) => {  // the text of an element in order: [words, the place in `told` of what hides them]
  const parts = [];
  let left = WALKED;
  const letters = (text, veil) => {
    const words = text.data, own = upOf(text) || text.getRootNode().host;
    if (veil === null && words.trim() && !inked(own, getComputedStyle(own))) veil = told(inkless(own));
    parts.push([words, veil]);
  };
  const walk = (node, veil) => {
    if (kindOf(node) !== 1 || SILENT.has(tagOf(node)) || left-- <= 0) return;
    const style = getComputedStyle(node), block = BLOCK.test(style.display);
    if (veil !== null && told.by(veil) === "visibility" && style.visibility === "visible") veil = null;
    if (veil === null) {
      const by = hiding(node);
      if (by) veil = told({ element: node, by });
    }
    if (block || tagOf(node) === "BR") parts.push(["\n", null]);
    if (FIELD.has(tagOf(node))) parts.push([fieldText(node), veil]);
    else for (const child of nodesOf(shadowOf(node) || node)) {
      const under = veil === null && isShut(node) && tagOf(child) !== "SUMMARY" ? told({ element: node, by: ["open"] }) : veil;
      if (kindOf(child) === 3) letters(child, under); else walk(child, under);
    }
    if (block) parts.push(["\n", null]);
  };
  walk(root, outer);
  return parts;
};
// What a look sees, and for each element that hides something what there would be to see without it: how many matches
// more, and the whole text. `early`: it did so when the page was loaded.
const unveil = (q) => {
  freshen();
  hidings.clear();
  const seen = look(q), { element, list } = find(document, q.target), found = [], counts = [];
  const told = (one) => {
    const place = found.findIndex((other) => other.element === one.element);
    if (place < 0) counts.push(0);
    return place < 0 ? found.push(one) - 1 : place;
  };
  told.by = (place) => found[place].by[0];
  for (const e of q.target ? list.slice(0, WALKED) : []) {
    const veil = veilOf(e) || (letterless(e) ? inkless(e) : null);
    if (veil) counts[told(veil)]++;
  }
  const words = list.length ? [] : q.target.filter((a) => a.text !== undefined);
  const root = element || (words.length ? document.body : null), around = root && veilOf(root);
  const parts = root && (q.text || words.length) ? layers(root, around ? told(around) : null, told) : [];
  veils = found.slice(0, VEILS).map((one) => one.element);
  return { seen, veils: found.slice(0, VEILS).map((one, place) => {
    const without = squash(parts.filter(([, veil]) => veil === null || veil === place).map(([text]) => text).join(""));
    const under = parts.filter(([, veil]) => veil === place).map(([text]) => text).join("");
    const named = words.some((a) => fits(under, a.text, a.exact));
    return { tag: tagged(one.element), by: one.by, early: shut.has(one.element), count: counts[place] + named, text: without,
      names: `${attr(one.element, "id") || ""} ${attr(one.element, "class") || ""}`.split(/\s+/).filter(Boolean).slice(0, VEILS) };
  }) };
};
const noteShut = () => {  // after a load: what hides something now, so that it can be told from what a script hides later
  freshen();
  hidings.clear();
  const words = (e) => [...nodesOf(e)].some((node) => kindOf(node) === 3 && node.data.trim());
  shut = new Set();
  for (const e of [...document.querySelectorAll("*")].slice(0, WALKED)) {
    if (isShut(e) || hiding(e)) shut.add(e);
    else if (words(e) && !inked(e, getComputedStyle(e))) shut.add(inkless(e).element);
  }
};
const tried = (work) => (...given) => { try { return work(...given); } catch { return null; } };  // no verdict may hang on it
Object.assign(globalThis.rcca, { unveil: tried(unveil), noteShut: tried(noteShut), veil: (place) => { last = veils[place]; } });
