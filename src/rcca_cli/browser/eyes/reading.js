// What is read of a target: text, value, state, style, place.

let palette = null;
const brush = () => palette ||= new OffscreenCanvas(1, 1).getContext("2d");  // dear, and seldom needed
const colour = (value) => {
  brush().fillStyle = "#010203"; brush().fillStyle = value; const once = brush().fillStyle;
  brush().fillStyle = "#030201"; brush().fillStyle = value;
  return once === brush().fillStyle ? once : null;  // null: no colour
};
const WEIGHT = { bold: "700", normal: "400" };
const sameStyle = (property, found, wanted) => {
  const f = fold(found), w = fold(String(wanted));
  if (f === w || (property === "font-weight" && f === WEIGHT[w])) return true;
  if (property === "text-decoration" && f.split(" ").includes(w)) return true;
  const a = colour(f), b = colour(w);
  return a !== null && a === b;
};
const enabled = (e) => !meets(e, ":disabled") && !nearest(e, '[aria-disabled="true"]');
const checkedState = (e) => {
  if (tagOf(e) === "INPUT" && /^(checkbox|radio)$/.test(e.type)) return e.checked;
  if (tagOf(e) === "OPTION") return e.selected;
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"])
    if (attr(e, name) !== null) return attr(e, name) === "true";
  const inner = tagOf(e) === "LABEL" ? e.control : select(e, "input[type=checkbox],input[type=radio]")[0];
  return inner ? inner.checked : null;
};
const valueOf = (e) => {
  if (tagOf(e) === "SELECT") return [...e.selectedOptions].map((o) => o.label).join(", ");
  if ("value" in e && !isForm(e) && tagOf(e) !== "LI" && tagOf(e) !== "BUTTON") return String(e.value);
  if (isEditable(e)) return e.innerText;
  return attr(e, "aria-valuenow");
};
const focused = (e) => {
  const active = document.activeElement;
  return active === e || (active !== document.body && contains(e, active));
};
const MANY = 50;  // so many at once are not looked at one by one
const look = (q) => {
  wrong = null;
  const { element: e, list, shown, alternative } = find(document, q.target);
  if (q.property && !q.property.startsWith("--") && !CSS.supports(q.property, "inherit")) wrong = `no CSS property: ${q.property}`;
  const open = !q.target || shown.length > MANY ? shown : shown.filter(seenByUser);
  const seen = { found: list.length, visible: open.length, alternative, text: null, value: null, enabled: false,
    checked: null, focused: false, attribute: null, style: null, same: [], drawn: null, pixels: null,
    painted: null, unreadable: null, fault: wrong, x: 0, y: 0, width: 0, height: 0 };
  if (!e) return seen;
  const r = rectOf(e);
  Object.assign(seen, { x: r.x, y: r.y, width: r.width, height: r.height, value: valueOf(e), enabled: enabled(e),
    checked: checkedState(e), focused: focused(e) });
  if (q.text && tagOf(e) === "CANVAS") seen.text = open.length ? drawnText(e) : "";
  else if (q.text) seen.text = FIELD.has(tagOf(e)) ? valueOf(e) : shown.includes(e) && !open.includes(e) ? "" : shownText(e);
  if (q.attribute) seen.attribute = attr(e, q.attribute);
  if (q.property) {
    seen.style = getComputedStyle(e).getPropertyValue(q.property);
    seen.same = (q.values || []).map((w) => sameStyle(q.property, seen.style, w));
  }
  if (open.length) Object.assign(seen, canvasFacts(e, q));
  return seen;
};
const blank = () => {
  if (!document.body) return true;
  if (shownText(document.body) || [...document.body.querySelectorAll(THINGS)].some(visible)) return false;
  return ![...document.body.querySelectorAll("*")].some((e) => !SILENT.has(tagOf(e)) && painted(e) && visible(e));
};
