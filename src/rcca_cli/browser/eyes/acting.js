// Where to click and what to type into; the few actions that a script does itself.

let last = null;  // the element acted on, for the questions of a replay
const tagged = (e) => {
  const id = attr(e, "id") ? ` id="${attr(e, "id")}"` : "", classes = e.classList.length ? ` class="${[...e.classList].join(" ")}"` : "";
  return `<${tagOf(e).toLowerCase()}${id}${classes}>`;
};
const hitAt = (x, y) => {
  let hit = document.elementFromPoint(x, y);
  for (let inner = hit; inner && shadowOf(inner); ) {
    inner = shadowOf(inner).elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};
const inside = (hit, e) => { for (let up = hit; up; up = parentOf(up)) if (up === e) return true; return false; };
const openPoint = (e) => {  // a point of the element that the mouse would hit, or what is in the way
  let cover = null;
  for (const r of [...rectsOf(e)].filter((r) => r.width > 0 && r.height > 0).slice(0, 3)) {
    const x0 = Math.max(r.left, 0), x1 = Math.min(r.right, innerWidth);
    const y0 = Math.max(r.top, 0), y1 = Math.min(r.bottom, innerHeight);
    for (const [u, v] of [[0.5, 0.5], [0.5, 0.15], [0.5, 0.85], [0.1, 0.5], [0.9, 0.5]]) {
      const x = x0 + (x1 - x0) * u, y = y0 + (y1 - y0) * v, hit = hitAt(x, y), label = hit && nearest(hit, "label");
      if (hit && (inside(hit, e) || label?.control === e)) return { x, y };
      cover ||= hit;
    }
  }
  return { cover };
};
const pointOn = (e) => {
  const r = rectOf(e);
  const shown = r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth;
  const point = shown ? openPoint(e) : {};
  if ("x" in point) return point;
  reveal(e, { block: "center", inline: "center", behavior: "instant" });
  return openPoint(e);
};
const aim = (target, purpose) => {
  wrong = null;
  const { element, alternative } = find(document, target);
  const answer = { problem: null, detail: null, alternative, x: 0, y: 0, tag: "", type: "", on: null, value: "" };
  const fail = (problem, detail) => Object.assign(answer, { problem, detail: detail || null });
  if (wrong) return fail("fault", wrong);
  if (!element) return fail("absent");
  let e = last = element;
  Object.assign(answer, { tag: tagOf(e), type: typeOf(e), on: checkedState(e), value: valueOf(e) || "" });
  if (purpose === "select" && tagOf(e) === "LABEL" && e.control) e = last = e.control;
  if (purpose === "type" && !meets(e, "input,textarea,[contenteditable]") ) {
    const inner = tagOf(e) === "LABEL" && e.control ? e.control : select(e, "input,textarea,[contenteditable]")[0];
    if (!inner) return fail("unfit");
    e = last = inner;
  }
  if (!visible(e)) {
    const label = [...labelsOf(e)].find(visible);
    if (!label || purpose === "type") return fail("hidden");
    e = label;
  }
  if (purpose !== "hover" && !enabled(e)) return fail("disabled");
  if (purpose === "type") {
    if (e.readOnly) return fail("disabled");
    reveal(e, { block: "nearest", behavior: "instant" });
    focusOn(e);
    if (!contains(e, document.activeElement)) return fail("covered", "something that keeps the focus");
    if (e.select) e.select(); else getSelection().selectAllChildren(e);
    return Object.assign(answer, { tag: tagOf(e), type: typeOf(e), value: valueOf(e) || "" });
  }
  if (purpose === "focus") { focusOn(e); return answer; }
  if (purpose === "select" || purpose === "set") return answer;
  const point = pointOn(e);
  if (!("x" in point)) return fail("covered", point.cover ? tagged(point.cover) : "the edge of the page");
  return Object.assign(answer, point);
};
const fire = (e) => {
  e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  e.dispatchEvent(new Event("change", { bubbles: true }));
};
const choose = (option) => {
  const options = [...last.options];
  const one = options.find((o) => fits(o.label, option, true)) || options.find((o) => fold(o.label) === fold(option))
    || options.find((o) => o.value === option) || options.find((o) => fits(o.label, option));
  if (!one) return false;
  last.focus();
  if (last.multiple) one.selected = true; else last.value = one.value, last.selectedIndex = one.index;
  fire(last);
  return true;
};
const put = (value) => {
  if (!("value" in last)) return false;
  last.focus();
  last.value = value;
  fire(last);
  return true;
};
