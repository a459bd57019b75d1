// What a user could see of an element: whether it shows, and its text.

const OPEN = /^(auto|scroll)$/, CLIP = /^(hidden|clip)$/;
const parentOf = (e) => slotOf(e) || upOf(e) || rootOf(e).host || null;
const isPush = (e) => tagOf(e) === "INPUT" && /^(button|submit|reset)$/.test(e.type);
const box = (e) => {
  const r = rectOf(e);
  return { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
};
const empty = (b) => b.right - b.left <= 0 || b.bottom - b.top <= 0;
const tiny = (b) => b.right - b.left <= 1 || b.bottom - b.top <= 1;  // text for screen readers is clipped to a pixel
const clips = (style) => CLIP.test(style.overflowX) || CLIP.test(style.overflowY);
const visible = (e) => {
  if (tagOf(e) === "OPTION" || tagOf(e) === "OPTGROUP") e = nearest(e, "select,datalist") || e;
  const all = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  if (!shows(e, all) || lightOf(e) < FAINT) return false;
  let b = box(e);
  if (empty(b)) {  // an empty wrapper shows what overflows it
    return getComputedStyle(e).overflow === "visible" && [...childrenOf(e)].some(visible);
  }
  const own = getComputedStyle(e);
  if (clips(own) && tiny(b)) return false;
  let fixed = own.position;
  for (let up = parentOf(e); up && up !== document.documentElement && fixed !== "fixed"; up = parentOf(up)) {
    const style = getComputedStyle(up);
    if (fixed === "absolute" && style.position === "static" && style.transform === "none") continue;
    fixed = style.position;
    if (up === document.body) continue;
    const x = style.overflowX, y = style.overflowY;
    if (x === "visible" && y === "visible") continue;
    const clip = box(up);
    if (empty(clip) || (clips(style) && tiny(clip))) return false;
    if (CLIP.test(x) && !(b.left < clip.right && clip.left < b.right)) return false;
    if (CLIP.test(y) && !(b.top < clip.bottom && clip.top < b.bottom)) return false;
    if (OPEN.test(x) || OPEN.test(y)) b = clip;
  }
  const out = b.left >= innerWidth || b.top >= innerHeight || b.right <= 0 || b.bottom <= 0;
  if (fixed === "fixed" && out) return false;
  return b.right + scrollX > 0 && b.bottom + scrollY > 0;
};
const BLOCK = /^(block|flex|grid|table|list-item|flow-root)/;
const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE", "META", "LINK"]);
const FIELD = new Set(["SELECT", "TEXTAREA", "INPUT"]);
const fieldText = (e) => {  // what is typed is no text of the page
  if (tagOf(e) === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
  return isPush(e) ? e.value : "";
};
const isControl = (e) => tagOf(e) === "BUTTON" || FIELD.has(tagOf(e));
const shownChildren = (e) => {
  if (tagOf(e) === "DETAILS" && !e.open) return [...childrenOf(e)].filter((child) => tagOf(child) === "SUMMARY");
  return nodesOf(shadowOf(e) || e);
};
// What parts words in a line without white space of the source: the edge of a control, and room beside an element.
const EDGE = "\0", SET_OFF = "\u0001";
const setOff = (style, side) =>
  parseFloat(style[`margin${side}`]) + parseFloat(style[`padding${side}`]) >= parseFloat(style.fontSize) / 4;
const mark = (node, style, side) => isControl(node) ? EDGE : setOff(style, side) ? SET_OFF : "";
const spaced = (text) =>  // "Food" and "80" are two words with room between; letters in tiles, and digits, may well be one
  text.replace(/([\p{L}\p{N}])\u0001*\0[\0\u0001]*(?=[\p{L}\p{N}])/gu, "$1 ")
    .replace(/(\p{L})\u0001+(?=\p{N})|(\p{N})\u0001+(?=\p{L})/gu, "$1$2 ").replace(/[\0\u0001]/g, "");
const shownText = (root) => {
  const parts = [];
  const walk = (node) => {
    if (kindOf(node) !== 1 || SILENT.has(tagOf(node))) return;
    const style = getComputedStyle(node);
    if (style.display === "none" || style.contentVisibility === "hidden" || lightOf(node) < FAINT) return;
    if (clips(style) && style.display !== "inline" && tiny(box(node))) return;
    const placed = node !== root && style.position !== "static";
    if (placed && !visible(node) && ![...select(node, "*")].some(visible)) return;
    const block = BLOCK.test(style.display), hidden = style.visibility !== "visible";
    if (block) parts.push("\n"); else parts.push(mark(node, style, "Left"));
    if (tagOf(node) === "BR") parts.push("\n");
    else if (FIELD.has(tagOf(node))) { if (!hidden) parts.push(fieldText(node)); }
    else for (const child of shownChildren(node)) if (kindOf(child) !== 3) walk(child); else if (!hidden) letters(child);
    if (block) parts.push("\n"); else parts.push(mark(node, style, "Right"));
  };
  const letters = (text) => {
    const words = text.data, own = upOf(text) || text.getRootNode().host;
    if (!words.trim() || inked(own, getComputedStyle(own))) parts.push(words);
  };
  if (root && (root === document.body || visible(root) || tagOf(root) === "OPTION")) walk(root);
  return spaced(parts.join("")).replace(/\s+/g, " ").trim();
};
