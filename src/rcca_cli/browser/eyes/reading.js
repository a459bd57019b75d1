// What is read of a target: text, value, state, style, place.

const brush = new OffscreenCanvas(1, 1).getContext("2d");
const colour = (value) => {
  brush.fillStyle = "#010203"; brush.fillStyle = value; const once = brush.fillStyle;
  brush.fillStyle = "#030201"; brush.fillStyle = value;
  return once === brush.fillStyle ? once : null;  // null: no colour
};
const WEIGHT = { bold: "700", normal: "400" };
const sameStyle = (property, found, wanted) => {
  const f = fold(found), w = fold(String(wanted));
  if (f === w || (property === "font-weight" && f === WEIGHT[w])) return true;
  if (property === "text-decoration" && f.split(" ").includes(w)) return true;
  const a = colour(f), b = colour(w);
  return a !== null && a === b;
};
const enabled = (e) => !e.matches(":disabled") && !e.closest('[aria-disabled="true"]');
const checkedState = (e) => {
  if (e.tagName === "INPUT" && /^(checkbox|radio)$/.test(e.type)) return e.checked;
  if (e.tagName === "OPTION") return e.selected;
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"])
    if (e.hasAttribute(name)) return e.getAttribute(name) === "true";
  const inner = e.tagName === "LABEL" ? e.control : e.querySelector("input[type=checkbox],input[type=radio]");
  return inner ? inner.checked : null;
};
const valueOf = (e) => {
  if (e.tagName === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
  if ("value" in e && e.tagName !== "LI" && e.tagName !== "BUTTON") return String(e.value);
  if (e.isContentEditable) return e.innerText;
  return e.getAttribute("aria-valuenow");
};
const focused = (e) => {
  const active = document.activeElement;
  return active === e || (active !== document.body && e.contains(active));
};
const look = (q) => {
  const { element: e, list, shown, alternative } = find(document, q.target);
  const seen = { found: list.length, visible: shown.length, alternative, text: null, value: null, enabled: false,
    checked: null, focused: false, attribute: null, style: null, same: [], x: 0, y: 0, width: 0, height: 0 };
  if (!e) return seen;
  const r = e.getBoundingClientRect();
  Object.assign(seen, { x: r.x, y: r.y, width: r.width, height: r.height, value: valueOf(e), enabled: enabled(e),
    checked: checkedState(e), focused: focused(e) });
  if (q.text) seen.text = FIELD.has(e.tagName) ? valueOf(e) : shownText(e);
  if (q.attribute) seen.attribute = e.getAttribute(q.attribute);
  if (q.property) {
    seen.style = getComputedStyle(e).getPropertyValue(q.property);
    seen.same = (q.values || []).map((w) => sameStyle(q.property, seen.style, w));
  }
  return seen;
};
const THINGS = "canvas,svg,img,video,input,button,select,textarea,progress,meter,iframe";
const painted = (e) => {
  const style = getComputedStyle(e);
  return style.backgroundImage !== "none" || style.backgroundColor !== "rgba(0, 0, 0, 0)";
};
const blank = () => {
  if (!document.body) return true;
  if (shownText(document.body) || [...document.body.querySelectorAll(THINGS)].some(visible)) return false;
  return ![...document.body.querySelectorAll("*")].some((e) => !SILENT.has(e.tagName) && painted(e) && visible(e));
};
