// What keeps a user from seeing what has a place on the page: too little light, too little contrast, something above.

const FAINT = 0.05, SMALL = 2;  // opacity, and pixels of a letter, that nobody sees
const CLEAR = /^rgba\(.*, 0\)$|^transparent$/, OPAQUE = /^rgb\(/;
const lights = new Map(), grounds = new Map();  // of one moment: nothing changes while the page is looked at
const freshen = () => { lights.clear(); grounds.clear(); };

const numbers = (words) => (words.match(/-?[\d.]+%?/g) || []);
const cut = (e, style) => {  // whether clipping or a mask leaves nothing
  if (style.clip !== "auto" && /^(absolute|fixed)$/.test(style.position)) {
    const [top, right, bottom, left] = numbers(style.clip).map(parseFloat);
    if (bottom - top <= 1 || right - left <= 1) return true;
  }
  const path = style.clipPath;
  if (path.startsWith("inset(")) {
    const r = rectOf(e), [top, right = top, bottom = top, left = right] = numbers(path.split(" round")[0]);
    const away = (inset, size) => inset.endsWith("%") ? parseFloat(inset) / 100 * size : parseFloat(inset);
    if (away(top, r.height) + away(bottom, r.height) >= r.height - 1) return true;
    if (away(left, r.width) + away(right, r.width) >= r.width - 1) return true;
  }
  if (/^(circle|ellipse)\(0(px|%)?[ )]/.test(path)) return true;
  const mask = style.maskImage.includes("gradient") ? style.maskImage.match(/rgba?\([^)]*\)/g) || [] : [];
  return mask.length > 0 && mask.every((one) => CLEAR.test(one));
};
const lightOf = (e) => {  // what opacity, filters and clipping leave of the element, from 0 to 1
  if (lights.has(e)) return lights.get(e);
  const style = getComputedStyle(e), up = parentOf(e);
  let light = up ? lightOf(up) : 1;
  if (style.opacity !== "1") light *= parseFloat(style.opacity);
  if (style.filter.includes("opacity(")) light *= parseFloat(style.filter.split("opacity(")[1]);
  if (light >= FAINT && cut(e, style)) light = 0;
  lights.set(e, light);
  return light;
};
const groundOf = (e) => {  // the colour behind the element's letters; null if it is not one plain colour
  if (grounds.has(e)) return grounds.get(e);
  const style = getComputedStyle(e), colour = style.backgroundColor, up = parentOf(e);
  const plain = style.backgroundImage === "none" && style.backdropFilter === "none" && style.backgroundClip !== "text";
  let ground = null;
  if (plain && OPAQUE.test(colour)) ground = colour;
  else if (plain && CLEAR.test(colour)) ground = up ? groundOf(up) : "rgb(255, 255, 255)";
  grounds.set(e, ground);
  return ground;
};
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const THINGS = "canvas,svg,img,video,input,button,select,textarea,progress,meter,iframe";
const painted = (e) => {
  const style = getComputedStyle(e);
  return style.backgroundImage !== "none" || style.backgroundColor !== "rgba(0, 0, 0, 0)";
};
const inked = (e, style) => {  // whether the element's own letters can be told from what is behind them
  if (parseFloat(style.fontSize) <= SMALL || parseFloat(style.textIndent) <= -500) return false;
  const fill = style.webkitTextFillColor, clear = CLEAR.test(fill);
  if (!clear && fill !== groundOf(e)) return true;
  if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0 || "ownerSVGElement" in e) return true;
  for (let up = e; up; up = parentOf(up)) if (getComputedStyle(up).backgroundClip === "text") return true;
  if (clear) return false;
  const own = rectOf(e);  // a picture or a box may lie behind it that does not hold it
  return [...document.querySelectorAll("*")].some((other) => !contains(other, e) && !contains(e, other)
    && (meets(other, THINGS) || painted(other)) && overlap(rectOf(other), own));
};
const letterless = (e) => {  // whether all that the element has to show is letters, and they cannot be seen
  if (FIELD.has(tagOf(e)) || !textOf(e).trim() || painted(e) || select(e, THINGS).length || meets(e, THINGS)) return false;
  return !shownText(e);
};
const covered = (e) => {  // whether something opaque lies over it, as far as it is in the window
  const r = rectOf(e);
  let asked = 0;
  for (const [u, v] of [[0.5, 0.5], [0.5, 0.15], [0.5, 0.85], [0.1, 0.5], [0.9, 0.5]]) {
    const stack = document.elementsFromPoint(r.left + r.width * u, r.top + r.height * v);
    const place = stack.findIndex((one) => inside(one, e) || one.shadowRoot);
    if (place < 0) continue;  // outside, or the mouse goes through it
    asked++;
    if (!stack.slice(0, place).some((one) => hides(one))) return false;
  }
  return asked > 0;
};
const hides = (one) => {
  if (!OPAQUE.test(getComputedStyle(one).backgroundColor) || lightOf(one) < 1) return false;
  for (let up = one; up; up = parentOf(up))  // what is under a bar that stays can be scrolled out from under it
    if (/^(fixed|sticky)$/.test(getComputedStyle(up).position)) return rectOf(up).height >= 0.9 * innerHeight;
  return true;
};
const seenByUser = (e) => !letterless(e) && !covered(e);
